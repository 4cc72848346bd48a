#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/structure/modal_model.hpp>

namespace microslip::two_beam {

// The two-beam structure of Deaner et al. (2015) at a bolt torque of 3.39 N m, made anew: SYNTHETIC, not measured.
// The paper prints modal parameters and hammer forces; beam theory gives the shapes; pulse, hit point, noise and
// sampling are ours, chosen so that amplitudes span r = q/phi_max of about 0.05 to 2 over the levels. The force channel
// shows the pulse through an anti-alias filter, flat up to a quarter of the sampling rate, as a recorder would: the
// blow is shorter than a sample, so its recorded peak is lower than the table's, its impulse is not.

constexpr double length = 0.508;                               ///< [m]
constexpr double mass = 2 * 8000 * length * 0.0508 * 0.00635;  ///< of two bars of stainless steel [kg]
constexpr int n_sensors = 70;                                  ///< from one end to the other, equally spaced
constexpr int hit = 25;                                        ///< sensor at the hammer, from 1: near a node of mode 3
constexpr double pulse_duration = 0.3e-3;                      ///< of the haversine pulse [s]: a hard tip
constexpr double pulse_start = 0.02;                           ///< [s]
constexpr double sampling_rate_hz = 3200;
constexpr std::size_t n_samples = 8192;
constexpr double relative_noise = 1e-3;  ///< of each record's largest value: -60 dB

struct HammerLevel {
  std::string name;
  double force;  ///< peak [N]: [Deaner2015, Table 4]
};
const std::array<HammerLevel, 5>& hammer_levels();

/// Three modes of [Deaner2015, Table 6], mass-normalised bending shapes of a free-free uniform beam at the sensors
/// p01 ... p70, and load_shape that at the hit. Mode 1 has C = 1.505, which its printed damping ratio means.
ModalModel model();

/// Velocity at the sensors and the force as recorded, without noise. `n` samples from time 0.
Record clean_record(const HammerLevel& level, std::size_t n = n_samples);
/// With Gaussian noise, then rounded to a power of two just below the noise, as a digitiser does.
Record record(const HammerLevel& level, std::uint64_t seed, std::size_t n = n_samples);

}  // namespace microslip::two_beam
