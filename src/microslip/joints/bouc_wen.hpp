#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <microslip/joints/log_tail.hpp>
#include <microslip/joints/masing.hpp>
#include <microslip/joints/parameter.hpp>
#include <microslip/joints/point_state.hpp>
#include <microslip/joints/power_integral.hpp>

namespace microslip {

namespace detail {

/// (1 - e^-x)/x, 1 at x = 0.
template <class S>
S exp_ratio(const S& x) {
  using std::expm1;
  if (std::abs(value_of(x)) < 1e-5) return S(1) - x / S(2) + x * x / S(6);
  return -expm1(-x) / x;
}
/// tanh(sqrt x)/sqrt x for x > 0, tan(sqrt -x)/sqrt -x for x < 0, 1 at x = 0.
template <class S>
S tanh_ratio(const S& x) {
  using std::sqrt, std::tan, std::tanh;
  if (std::abs(value_of(x)) < 1e-4) return S(1) - x / S(3) + x * x * S(2.0 / 15) - x * x * x * S(17.0 / 315);
  if (x > S(0)) {
    const S r = sqrt(x);
    return tanh(r) / r;
  }
  const S r = sqrt(-x);
  return tan(r) / r;
}

/// One branch of dt/du = A - c |t|^n in terms of the magnitude tau = |t|; c > 0 softens, c < 0 stiffens.
///   reach(tau)     P = int_0^tau ds/(A - c s^n)
///   magnitude(P)   its inverse, from the known starting point tau_0
///   excess(tau)    P - tau/A, without cancellation
///   saturation()   the force where the slope vanishes, for c > 0
///   rest(tau)      int_0^tau (saturation - s) (1/(A - c s^n) - 1/A) ds, bounded
///   loss(tau)      int_0^tau s (1/(A - c s^n) - 1/A) ds, energy lost with t^2/(2A) as the stored energy
template <class S>
struct LinearBranch {  // n = 1
  S A, c;
  [[nodiscard]] S slope(const S& tau) const { return A - c * tau; }
  [[nodiscard]] S saturation() const { return A / c; }
  [[nodiscard]] S rest(const S& tau) const { return S(0.5) * tau * tau / A; }
  [[nodiscard]] S reach(const S& tau) const { return tau / A * log_tail(1, c * tau / A); }
  [[nodiscard]] S magnitude(const S& P, const S& /*tau_0*/) const { return A * P * exp_ratio(c * P); }
  [[nodiscard]] S excess(const S& tau) const { return c * tau * tau / (A * A) * log_tail(2, c * tau / A); }
  [[nodiscard]] S loss(const S& tau) const { return c * tau * tau * tau / (A * A) * log_tail(3, c * tau / A); }
};

template <class S>
struct QuadraticBranch {  // n = 2
  S A, c;
  [[nodiscard]] S slope(const S& tau) const { return A - c * tau * tau; }
  [[nodiscard]] S saturation() const {
    using std::sqrt;
    return sqrt(A / c);
  }
  [[nodiscard]] S rest(const S& tau) const {
    using std::log1p;
    const S top = saturation();
    return log1p(tau / top) / c - tau * (top - S(0.5) * tau) / A;
  }
  [[nodiscard]] S reach(const S& tau) const {
    using std::atan, std::atanh, std::sqrt;
    const S z = c * tau * tau / A;
    if (std::abs(value_of(z)) < 1e-4) return tau / A * (S(1) + z / S(3) + z * z / S(5) + z * z * z / S(7));
    const S r = sqrt(z > S(0) ? z : S(-z));
    return tau / A * (z > S(0) ? atanh(r) : atan(r)) / r;
  }
  [[nodiscard]] S magnitude(const S& P, const S& /*tau_0*/) const { return A * P * tanh_ratio(c * A * P * P); }
  [[nodiscard]] S excess(const S& tau) const {
    const S z = c * tau * tau / A;
    if (std::abs(value_of(z)) > 0.1) return reach(tau) - tau / A;
    S sum(0);  // z/3 + z^2/5 + ...
    for (int j = 17; j >= 1; --j) sum = (sum + S(1.0 / (2 * j + 1))) * z;
    return tau / A * sum;
  }
  [[nodiscard]] S loss(const S& tau) const {
    const S z = c * tau * tau / A;
    return S(0.5) * z * tau * tau / A * log_tail(2, z);
  }
};

template <class S>
struct PowerBranch {  // any n > 0
  S A, c, n;

