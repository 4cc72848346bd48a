#pragma once

#include <optional>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
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
  bool pff = false;            ///< read by peak fitting, not by the Hilbert transform
  std::optional<double> blow;  ///< middle of the blow [s]; without it the blow is an impulse at the onset
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

}  // namespace microslip
