#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <microslip/identify/measured_decay.hpp>
#include <microslip/identify/modal_iwan.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip {

/// How many samples a replica of such a decay has: it is sampled no faster than its band and its blow need.
std::size_t replica_samples(const DecaySetup& setup);

/// Decays of a model, recorded and read as a measured one was: each with other noise.
class DecayReplicas {
 public:
  /// Starts so that the amplitude at `time` is `amplitude`. Sampled no faster than band and blow need, which changes
  /// next to nothing in the band and saves time. `noise_deviation` 0: found by reading noise of a known deviation.
  DecayReplicas(const DecaySetup& setup, const ModalIwan& model, double time, double amplitude,
                double noise_deviation = 0);

  struct Curves {
    std::vector<double> frequency_hz, damping_ratio;  ///< not a number outside what the replica covers
  };
  /// At the given amplitudes.
  [[nodiscard]] Curves operator()(const std::vector<double>& amplitudes, std::uint64_t seed) const;
  /// Standard deviation of the white noise that has the measured amplitude in the band.
  [[nodiscard]] double noise_deviation() const { return deviation_; }

 private:
  [[nodiscard]] signal::ModeRingdown read(double deviation, std::uint64_t seed) const;

  DecaySetup setup_;
  double frequency_hz_ = 0;
  std::vector<double> clean_;
  double deviation_ = 0;
};

}  // namespace microslip
