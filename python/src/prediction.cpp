#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <microslip/verbs/predict.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

py::dict zefft_dict(const Prediction& p) {
  py::list measured, predicted;
  for (const auto& spectrum : p.measured_zefft.spectra) measured.append(to_array(spectrum));
  for (const auto& spectrum : p.predicted_zefft.spectra) predicted.append(to_array(spectrum));
  return py::dict("frequency_hz"_a = to_array(p.measured_zefft.frequency_hz),
                  "zeroed_until"_a = to_array(p.measured_zefft.zeroed_until), "measured"_a = measured,
                  "predicted"_a = predicted, "error"_a = to_array(p.zefft_error));
}

py::dict predict(const std::filesystem::path& model, const std::filesystem::path& record,
                 const std::optional<std::filesystem::path>& shapes, const std::string& hit,
                 const std::optional<std::pair<double, double>>& band, const std::string& channel,
                 const std::vector<double>& times, bool whole_force) {
  verbs::PredictOptions options;
  options.model = model;
  options.record = record;
  if (shapes) options.shapes = *shapes;
  options.comparing.hit = hit;
  if (band) options.comparing.band = signal::Band{band->first, band->second};
  options.comparing.channel = channel;
  options.comparing.zefft_times = times;
  options.comparing.window_force = !whole_force;
  const verbs::PredictResult result =
      interruptible([&](const Progress& progress) { return verbs::run_predict(options, progress); });
  const Prediction& p = result.prediction;
  py::list modes, channels;
  for (const PredictedMode& mode : p.modes)
    modes.append(py::dict("frequency_hz"_a = mode.frequency_hz, "peak"_a = mode.peak, "error"_a = mode.error));
  for (const PredictedChannel& c : p.channels)
    channels.append(py::dict("name"_a = c.name, "error"_a = c.error, "measured"_a = to_array(c.measured),
                             "predicted"_a = to_array(c.predicted)));
  return versioned(py::dict("error"_a = p.error, "band_hz"_a = py::make_tuple(p.band.lower_hz, p.band.upper_hz),
                            "time"_a = to_array(p.time), "force"_a = to_array(p.force), "modes"_a = modes,
                            "channels"_a = channels, "zefft_channel"_a = p.channels[p.strongest].name,
                            "zefft"_a = zefft_dict(p), "notes"_a = p.notes));
}

}  // namespace

void bind_prediction(py::module_& m) {
  m.def(
      "predict", &predict, "model"_a, "record"_a, "shapes"_a = py::none(), "hit"_a = "", "band"_a = py::none(),
      "channel"_a = "", "times"_a = std::vector<double>{}, "whole_force"_a = false,
      "Identified modes under a measured force beside the measured response, as `microslip predict` gives it: `error` "
      "is the root mean square of the difference over all sensors and times, over that of the measurement.");
}

}  // namespace microslip::python
