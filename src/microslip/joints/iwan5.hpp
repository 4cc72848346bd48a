#pragma once

#include <array>
#include <cmath>

#include <microslip/joints/iwan4.hpp>

namespace microslip {

/// Five-parameter Iwan model: sliders that drop to theta of their strength once they slip [Porter2022, Eq. 9].
///   f(x) = K_T x + K_T (chi+1)/(1+beta) (theta/(chi+2) - 1/(chi+1)) x r^(1+chi),  r = x/phi_max < 1     (1)
///   f(x) = theta F_S  for r >= 1: the force drops by (1-theta) K_T phi_max beta/(1+beta)                 (2)
/// with phi_max as for iwan4 [Eq. 8]. History follows Masing's rules by definition, so theta = 1 is iwan4; for
/// theta < 1 no slider model is claimed to converge to it. G = 2 int f - x f jumps with the force at phi_max.
/// Derivation: docs/theory/iwan5.md.
template <class S>
struct Iwan5 {
  using Scalar = S;
  using State = MasingState<S>;
  static constexpr std::string_view name = "iwan5";
  static constexpr std::string_view title = "Five-parameter Iwan";
  static constexpr bool masing = true;

  S slip_force;  ///< F_S [N]: the force that starts macro-slip would be F_S for theta = 1
  S stiffness;   ///< K_T [N/m]
  S chi;
  S beta;
  S theta;                   ///< kinetic over static slip force
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<Iwan5>, 6> parameters() {
    const auto r = detail::iwan_rows<Iwan5>();
    const Parameter<Iwan5> theta_row{"theta",
                                     "theta",
                                     "1",
                                     "force of a slipping slider over the force that starts it",
                                     {0, 1, false, false, "a slider cannot gain strength by slipping"},
                                     0.8,
                                     true,
                                     &Iwan5::theta};
    return {{r[0], r[1], r[2], r[3], theta_row, post_slip_row<Iwan5>()}};
  }

  [[nodiscard]] S phi_max() const { return detail::iwan_phi_max(*this); }

  /// Where first loading, its post-slip spring included, stops growing: at phi_max (just below it, for the force drops
  /// there), or before it where beta < (1 + chi) (1 - theta).
  [[nodiscard]] S end_of_growth() const {
    using std::pow;
    const S steepness = chi + S(2) - theta * (chi + S(1));
    const S rest = (S(1) + post_slip_stiffness / stiffness) * (S(1) + beta) / steepness;
    const S r(1 - 1e-15);
    return phi_max() * (rest < S(1) ? std::min(S(pow(rest, S(1) / (chi + S(1)))), r) : r);
  }

  [[nodiscard]] Curve<S> curve(const S& x) const {
    using std::pow;
    const S& kt = stiffness;
    const S one_chi = chi + S(1), one_beta = beta + S(1), two_chi = chi + S(2), three_chi = chi + S(3);
    // As in iwan4: divisions that do not wait for each other.
    const S strength = slip_force * one_beta * two_chi, carried = kt * (beta * two_chi + one_chi);
    const S pm = strength / carried, inverse = carried / strength, scale = S(1) / (one_beta * two_chi * three_chi);
    const S softening = (two_chi - theta * one_chi) * scale;  // 1 - theta (1+chi)/(2+chi), over (1+beta)(3+chi)
    if (x >= pm) {
      // Work up to phi_max on (1), then at constant force.
      const S work = kt * pm * pm * (S(0.5) - softening) + theta * slip_force * (x - pm);
      return {.force = theta * slip_force, .tangent = S(0), .loss = S(2) * work - x * theta * slip_force};
    }
    const S p = pow(x * inverse, one_chi) * softening;
    return {.force = kt * x * (S(1) - p * three_chi),
            .tangent = kt * (S(1) - p * two_chi * three_chi),
            .loss = kt * x * x * p * one_chi};
  }

  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const { return masing_evaluate(*this, s, u); }
  Response<S> advance(State& s, const S& u) const { return masing_advance(*this, s, u); }

  template <class T>
  [[nodiscard]] Iwan5<T> cast() const {
    return {convert<T>(slip_force), convert<T>(stiffness), convert<T>(chi),
            convert<T>(beta),       convert<T>(theta),     convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<Iwan5<double>> && HasCurve<Iwan5<double>>);

}  // namespace microslip