  [[nodiscard]] S slope(const S& tau) const {
    using std::pow;
    return A - c * pow(tau, n);
  }
  [[nodiscard]] S saturation() const {
    using std::pow;
    return pow(A / c, S(1) / n);
  }
  [[nodiscard]] S rest(const S& tau) const { return saturation() * excess(tau) - loss(tau); }
  [[nodiscard]] S reach(const S& tau) const {
    using std::pow;
    return tau / A * power_integral(S(1) / n, c * pow(tau, n) / A);
  }
  [[nodiscard]] S excess(const S& tau) const {
    using std::pow;
    const S z = c * pow(tau, n) / A;
    return tau / A * z / (S(1) + n) * power_integral(S(1) + S(1) / n, z);
  }
  [[nodiscard]] S loss(const S& tau) const {
    using std::pow;
    const S b = S(2) / n, z = c * pow(tau, n) / A;
    return S(0.5) * tau * tau / A * z * b / (b + S(1)) * power_integral(b + S(1), z);
  }
  [[nodiscard]] S magnitude(const S& P, const S& tau_0) const {
    const PowerBranch<double> plain{value_of(A), value_of(c), value_of(n)};
    const double tau = plain.solve(value_of(P), value_of(tau_0));
    if constexpr (std::same_as<S, double>) {
      return tau;
    } else {
      // One Newton step in duals from the converged root carries the derivatives (implicit differentiation).
      return S(tau) + (P - reach(S(tau))) * S(plain.slope(tau));
    }
  }

 private:
  template <class T>
  friend struct PowerBranch;

