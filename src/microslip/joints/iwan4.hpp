#pragma once

#include <array>
#include <cmath>

#include <microslip/joints/masing.hpp>
#include <microslip/joints/parameter.hpp>

namespace microslip {

/// Density of slider strengths: rho(phi) = R phi^chi on [0, phi_max), plus S delta(phi - phi_max) [Segalman2002, Eq.
/// 21].
template <class S>
struct SliderDensity {
  S R;
  S S_delta;  ///< Segalman's S, the weight of the delta function
  S phi_max;
};

namespace detail {

/// Rows that iwan4 and iwan5 share.
template <class Law>
constexpr std::array<Parameter<Law>, 4> iwan_rows() {
  return {{{"slip_force", "F_S", "N", "force at which the whole interface slips",
            above_zero("a joint that carries no force is no joint"), 1000, true, &Law::slip_force},
           {"stiffness", "K_T", "N/m", "tangential stiffness at vanishing amplitude",
            above_zero("a joint without stiffness is no joint"), 1e7, true, &Law::stiffness},
           {"chi",
            "chi",
            "1",
            "dissipation grows as amplitude to the power 3 + chi",
            {-1, 2, true, false, "at -1 and below the slider density R phi^chi cannot be integrated"},
            -0.5,
            true,
            &Law::chi},
           {"beta", "beta", "1", "share of the stiffness that is lost at once at macro-slip: S over the rest",
            from_zero("the delta function at phi_max would have negative weight"), 1, true, &Law::beta}}};
}

/// Displacement at which macro-slip begins [Segalman2002, Eq. 29].
template <class Law>
typename Law::Scalar iwan_phi_max(const Law& law) {
  using S = typename Law::Scalar;
  return law.slip_force * (law.beta + S(1)) * (law.chi + S(2)) /
         (law.stiffness * (law.beta * (law.chi + S(2)) + (law.chi + S(1))));
}

}  // namespace detail

/// Segalman's four-parameter Iwan model, without sliders [Segalman2002, Eqs. 21-33].
///   phi_max = F_S (1 + beta) / (K_T (beta + (chi+1)/(chi+2)))                                  (1) Eq. 29
///   f(x) = K_T x (1 - r^(1+chi) / ((1+beta)(2+chi))),  r = x/phi_max <= 1;  F_S beyond          (2) Eq. 33
///   G(x) = K_T x^2 r^(1+chi) (chi+1) / ((1+beta)(chi+2)(chi+3)),  a quarter of Eq. 31           (3)
///   G(x) = F_S x - K_T phi_max^2 ((chi+1)/(chi+3) + beta) / (1+beta)   for r > 1                (4)
/// History follows Masing's rules exactly (masing.hpp): the force equals that of infinitely many sliders.
/// Derivation: docs/theory/iwan4.md.
template <class S>
struct Iwan4 {
  using Scalar = S;
  using State = MasingState<S>;
  static constexpr std::string_view name = "iwan4";
  static constexpr std::string_view title = "Four-parameter Iwan (Segalman)";
  static constexpr bool masing = true;

  S slip_force;  ///< F_S [N]
  S stiffness;   ///< K_T [N/m]
  S chi;
  S beta;
  S post_slip_stiffness{0};  ///< k_p [N/m]

  static constexpr std::array<Parameter<Iwan4>, 5> parameters() {
    const auto r = detail::iwan_rows<Iwan4>();
    return {{r[0], r[1], r[2], r[3], post_slip_row<Iwan4>()}};
  }

  /// Displacement at which macro-slip begins, Eq. (1).
  [[nodiscard]] S phi_max() const { return detail::iwan_phi_max(*this); }

  /// The hysteretic part alone, without the post-slip spring.
  [[nodiscard]] Curve<S> curve(const S& x) const {
    using std::pow;
    const S& kt = stiffness;
    const S one_chi = chi + S(1), one_beta = beta + S(1), two_chi = chi + S(2), three_chi = chi + S(3);
    // phi_max and its inverse side by side, and one division for the rest: they do not wait for each other.
    const S strength = slip_force * one_beta * two_chi, carried = kt * (beta * two_chi + one_chi);
    const S pm = strength / carried, inverse = carried / strength, scale = S(1) / (one_beta * two_chi * three_chi);
    if (x >= pm) {
      const S kept = kt * pm * pm * (one_chi + beta * three_chi) * two_chi * scale;
      return {.force = slip_force, .tangent = S(0), .loss = slip_force * x - kept};
    }
    const S p = pow(x * inverse, one_chi) * scale;
    return {.force = kt * x * (S(1) - p * three_chi),
            .tangent = kt * (S(1) - p * two_chi * three_chi),
            .loss = kt * x * x * p * one_chi};
  }

  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const { return masing_evaluate(*this, s, u); }
  Response<S> advance(State& s, const S& u) const { return masing_advance(*this, s, u); }

  template <class T>
  [[nodiscard]] Iwan4<T> cast() const {
    return {convert<T>(slip_force), convert<T>(stiffness), convert<T>(chi), convert<T>(beta),
            convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<Iwan4<double>> && HasCurve<Iwan4<double>>);

/// (F_S, K_T, chi, beta) -> (R, S, phi_max) [Segalman2002, Eqs. 27-29].
template <class S>
SliderDensity<S> slider_density(const Iwan4<S>& law) {
  using std::pow;
  const S pm = law.phi_max();
  const S b = law.beta + (law.chi + S(1)) / (law.chi + S(2));
  return {.R = law.slip_force * (law.chi + S(1)) / (pow(pm, law.chi + S(2)) * b),
          .S_delta = law.slip_force * law.beta / (pm * b),
          .phi_max = pm};
}

/// (R, S, chi, phi_max) -> (F_S, K_T, chi, beta) [Segalman2002, Eqs. 24, 26, 29].
template <class S>
Iwan4<S> from_slider_density(const SliderDensity<S>& density, const S& chi) {
  using std::pow;
  const S smooth = density.R * pow(density.phi_max, chi + S(1)) / (chi + S(1));  // stiffness of the power-law sliders
  return {.slip_force = density.phi_max * (smooth * (chi + S(1)) / (chi + S(2)) + density.S_delta),
          .stiffness = smooth + density.S_delta,
          .chi = chi,
          .beta = density.S_delta / smooth};
}

}  // namespace microslip
