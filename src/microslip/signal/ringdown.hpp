#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <microslip/core/backbone.hpp>
#include <microslip/core/record.hpp>
#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/decay_window.hpp>
#include <microslip/signal/sensors.hpp>

namespace microslip::signal {

enum class RingdownMethod { both, hilbert, pff };
/// How sensors become one modal coordinate where shapes are given.
enum class Combination { average, modal_filter };
/// How a decay becomes energy per cycle: with the E'(A) of the measured frequency curve, or by the paper's formula.
enum class Properties { energy, paper };

struct ModeRequest {
  double frequency_hz = 0;   ///< near the mode
  std::optional<Band> band;  ///< chosen from the spectrum where empty
};

struct RingdownOptions {
  std::vector<ModeRequest> modes;
  std::vector<std::string> channels;  ///< by name; empty: every channel that is not a force
  std::optional<Quantity> quantity;   ///< what the channels measure, where the file does not say
  std::optional<Shapes> shapes;
  Combination combination = Combination::average;
  AveragingRule averaging;
  RingdownMethod method = RingdownMethod::both;
  Properties properties = Properties::energy;
  bool filter = true;  ///< false: the record is taken as one mode alone
  int filter_order = 4;
  std::optional<int> degree;  ///< of the polynomials; by cross-validation where empty
  double noise_factor = 5;    ///< the decay is used down to this many times its noise
  std::int64_t n_points = 200;
  double damping_tolerance = 0.03;    ///< estimators that differ by more, relatively, are flagged
  double frequency_tolerance = 1e-3;  ///< the same for frequency
};

/// What one method makes of a decay, at the times of the result. Not a number outside its reach.
struct Estimate {
  std::vector<double> amplitude, frequency_hz, damping_ratio, dissipation;
};

struct ChannelResult {
  std::string name;
  bool used = false;
  std::string reason;  ///< why it was not
  double shape = 0;    ///< relative to the coordinate
  Estimate estimate;   ///< of the channel alone, amplitude its own
};

/// Frequency and damping of one mode along its decay. Definitions: docs/theory/ringdown.md.
struct ModeRingdown {
  double requested_hz = 0;
  double low_amplitude_frequency_hz = 0;
  std::string coordinate;  ///< "modal" (mass-normalised) or the name of the reference sensor
  Quantity quantity = Quantity::unknown;
  std::optional<Band> band;
  std::vector<double> time, amplitude, velocity_amplitude, acceleration_amplitude;
  std::vector<double> frequency_hz, damping_ratio, dissipation;
  std::vector<double> frequency_band, damping_band;  ///< half-widths, 95 %: docs/theory/ringdown.md
  std::vector<double> residual;                      ///< |eq. 27| / omega_n^2: how far the decay is from slow change
  std::vector<std::string> flag;
  std::optional<Estimate> hilbert, pff;
  std::vector<std::string> channels_used;
  std::vector<ChannelResult> channels;
  DecayWindow window;
  /// The middle of the blow that the decay comes from, by its phase [s from the first sample]; not a number where it
  /// cannot be told.
  double blow = 0;
  double damping_bias = 0;  ///< largest bias of filter and transform on damping_ratio, removed from hilbert
  int amplitude_degree = 0, phase_degree = 0;
  std::vector<std::string> notes;

  [[nodiscard]] Backbone backbone() const;
};

struct RingdownResult {
  std::vector<ModeRingdown> modes;
  std::vector<std::string> notes;
};

/// Record -> measured backbones. Refused: records without a decay (steady, swept, below noise), too short for the band.
RingdownResult measure_backbone(const Record& record, const RingdownOptions& options);

}  // namespace microslip::signal