  /// tau with reach(tau) = P in plain numbers: Newton in tau where the curve is gentle, in y = -ln(1 - z) near
  /// saturation (dP/dy has no pole there), kept inside a bracket.
  [[nodiscard]] double solve(double P, double tau_0) const {
    if (!(P > 0)) return 0;
    const double saturation = c > 0 ? std::pow(A / c, 1 / n) : std::numeric_limits<double>::infinity();
    double low = 0, high = std::min(saturation, c > 0 ? A * P : std::numeric_limits<double>::infinity());
    double tau = std::min(tau_0 > 0 ? tau_0 : A * P, high * (1 - 1e-12));
    for (int i = 0; i < 100; ++i) {
      const double power = std::pow(tau, n), z = c * power / A;
      const double residual = P - tau / A * power_integral(1 / n, z);
      (residual > 0 ? low : high) = tau;
      const double g = A - c * power;
      double next = 0;
      if (z > 0.5) {
        const double y = -std::log1p(-z) + residual * A * n * z / tau;
        next = std::pow(-std::expm1(-y) * A / c, 1 / n);
      } else {
        // Taylor series of tau(P) to third order: the derivatives follow from dtau/dP = A - c tau^n.
        const double s = -c * n * power / tau;  // d(slope)/d(tau)
        next = tau + residual * g * (1 + residual * s / 2 + residual * residual * (s * s + s * (n - 1) * g / tau) / 6);
      }
      // Fourth order below, second order near saturation: after a step this small the next is below round-off.
      if (std::abs(next - tau) <= (z > 0.5 ? 1e-9 : 1e-5) * tau) return std::clamp(next, low, high);
      if (!(next > low && next < high)) next = std::isinf(high) ? 2 * tau : 0.5 * (low + high);
      tau = next;
    }
    return tau;
  }
};

/// loss(end) - loss(start) of a growing branch that takes the displacement v. Near saturation loss(tau) grows without
/// bound and the force no longer tells how far the joint has slipped; there the displacement does:
/// saturation x (v - (end - start)/A) less a bounded rest.
template <class S, class Branch>
S growth_loss(const Branch& growing, const S& start, const S& end, const S& v) {
  if (!(growing.slope(end) < S(0.5) * growing.A)) return growing.loss(end) - growing.loss(start);
  return growing.saturation() * (v - (end - start) / growing.A) - (growing.rest(end) - growing.rest(start));
}

/// A move of a Bouc-Wen law from (u, t) to u: the branch is split where the force changes sign, because the
/// coefficient of |t|^n does [Porter2022, Eq. 10]: alpha - beta while the force grows, -(alpha + beta) while it falls.
template <class S, class Branch>
Response<S> bouc_wen_move(const PointState<S>& from, const S& u, const Branch& growing, const Branch& falling) {
  using std::abs;
  const int direction = u > from.u ? 1 : -1;
  S left = abs(u - from.u), tau = abs(from.f), lost(0);
  if (tau > S(0) && (from.f > S(0)) != (direction > 0)) {
    const S to_zero = falling.reach(tau);
    if (left < to_zero) {
      const S end = falling.magnitude(to_zero - left, tau);
      const S loss = falling.loss(end) - falling.loss(tau);  // loss(tau) of a stiffening branch is negative
      return {direction > 0 ? S(-end) : end, falling.slope(end), loss > S(0) ? loss : S(0)};
    }
    lost = -falling.loss(tau);
    left -= to_zero;
    tau = S(0);
  }
  const S end = growing.magnitude(growing.reach(tau) + left, tau);
  const S loss = lost + growth_loss(growing, tau, end, left);
  return {direction > 0 ? end : S(-end), growing.slope(end), loss > S(0) ? loss : S(0)};
}

template <class Law>
constexpr std::array<Parameter<Law>, 3> bouc_wen_rows() {
  return {{{"stiffness", "A", "N/m", "tangential stiffness at zero force",
            above_zero("a joint without stiffness is no joint"), 1e7, true, &Law::stiffness},
           {"alpha", "alpha", "N^(1-n)/m", "how fast the slope falls with the force; eta = alpha - beta",
            from_zero("a negative alpha would create energy"), 1e4, true, &Law::alpha},
           {"beta",
            "beta",
            "N^(1-n)/m",
            "difference between loading and unloading, |beta| <= alpha",
            {-unbounded, unbounded, true, true, "it must be a finite number"},
            0,
            true,
            &Law::beta}}};
}

/// What the three Bouc-Wen laws share; law.branch(c) gives their branches.
template <class Law>
Response<typename Law::Scalar> bouc_wen_hysteretic(const Law& law, const typename Law::State& s,
                                                   const typename Law::Scalar& u) {
  using S = typename Law::Scalar;
  const auto growing = law.branch(law.alpha - law.beta);
  if (u == s.u) return {s.f, growing.slope(s.f < S(0) ? S(-s.f) : s.f), S(0)};
  return bouc_wen_move(s, u, growing, law.branch(-(law.alpha + law.beta)));
}
template <class Law>
Response<typename Law::Scalar> bouc_wen_evaluate(const Law& law, const typename Law::State& s,
                                                 const typename Law::Scalar& u) {
  return beside_spring(bouc_wen_hysteretic(law, s, u), law.post_slip_stiffness, u);
}
template <class Law>
Response<typename Law::Scalar> bouc_wen_advance(const Law& law, typename Law::State& s, const typename Law::Scalar& u) {
  const auto r = bouc_wen_hysteretic(law, s, u);
  s = {u, r.force};
  return beside_spring(r, law.post_slip_stiffness, u);
}
/// First loading, without the post-slip spring. int f dx = loss(f) + f^2/(2A) makes 2 int f - x f what is returned.
template <class Law>
Curve<typename Law::Scalar> bouc_wen_curve(const Law& law, const typename Law::Scalar& x) {
  using S = typename Law::Scalar;
  const auto growing = law.branch(law.alpha - law.beta);
  const S f = growing.magnitude(x, S(0));
  return {f, growing.slope(f),
          S(2) * growth_loss(growing, S(0), f, x) -
              f * (f < S(0.5) * growing.A * x ? x - f / growing.A : growing.excess(f))};
}
template <class Law>
std::optional<std::string> bouc_wen_conflict(const Law& law) {
  const double alpha = value_of(law.alpha), beta = value_of(law.beta);
  if (std::abs(beta) <= alpha) return std::nullopt;
  return fmt::format("beta must lie in [-alpha, alpha] = [{}, {}], got {}: otherwise it creates energy", -alpha, alpha,
                     beta);
}

}  // namespace detail

/// General Bouc-Wen law, dt/du = A - (alpha sgn(t u') - beta) |t|^n [Porter2022, Eqs. 10-11], without an ODE solver:
/// on a branch u = (t/A) 2F1(1, 1/n; 1+1/n; c |t|^n/A). Stored energy t^2/(2A), so that the loss is never negative
/// for |beta| <= alpha. Not a Masing law. Derivation: docs/theory/bouc_wen.md.
template <class S>
struct BoucWen {
  using Scalar = S;
  using State = PointState<S>;
  static constexpr std::string_view name = "bouc_wen";
  static constexpr std::string_view title = "Bouc-Wen";
  static constexpr bool masing = false;

