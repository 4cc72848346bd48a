#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include <microslip/joints/bouc_wen_branch.hpp>
#include <microslip/joints/masing.hpp>
#include <microslip/joints/parameter.hpp>
#include <microslip/joints/point_state.hpp>

namespace microslip {

namespace detail {

/// Energy lost on a growing branch from start to end, the displacement v between them. Near saturation the loss from
/// zero force grows without bound and the force no longer tells how far the joint has slipped; there the displacement
/// does: saturation x (v - (end - start)/A) less a bounded rest.
template <class S, class Branch, class Point>
S growth_loss(const Branch& growing, const S& A, const Point& start, const Point& end, const S& v) {
  if (!(end.gap < S(0.5))) return growing.loss(end) - growing.loss(start);
  return growing.saturation() * (v - (end.tau - start.tau) / A) - (growing.rest(end) - growing.rest(start));
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

/// The hysteretic part's move from s to u; law.branch(c) gives the branches. They are split where the force changes
/// sign, because the coefficient of |t|^n does [Porter2022, Eq. 10]: alpha - beta while the force grows,
/// -(alpha + beta) while it falls.
template <class Law>
Response<typename Law::Scalar> bouc_wen_move(const Law& law, const typename Law::State& s,
                                             const typename Law::Scalar& u) {
  using S = typename Law::Scalar;
  using std::abs;
  const S& A = law.stiffness;
  const bool up = u > s.u;
  S left = abs(u - s.u), tau = abs(s.f), lost(0);
  if (left == S(0)) return {s.f, A * law.branch(law.alpha - law.beta).at(tau).gap, S(0)};
  if (tau > S(0) && (s.f > S(0)) != up) {
    const auto falling = law.branch(-(law.alpha + law.beta));
    const auto top = falling.at(tau);
    if (left < top.reach) {
      const auto end = falling.to(top.reach - left, top);
      const S loss = falling.loss(end) - falling.loss(top);  // the loss of a stiffening branch is negative
      return {up ? S(-end.tau) : end.tau, A * end.gap, loss > S(0) ? loss : S(0)};
    }
    lost = -falling.loss(top);
    left -= top.reach;
    tau = S(0);
  }
  const auto growing = law.branch(law.alpha - law.beta);
  using Point = typename decltype(growing)::Point;
  const Point start = tau > S(0) ? growing.at(tau) : Point{}, end = growing.to(start.reach + left, start);
  const S loss = lost + growth_loss(growing, A, start, end, left);
  return {up ? end.tau : S(-end.tau), A * end.gap, loss > S(0) ? loss : S(0)};
}

template <class Law>
Response<typename Law::Scalar> bouc_wen_evaluate(const Law& law, const typename Law::State& s,
                                                 const typename Law::Scalar& u) {
  return beside_spring(bouc_wen_move(law, s, u), law.post_slip_stiffness, u);
}
template <class Law>
Response<typename Law::Scalar> bouc_wen_advance(const Law& law, typename Law::State& s, const typename Law::Scalar& u) {
  const auto r = bouc_wen_move(law, s, u);
  s = {u, r.force};
  return beside_spring(r, law.post_slip_stiffness, u);
}
/// First loading, without the post-slip spring. int f dx = loss + f^2/(2A) makes 2 int f - x f what is returned.
template <class Law>
Curve<typename Law::Scalar> bouc_wen_curve(const Law& law, const typename Law::Scalar& x) {
  using S = typename Law::Scalar;
  const auto growing = law.branch(law.alpha - law.beta);
  const typename decltype(growing)::Point zero{};
  const auto end = growing.to(x, zero);
  return {end.tau, law.stiffness * end.gap,
          S(2) * growth_loss(growing, law.stiffness, zero, end, x) - end.tau * growing.excess(end)};
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

/// Bouc-Wen with a whole exponent in elementary functions: n = 1, exponentials [Porter2022, Eqs. 12-13], and n = 2,
/// tanh and tan [Porter2022, Eqs. 14-15].
template <class S, int n>
requires(n == 1 || n == 2) struct WholeBoucWen {
  using Scalar = S;
  using State = PointState<S>;
  using Branch = std::conditional_t<n == 1, detail::LinearBranch<S>, detail::QuadraticBranch<S>>;
  static constexpr std::string_view name = n == 1 ? "bouc_wen_1" : "bouc_wen_2";
  static constexpr std::string_view title = n == 1 ? "Bouc-Wen, n = 1" : "Bouc-Wen, n = 2";
  static constexpr bool masing = false;

  S stiffness;  ///< A [N/m]
  S alpha;
  S beta;
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<WholeBoucWen>, 4> parameters() {
    const auto r = detail::bouc_wen_rows<WholeBoucWen>();
    return {{r[0], r[1], r[2], post_slip_row<WholeBoucWen>()}};
  }
  [[nodiscard]] Branch branch(const S& c) const { return {stiffness, c}; }
  [[nodiscard]] Curve<S> curve(const S& x) const { return detail::bouc_wen_curve(*this, x); }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    return detail::bouc_wen_evaluate(*this, s, u);
  }
  Response<S> advance(State& s, const S& u) const { return detail::bouc_wen_advance(*this, s, u); }
  [[nodiscard]] std::optional<std::string> conflict() const { return detail::bouc_wen_conflict(*this); }

  template <class T>
  [[nodiscard]] WholeBoucWen<T, n> cast() const {
    return {convert<T>(stiffness), convert<T>(alpha), convert<T>(beta), convert<T>(post_slip_stiffness)};
  }
};
template <class S>
using BoucWen1 = WholeBoucWen<S, 1>;
template <class S>
using BoucWen2 = WholeBoucWen<S, 2>;
static_assert(FrictionLaw<BoucWen1<double>> && HasCurve<BoucWen1<double>>);
static_assert(FrictionLaw<BoucWen2<double>> && HasCurve<BoucWen2<double>>);

}  // namespace microslip
