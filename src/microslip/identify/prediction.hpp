#pragma once

#include <optional>
#include <string>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/core/record.hpp>
#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/zefft.hpp>
#include <microslip/structure/modal_model.hpp>

namespace microslip {

struct PredictionOptions {
  std::optional<signal::Band> band;  ///< of the comparison; empty: from 0.4 of the lowest mode to 1.3 of the highest
  std::string force_channel;         ///< by name; empty: the only channel that is a force
  std::string hit;                   ///< sensor at the hammer, whose shape scales the force; empty: load_shape as given
  bool window_force = true;          ///< what the force channel reads outside its pulse is noise, and left out
  std::string channel;               ///< whose spectra are compared; empty: the strongest
  std::vector<double> zefft_times;   ///< on the record's clock [s]; empty: five after the pulse
};

/// A sensor as measured and as predicted, both in the band.
struct PredictedChannel {
  std::string name;
  std::vector<double> measured, predicted;
  double error;  ///< rms(predicted - measured) / rms(measured), over the record; NaN where nothing is measured
};

/// A mode's part in the comparison.
struct PredictedMode {
  double frequency_hz;  ///< at vanishing amplitude
  double peak;          ///< largest modal amplitude after the pulse; NaN where the force never ends
  double error;  ///< of the spectra's magnitudes over all sensors, within 10 % of the mode's frequency, relative rms
};

/// The modes driven by the measured force, summed at the sensors, beside the measurement [Deaner2015, section 7].
struct Prediction {
  double error = 0;  ///< rms over all sensors and times of the difference, over that of the measurement
  signal::Band band;
  Quantity quantity = Quantity::unknown;
  double sampling_rate_hz = 0;
  double pulse_from = 0, pulse_to = 0;  ///< [s], as all times on the record's clock
  double peak_force = 0;
  std::vector<double> time, force;  ///< the force as applied
  std::vector<PredictedChannel> channels;
  std::vector<PredictedMode> modes;
  std::size_t strongest = 0;                      ///< channel of the spectra: the named one, or the strongest
  signal::Zefft measured_zefft, predicted_zefft;  ///< the whole record first
  std::vector<double> zefft_error;  ///< per spectrum: rms of the difference of magnitudes in the band, relative
  std::vector<std::string> notes;
};

/// Refused: a record without force, a model without shapes, sensors that the record does not have, different
/// quantities or none that is known.
Prediction predict(const ModalModel& model, const Record& record, const PredictionOptions& options = {},
                   const Progress& progress = {});

}  // namespace microslip
