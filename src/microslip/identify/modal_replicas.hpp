#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/identify/modal_iwan.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip {

/// How a decay was recorded and read, so that one of a model can be made alike.
struct DecaySetup {
  double sampling_rate_hz = 0;
  std::size_t n_samples = 0;
  double onset = 0;  ///< from the first sample [s]
  double noise = 0;  ///< amplitude in the band, in the measured quantity
  Quantity quantity = Quantity::velocity;
  std::optional<signal::Band> band;
  int filter_order = 4;
  double noise_factor = 5;
  bool pff = false;  ///< read by peak fitting, not by the Hilbert transform
};

/// Frequency and damping of one mode along one decay, as `ringdown` measured them.
struct MeasuredDecay {
  std::string source;
  std::vector<double> time, amplitude, frequency_hz, damping_ratio;  ///< time from the first sample
  std::vector<double> frequency_band, damping_band;                  ///< half-widths, 95 %
  std::vector<std::string> flag;
  std::optional<DecaySetup> setup;

  [[nodiscard]] std::size_t size() const { return amplitude.size(); }
};

/// What `ringdown` made of a record, ready to be fitted.
MeasuredDecay measured_decay(const signal::ModeRingdown& mode, const Record& record,
                             const signal::RingdownOptions& options);

/// Decays of a model, recorded and read as a measured one was: each with other noise.
class DecayReplicas {
 public:
  /// Starts so that the amplitude at `time` is `amplitude`. Sampled no faster than the band needs, which changes
  /// nothing in the band and saves time. `noise_deviation` 0: found by reading noise of a known deviation.
  DecayReplicas(const DecaySetup& setup, const ModalIwan& model, double time, double amplitude,
                double noise_deviation = 0);

  struct Curves {
    std::vector<double> frequency_hz, damping_ratio;  ///< not a number outside what the replica covers
  };
  /// At the given amplitudes.
  [[nodiscard]] Curves operator()(const std::vector<double>& amplitudes, std::uint64_t seed) const;
  /// The record itself, without noise.
  [[nodiscard]] const std::vector<double>& samples() const { return clean_; }
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
