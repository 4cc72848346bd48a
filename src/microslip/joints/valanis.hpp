#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <microslip/joints/log_tail.hpp>
#include <microslip/joints/masing.hpp>
#include <microslip/joints/parameter.hpp>
#include <microslip/joints/point_state.hpp>

namespace microslip {

namespace detail {

/// x > 0 with x + ln x = L (Wright's omega function), by the fourth-order iteration of Fritsch, Shafer and Crowley.
inline double wright_omega(double L) {
  if (L < -36) return std::exp(L);
  double x = L > 1 ? L - std::log(L) : (L < -1.5 ? std::exp(L) : 0.5671432904097838 + 0.3618962566348892 * L);
  for (int i = 0; i < 8; ++i) {
    const double r = L - x - std::log(x), y = 1 + x, t = 2 * y * (y + 2 * r / 3);
    const double step = r / y * (t - r) / (t - 2 * r);
    x *= 1 + step;
    if (std::abs(step) < 1e-4) break;  // fourth order: the next step would be below round-off
  }
  return x;
}

}  // namespace detail

/// Valanis' endochronic law [Porter2022, Eq. 16], without an ODE solver. With f = E_t u + h, sgn = sgn(u'),
/// a = E_0 - E_t, b = E_0 - kappa E_t, e = E_0 (1 - kappa), the distance w from the slip line obeys
///   w = a - sgn b lambda h / E_0,   dh/du = b w / (e + kappa w)                                  (1)
///   kappa (w_0 - w) + e ln(w_0/w) = T,   T = lambda b^2 |u - u_0| / E_0                          (2)
/// and Eq. (2) is Wright's omega function. Stored energy E_t u^2/2 + h^2/(2a); the loss of a move is
///   E_0^2 e / (lambda^2 b^3 a) int_w^w0 (x - a)^2/x dx  >= 0.                                     (3)
/// Not a Masing law; from kappa = 0 (exponential) to kappa = 1 (bilinear). Derivation: docs/theory/valanis.md.
template <class S>
struct Valanis {
  using Scalar = S;
  using State = PointState<S>;  ///< f holds h, the force without E_t u
  static constexpr std::string_view name = "valanis";
  static constexpr std::string_view title = "Valanis (endochronic)";
  static constexpr bool masing = false;

  S stiffness;            ///< E_0 [N/m], total
  S lambda;               ///< [1/m]
  S kappa;                ///< 0 smooth ... 1 bilinear
  S post_slip_stiffness;  ///< E_t [N/m]

  static constexpr std::array<Parameter<Valanis>, 4> parameters() {
    return {{{"stiffness", "E_0", "N/m", "initial stiffness, post-slip stiffness included",
              above_zero("a joint without stiffness is no joint"), 1e7, true, &Valanis::stiffness},
             {"lambda", "lambda", "1/m", "inverse length that sets the slip force, E_0/(lambda (1 - kappa E_t/E_0))",
              above_zero("the joint would never slip"), 1e4, true, &Valanis::lambda},
             {"kappa",
              "kappa",
              "1",
              "sharpness of the knee: 0 exponential, 1 bilinear",
              {0, 1, false, false, "outside, the slope does not fall from E_0 to E_t"},
              0.5,
              true,
              &Valanis::kappa},
             {"post_slip_stiffness", "E_t", "N/m", "stiffness left in slip, below E_0",
              from_zero("a negative spring would make the joint unstable"), 1e6, true, &Valanis::post_slip_stiffness}}};
  }

  [[nodiscard]] std::optional<std::string> conflict() const {
    const double e_0 = value_of(stiffness), e_t = value_of(post_slip_stiffness);
    if (e_t < e_0) return std::nullopt;
    return fmt::format("post_slip_stiffness must be below stiffness = {}, got {}: nothing would slip", e_0, e_t);
  }

  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    return beside_spring(hysteretic(s, u), post_slip_stiffness, u);
  }
  Response<S> advance(State& s, const S& u) const {
    const Response<S> r = hysteretic(s, u);
    s = {u, r.force};
    return beside_spring(r, post_slip_stiffness, u);
  }

  /// First loading of h; loss is that of the Masing loop, 2 int h - x h = 2 lost - h (x - h/a).
  [[nodiscard]] Curve<S> curve(const S& x) const {
    const S e = stiffness * (S(1) - kappa), a = stiffness - post_slip_stiffness;
    const S b = stiffness - kappa * post_slip_stiffness;
    const Response<S> r = hysteretic({}, x);
    const S d = -r.force * b * lambda / (stiffness * a);  // w/a - 1
    const S excess =
        d > S(-0.5) ? stiffness * e / (lambda * b * b) * d * d * detail::log_tails(S(-d))[1] : x - r.force / a;
    return {r.force, r.tangent, S(2) * r.dissipated - r.force * excess};
  }