  S stiffness;  ///< A [N/m]
  S n;
  S alpha;
  S beta;
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<BoucWen>, 5> parameters() {
    const auto r = detail::bouc_wen_rows<BoucWen>();
    const Parameter<BoucWen> n_row{"n",
                                   "n",
                                   "1",
                                   "sharpness of the knee: large n is nearly bilinear",
                                   above_zero("the slope would not fall with the force"),
                                   1.5,
                                   true,
                                   &BoucWen::n};
    return {{r[0], n_row, r[1], r[2], post_slip_row<BoucWen>()}};
  }
  [[nodiscard]] detail::PowerBranch<S> branch(const S& c) const { return {stiffness, c, n}; }
  [[nodiscard]] Curve<S> curve(const S& x) const { return detail::bouc_wen_curve(*this, x); }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    return detail::bouc_wen_evaluate(*this, s, u);
  }
  Response<S> advance(State& s, const S& u) const { return detail::bouc_wen_advance(*this, s, u); }
  [[nodiscard]] std::optional<std::string> conflict() const { return detail::bouc_wen_conflict(*this); }

  template <class T>
  [[nodiscard]] BoucWen<T> cast() const {
    return {convert<T>(stiffness), convert<T>(n), convert<T>(alpha), convert<T>(beta), convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<BoucWen<double>> && HasCurve<BoucWen<double>>);

/// Bouc-Wen with n = 1: exponentials [Porter2022, Eqs. 12-13].
template <class S>
struct BoucWen1 {
  using Scalar = S;
  using State = PointState<S>;
  static constexpr std::string_view name = "bouc_wen_1";
  static constexpr std::string_view title = "Bouc-Wen, n = 1";
  static constexpr bool masing = false;

  S stiffness;  ///< A [N/m]
  S alpha;
  S beta;
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<BoucWen1>, 4> parameters() {
    const auto r = detail::bouc_wen_rows<BoucWen1>();
    return {{r[0], r[1], r[2], post_slip_row<BoucWen1>()}};
  }
  [[nodiscard]] detail::LinearBranch<S> branch(const S& c) const { return {stiffness, c}; }
  [[nodiscard]] Curve<S> curve(const S& x) const { return detail::bouc_wen_curve(*this, x); }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    return detail::bouc_wen_evaluate(*this, s, u);
  }
  Response<S> advance(State& s, const S& u) const { return detail::bouc_wen_advance(*this, s, u); }
  [[nodiscard]] std::optional<std::string> conflict() const { return detail::bouc_wen_conflict(*this); }

  template <class T>
  [[nodiscard]] BoucWen1<T> cast() const {
    return {convert<T>(stiffness), convert<T>(alpha), convert<T>(beta), convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<BoucWen1<double>> && HasCurve<BoucWen1<double>>);

/// Bouc-Wen with n = 2: tanh and tan [Porter2022, Eqs. 14-15].
template <class S>
struct BoucWen2 {
  using Scalar = S;
  using State = PointState<S>;
  static constexpr std::string_view name = "bouc_wen_2";
  static constexpr std::string_view title = "Bouc-Wen, n = 2";
  static constexpr bool masing = false;

  S stiffness;  ///< A [N/m]
  S alpha;
  S beta;
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<BoucWen2>, 4> parameters() {
    const auto r = detail::bouc_wen_rows<BoucWen2>();
    return {{r[0], r[1], r[2], post_slip_row<BoucWen2>()}};
  }
  [[nodiscard]] detail::QuadraticBranch<S> branch(const S& c) const { return {stiffness, c}; }
  [[nodiscard]] Curve<S> curve(const S& x) const { return detail::bouc_wen_curve(*this, x); }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    return detail::bouc_wen_evaluate(*this, s, u);
  }
  Response<S> advance(State& s, const S& u) const { return detail::bouc_wen_advance(*this, s, u); }
  [[nodiscard]] std::optional<std::string> conflict() const { return detail::bouc_wen_conflict(*this); }

  template <class T>
  [[nodiscard]] BoucWen2<T> cast() const {
    return {convert<T>(stiffness), convert<T>(alpha), convert<T>(beta), convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<BoucWen2<double>> && HasCurve<BoucWen2<double>>);

}  // namespace microslip
