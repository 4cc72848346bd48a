#pragma once

#include <functional>
#include <numbers>
#include <span>
#include <vector>

namespace microslip::signal {

/// Energy lost per cycle from a decay. Peaks decay with the stored energy,
///   dA/dt = -D(A) omega / (2 pi E'(A)),  hence  D = 2 pi zeta A E'(A)                                      (1)
/// with dA/dt = -zeta omega A and E(A) the energy stored at a peak of amplitude A, per unit mass. [Deaner2015, Eq. 30],
/// which lacks a minus sign, is (1) with E' = omega^2 A, the linear oscillator's: right where stiffness does not
/// change.
inline double dissipation(double amplitude, double damping_ratio, double energy_slope) {
  return 2 * std::numbers::pi * damping_ratio * amplitude * energy_slope;
}

/// E'(A) = omega^2 A: the first iterate.
inline double linear_energy_slope(double amplitude, double frequency_hz) {
  const double omega = 2 * std::numbers::pi * frequency_hz;
  return omega * omega * amplitude;
}

/// E'(A) = A dF/dA of a joint that obeys Masing's rules, F = omega^2(A) A its force at the peak:
///   E' = omega^2 A (1 + 2 dln(omega)/dlnA)                                                                 (2)
/// so that a measured frequency curve converts its own decay, before any law is fitted.
inline double masing_energy_slope(double amplitude, double frequency_hz, double dlnf_dlna) {
  return linear_energy_slope(amplitude, frequency_hz) * (1 + 2 * dlnf_dlna);
}

/// (1) along a curve, with the E'(A) of a law.
inline std::vector<double> dissipation(std::span<const double> amplitude, std::span<const double> damping_ratio,
                                       const std::function<double(double)>& energy_slope) {
  std::vector<double> d;
  for (std::size_t i = 0; i < amplitude.size(); ++i)
    d.push_back(dissipation(amplitude[i], damping_ratio[i], energy_slope(amplitude[i])));
  return d;
}

}  // namespace microslip::signal