  template <class T>
  [[nodiscard]] Valanis<T> cast() const {
    return {convert<T>(stiffness), convert<T>(lambda), convert<T>(kappa), convert<T>(post_slip_stiffness)};
  }

 private:
  /// Where a move ends, and how far it went: w loses the digits of a small move, w_0 - w those of w near zero.
  struct End {
    S w, fall;   ///< w and w_0 - w
    bool small;  ///< fall has all its digits, and is at most a quarter of w_0
  };

  [[nodiscard]] Response<S> hysteretic(const State& s, const S& u) const {
    using std::abs;
    const S& e_0 = stiffness;
    const S a = e_0 - post_slip_stiffness, b = e_0 - kappa * post_slip_stiffness, e = e_0 * (S(1) - kappa);
    const S sign(u < s.u ? -1.0 : 1.0);
    const S per_force = b * lambda / e_0;
    const S w_0 = a - sign * per_force * s.f;
    const S T = lambda * b * b * abs(u - s.u) / e_0;
    const auto [w, fall, small] = approach(w_0, T, e);
    const S force = small ? s.f + sign * fall / per_force : sign * (a - w) / per_force;
    const S bottom = e + kappa * w;
    const S tangent = bottom > S(0) ? b * w / bottom : S(0);
    const S scale = S(1) / (per_force * per_force * b);
    const S d_0 = -sign * per_force * s.f / a, d = -sign * per_force * force / a;  // w/a - 1
    S lost(0);
    if (d > S(-0.5) && d_0 < S(0.5)) {
      const auto m = [](const S& x) { return x * x * x * detail::log_tails(S(-x))[2]; };  // int (y-1)^2/y dy
      lost = scale * e * a * (m(d_0) - m(d));
    } else {  // e ln(w_0/w) from Eq. (2): good down to w = 0
      lost = scale / a * (e * (S(0.5) * (w_0 + w) - S(2) * a) * fall + a * a * (T - kappa * fall));
    }
    return {force, tangent, lost < S(0) ? S(0) : lost};  // 0 by kappa = 1 keeps its derivative
  }

  /// After T, Eq. (2).
  [[nodiscard]] End approach(const S& w_0, const S& T, const S& e) const {
    if (!(w_0 > S(0))) return {w_0, S(0), true};
    const S steep = kappa * w_0 + e;
    const S t = T / steep;
    if (t < S(0.25)) {
      const S fall = w_0 * small_fall(t, S(e / steep));
      return {w_0 - fall, fall, true};
    }
    const S w = after_large_move(w_0, T, e);
    return {w, w_0 - w, false};
  }

  /// x = 1 - w/w_0 with (1 - s) x - s ln(1 - x) = t, for 0 <= t < 1/4: three terms of the series leave 0.04 t^4, and
  /// one step of the iteration of `wright_omega`, in x, at most 1e-16 of it.
  static S small_fall(const S& t, const S& s) {
    const double v = value_of(t), c = value_of(s);
    const double start = v * (1 + v * c * (-0.5 + v * (0.5 * c - 1.0 / 3)));
    const double r = (1 - c) * start - c * std::log1p(-start) - v, y = 1 - (1 - c) * start, z = 2 * y * (y + 2 * r / 3);
    const double x = start - (1 - start) * r / y * (z - c * r) / (z - 2 * c * r);
    if constexpr (std::same_as<S, double>) {
      return x;
    } else {
      // One Newton step in duals from the root carries the derivatives (implicit differentiation).
      const S residual = (S(1) - s) * S(x) - s * S(std::log1p(-x)) - t;
      return S(x) - residual * S((1 - x) / (1 - (1 - c) * x));
    }
  }

  /// w by Eq. (2): elementary at both ends of kappa's range, Wright's omega function between them.
  static double end_of_large_move(double kappa, double w_0, double T, double e) {
    if (kappa == 0) return w_0 * std::exp(-T / e);
    if (e == 0) return T < w_0 ? w_0 - T : 0;
    const double c = e / kappa;
    return c * detail::wright_omega(std::log(w_0 / c) + w_0 / c - T / e);
  }

  [[nodiscard]] S after_large_move(const S& w_0, const S& T, const S& e) const {
    using std::log;
    const double w = end_of_large_move(value_of(kappa), value_of(w_0), value_of(T), value_of(e));
    if constexpr (std::same_as<S, double>) {
      return w;
    } else {
      if (!(w > 0)) return S(0);
      const S residual = kappa * (w_0 - S(w)) + e * log(w_0 / S(w)) - T;  // as above
      return S(w) + residual * S(w / (value_of(kappa) * w + value_of(e)));
    }
  }
};
static_assert(FrictionLaw<Valanis<double>> && HasCurve<Valanis<double>>);

}  // namespace microslip
