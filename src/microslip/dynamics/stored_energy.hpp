#pragma once

#include <cmath>

#include <microslip/joints/bouc_wen.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>
#include <microslip/joints/iwan4.hpp>
#include <microslip/joints/iwan5.hpp>
#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/valanis.hpp>

namespace microslip {

namespace detail {

/// Energy in the springs of a Masing law. The work along a branch less its loss is the trapezium under its chord,
///   (u - u_r) f_r + 4 int_0^x F - 2 G(x) = (u - u_r)(f + f_r)/2,   x = |u - u_r|/2,
/// because G = 2 int F - x F; on first loading it is (x F - G)/2. So the chords through the unclosed reversals, less
/// half the loss of first loading up to the first of them, hold it all.
template <class Law>
double masing_energy(const Law& law, const MasingState<double>& s) {
  double u = 0, f = 0, energy = 0;
  const auto chord = [&](double u_1, double f_1) {
    energy += 0.5 * (u_1 - u) * (f_1 + f);
    u = u_1, f = f_1;
  };
  const double first = s.reversals.empty() ? s.u : s.reversals.front().u;
  for (const auto& reversal : s.reversals) chord(reversal.u, reversal.f);
  chord(s.u, s.f);
  return energy - 0.5 * law.curve(std::abs(first)).loss;
}

}  // namespace detail

/// Energy that a law's springs hold at displacement u in state s, its post-slip spring included: what the work done
/// on it has not lost. A function of the state alone, in closed form; the ledger of a simulation rests on it.
template <class Law>
double stored_energy(const Law& law, const typename Law::State& s, double u) {
  const double spring = 0.5 * law.post_slip_stiffness * u * u;
  if constexpr (std::same_as<typename Law::State, MasingState<double>>) {
    return spring + detail::masing_energy(law, s);
  } else if constexpr (std::same_as<Law, Valanis<double>>) {
    return spring + 0.5 * s.f * s.f / (law.stiffness - law.post_slip_stiffness);
  } else if constexpr (std::same_as<Law, ElasticDryFriction<double>>) {
    const double stretch = u - s.reference;  // its post-slip spring moves where contact is lost and found
    return 0.5 * s.slider * s.slider / law.stiffness + 0.5 * law.post_slip_stiffness * stretch * stretch;
  } else if constexpr (std::same_as<typename Law::State, PointState<double>>) {
    return spring + 0.5 * s.f * s.f / law.stiffness;  // Bouc-Wen
  } else {
    return spring + 0.5 * law.stiffness * (u - s.w) * (u - s.w);  // a slider and its spring
  }
}

}  // namespace microslip
