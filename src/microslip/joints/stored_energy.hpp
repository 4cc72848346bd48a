#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>

#include <microslip/core/dual.hpp>
#include <microslip/joints/friction_law.hpp>
#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/point_state.hpp>

namespace microslip {

namespace detail {

template <class Law>
concept TellsItsEnergy = requires(const Law law, const typename Law::State s) {
  { law.stored(s) } -> std::same_as<typename Law::Scalar>;
};
/// A spring behind one slider.
template <class Law>
concept HasOneSlider = std::same_as<typename Law::State, typename Jenkins<typename Law::Scalar>::State>;
/// Masing's rules with a stack of reversals, and the loss G(x) of the monotonic curve.
template <class Law>
concept HasReversals = requires(const Law law, const typename Law::State s, typename Law::Scalar x) {
  s.reversals;
  law.curve(x).loss;
};

}  // namespace detail

/// Laws whose stored energy is known.
template <class Law>
concept StoresEnergy = FrictionLaw<Law> &&
    (detail::TellsItsEnergy<Law> || detail::HasOneSlider<Law> || detail::HasReversals<Law> || ShakesDown<Law>);

/// Energy that a law in state s at displacement u has stored: work done on it since it was new, less its losses.
/// Masing: first loading stores (x f - G)/2; along a branch, work f_r du + 2(G + xi F) less the loss 2 G leaves
/// (f_r + f) du/2, the trapezoid of its ends, whatever the curve. Rate form: f^2/(2a), a the first loading's slope.
template <StoresEnergy Law>
typename Law::Scalar stored_energy(const Law& law, const typename Law::State& s, const typename Law::Scalar& u) {
  using S = typename Law::Scalar;
  using std::abs;
  S energy(0);
  if constexpr (detail::TellsItsEnergy<Law>) {
    return law.stored(s);
  } else if constexpr (detail::HasOneSlider<Law>) {
    const S stretch = Jenkins<S>::stretch(s, u);
    energy = S(0.5) * law.stiffness * stretch * stretch;
  } else if constexpr (ShakesDown<Law>) {
    const S a = law.evaluate({}, S(0)).tangent - law.post_slip_stiffness;
    energy = S(0.5) * s.f * s.f / a;
  } else {
    const bool virgin = s.reversals.empty();
    S u_r = virgin ? s.u : s.reversals.front().u, f_r = virgin ? s.f : s.reversals.front().f;
    energy = S(0.5) * (u_r * f_r - law.curve(abs(u_r)).loss);
    if (!virgin) {
      for (std::size_t i = 1; i <= s.reversals.size(); ++i) {
        const bool last = i == s.reversals.size();
        const S u_i = last ? s.u : s.reversals[i].u, f_i = last ? s.f : s.reversals[i].f;
        energy += S(0.5) * (f_r + f_i) * (u_i - u_r);
        u_r = u_i;
        f_r = f_i;
      }
    }
  }
  if constexpr (requires { law.post_slip_stiffness; }) energy += S(0.5) * law.post_slip_stiffness * u * u;
  return energy;
}

}  // namespace microslip
