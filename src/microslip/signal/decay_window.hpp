#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/signal/band_signal.hpp>

namespace microslip::signal {

/// Where in a record one mode rings freely, all times in seconds from the first sample.
struct DecayWindow {
  enum class Start { impact, release };

  Start kind = Start::impact;
  double onset = 0;  ///< the hit, or the end of a steady excitation
  double end = 0;    ///< where the signal sinks into its noise, rises again, or the record ends
  double noise = 0;  ///< amplitude of the noise in the band
  double peak = 0;   ///< largest amplitude in the band
  std::vector<std::string> notes;
};

/// `resolution` is the time that the filter blurs [s]: 1/bandwidth, or a period where there is no filter.
/// `noise_factor`: the decay ends where its envelope falls below this many times the noise. `start_time` is the first
/// sample's on the record's clock, by which notes tell times.
DecayWindow find_decay(const BandSignal& band, std::span<const double> samples, double sampling_rate_hz,
                       double resolution, double noise_factor = 5, double start_time = 0);

/// Amplitude of the noise on a signal that is locally an exponential V: the scatter of V(t) about
/// sqrt(V(t - lag) V(t + lag)), over the last third, where the decay has left the most room to see it.
double noise_amplitude(std::span<const Complex> values, std::size_t lag);

}  // namespace microslip::signal
