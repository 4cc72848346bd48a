#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/signal/band_signal.hpp>
#include <microslip/signal/ringdown.hpp>
#include <microslip/signal/sensors.hpp>

namespace microslip::signal {

/// The sensors of a record seen as one modal coordinate.
struct CombinedSensors {
  std::string coordinate;
  std::vector<const Channel*> channels;
  std::vector<double> offsets;    ///< per channel: its static offset; 0 where nothing is filtered
  std::vector<BandSignal> bands;  ///< per channel: its analytic signal in the mode's band
  std::vector<double> shape;      ///< per channel: amplitude over that of the coordinate
  SensorWeights weights;
  std::vector<double> samples;  ///< sum of weight * (signal - its offset)
  BandSignal band;              ///< the same sum of bands
};

/// The static offset of signals of one length: their mean under a Hann window, which an oscillation cut at its ends
/// hardly moves.
class Offset {
 public:
  explicit Offset(std::size_t n_samples);
  [[nodiscard]] double operator()(std::span<const double> x) const;

 private:
  std::vector<double> window_;
};

/// A signal less its static offset.
std::vector<double> without_offset(std::vector<double> x);

/// One per mode. Each channel is transformed once. With shapes: average or modal filter, in modal coordinates. Without:
/// the channels' amplitudes relative to the strongest are measured in the band, and the coordinate is that sensor,
/// estimated by least squares from all channels that follow it.
std::vector<CombinedSensors> combine_sensors(const std::vector<const Channel*>& channels,
                                             const BandExtractor& extractor, const std::vector<ModeRequest>& modes,
                                             const RingdownOptions& options, const Offset& offset);

}  // namespace microslip::signal
