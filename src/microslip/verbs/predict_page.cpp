#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <microslip/report/unit_text.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/predict.hpp>

namespace microslip::verbs {

namespace {

using report::Dash;
using report::Figure;
using report::Scale;

std::vector<double> part(const std::vector<double>& x, std::size_t from, std::size_t to) {
  return {x.begin() + static_cast<std::ptrdiff_t>(from), x.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// Measured and predicted at one sensor with their difference below, over samples [from, to).
Figure time_figure(const PredictResult& result, const std::string& id, const std::string& title, std::size_t from,
                   std::size_t to) {
  const Prediction& p = result.prediction;
  const PredictedChannel& c = p.channels[p.strongest];
  const std::string quantity(to_string(p.quantity));
  Figure figure{.id = id,
                .title = fmt::format("{}, sensor {}", title, c.name),
                .x = {.title = "time", .unit = "s"},
                .y = {{.title = quantity, .unit = result.unit}, {.title = "difference", .unit = result.unit}},
                .heights = {3, 1}};
  const std::vector<double> time = part(p.time, from, to), measured = part(c.measured, from, to),
                            predicted = part(c.predicted, from, to);
  std::vector<double> gap = predicted;
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] -= measured[i];
  figure.traces.push_back({.name = "measured", .x = time, .y = measured, .colour = 0});
  figure.traces.push_back({.name = "predicted", .x = time, .y = predicted, .dash = Dash::dash, .colour = 1});
  figure.traces.push_back({.name = "difference", .x = time, .y = gap, .colour = 8, .panel = 1, .legend = false});
  figure.wide = true;
  figure.caption = fmt::format("Both between {:.4g} and {:.4g} Hz, zero phase.", p.band.lower_hz, p.band.upper_hz);
  return figure;
}

/// Spectra of one sensor, whole and zeroed early, measured and predicted in one colour each.
Figure spectra_figure(const PredictResult& result, const std::string& id, const std::string& title, double low,
                      double high, std::size_t first, std::size_t last) {
  const Prediction& p = result.prediction;
  Figure figure{.id = id,
                .title = fmt::format("{}, sensor {}", title, p.channels[p.strongest].name),
                .x = {.title = "frequency", .unit = "Hz"},
                .y = {{.title = "|FFT| / sampling rate", .unit = result.unit + " s", .scale = Scale::log}}};
  const auto& hz = p.measured_zefft.frequency_hz;
  const auto from =
      static_cast<std::size_t>(std::max(std::ptrdiff_t{1}, std::lower_bound(hz.begin(), hz.end(), low) - hz.begin()));
  const auto to = static_cast<std::size_t>(std::upper_bound(hz.begin(), hz.end(), high) - hz.begin());
  for (std::size_t k = first; k < last; ++k) {
    const std::string name =
        k == 0 ? std::string("whole record") : fmt::format("from {:.4f} s", p.measured_zefft.zeroed_until[k]);
    const int colour = static_cast<int>(k % 8);
    figure.traces.push_back(
        {.name = name, .x = part(hz, from, to), .y = part(p.measured_zefft.spectra[k], from, to), .colour = colour});
    figure.traces.push_back({.name = name + ", predicted",
                             .x = part(hz, from, to),
                             .y = part(p.predicted_zefft.spectra[k], from, to),
                             .dash = Dash::dash,
                             .colour = last == first + 1 ? colour + 1 : colour,
                             .legend = k == first});
  }
  figure.wide = true;
  figure.caption = "Solid: measured, unfiltered. Dashed: predicted.";
  return figure;
}

/// A figure whose x axis counts the sensors by name.
template <class Sensors>
Figure sensor_figure(const std::string& id, const std::string& title, const Sensors& sensors, const report::Axis& y) {
  Figure figure{.id = id, .title = title, .x = {.title = "sensor", .unit = ""}, .y = {y}};
  for (const auto& sensor : sensors) figure.x.categories.push_back(sensor.name);
  return figure;
}

Figure error_figure(const Prediction& p) {
  Figure figure = sensor_figure("sensor-errors", "Error at each sensor", p.channels,
                                {.title = "error over measured rms", .unit = "1"});
  report::Trace trace{.name = "error", .mark = report::Mark::bars, .legend = false};
  for (std::size_t c = 0; c < p.channels.size(); ++c) {
    trace.x.push_back(static_cast<double>(c));
    trace.y.push_back(p.channels[c].error);
  }
  figure.traces.push_back(std::move(trace));
  figure.caption = "Sensors near a node see little motion and much noise, relative to it.";
  figure.wide = p.channels.size() > 20;
  return figure;
}

Figure shapes_figure(const PredictResult& result) {
  const auto& sensors = result.model.sensors;
  Figure figure =
      sensor_figure("shapes", "Mode shapes at the sensors", sensors,
                    result.model.has_unit_masses() ? report::Axis{.title = "mass-normalised shape", .unit = "1/√kg"}
                                                   : report::Axis{.title = "shape", .unit = "1"});
  for (std::size_t k = 0; k < result.model.size(); ++k) {
    report::Trace trace{.name = fmt::format("mode {}, {:.4g} Hz", k + 1, result.prediction.modes[k].frequency_hz),
                        .mark = report::Mark::line_markers};
    for (std::size_t j = 0; j < sensors.size(); ++j) {
      trace.x.push_back(static_cast<double>(j));
      trace.y.push_back(sensors[j].row.dot(result.model.modes[k].shape));
    }
    figure.traces.push_back(std::move(trace));
  }
  figure.wide = true;
  return figure;
}

report::Table modes_table(const PredictResult& result) {
  report::Table table{.id = "modes", .title = "Modes"};
  table.columns = {{.title = "mode"},
                   {.title = "frequency", .unit = "Hz"},
                   {.title = "amplitude after the pulse",
                    .unit = report::unit_text(units_of_modes(result.model.has_unit_masses()).amplitude)},
                   {.title = "error of spectra near it", .unit = "1", .digits = 3}};
  for (std::size_t k = 0; k < result.prediction.modes.size(); ++k) {
    const PredictedMode& mode = result.prediction.modes[k];
    table.rows.push_back({static_cast<double>(k + 1), mode.frequency_hz, mode.peak, mode.error});
  }
  return table;
}

}  // namespace

report::Page predict_page(const PredictResult& result) {
  const Prediction& p = result.prediction;
  report::Page page{
      .title = "Prediction beside the measurement",
      .subtitle = result.options.record.filename().string() + " by " + result.options.model.filename().string()};
  page.verdicts = {{.label = "Error",
                    .value = fmt::format("{:.2f}", 100 * p.error),
                    .unit = "%",
                    .note = "rms of the difference over all sensors and times, over that of the measurement",
                    .tone = p.error < 0.1   ? report::Tone::good
                            : p.error < 0.3 ? report::Tone::warning
                                            : report::Tone::bad},
                   {.label = "Sensors", .value = fmt::format("{}", p.channels.size())},
                   {.label = "Peak force", .value = fmt::format("{:.4g}", p.peak_force), .unit = "N"}};
  for (std::size_t k = 0; k < p.modes.size() && k < 6; ++k)
    page.verdicts.push_back({.label = fmt::format("Mode {}", k + 1),
                             .value = fmt::format("{:.5g}", p.modes[k].frequency_hz),
                             .unit = "Hz",
                             .note = fmt::format("spectra differ by {:.2f} %", 100 * p.modes[k].error)});
  for (const std::string& note : p.notes) page.notes.push_back({.text = note});

  const auto n = p.time.size();
  const auto pulse =
      static_cast<std::size_t>(std::lower_bound(p.time.begin(), p.time.end(), p.pulse_to) - p.time.begin());
  const double lowest = p.modes.front().frequency_hz;
  const auto cycles = static_cast<std::size_t>(20 * p.sampling_rate_hz / lowest);
  report::Section time{.title = "In time"};
  time.figures = {time_figure(result, "time", "Time overlay", 0, n),
                  time_figure(result, "time-start", "Just after the hit", pulse, std::min(n, pulse + cycles))};
  const std::size_t middle = pulse + (n - pulse) / 3;
  time.figures.push_back(time_figure(result, "time-later", "Later", middle, std::min(n, middle + cycles)));
  page.sections.push_back(std::move(time));

  report::Section spectra{.title = "Spectra"};
  spectra.figures.push_back(spectra_figure(result, "spectrum", "Spectrum", p.band.lower_hz, p.band.upper_hz, 0, 1));
  if (p.measured_zefft.spectra.size() > 1) {
    const std::size_t all = p.measured_zefft.spectra.size();
    spectra.figures.push_back(
        spectra_figure(result, "zefft", "Zeroed early-time spectra", p.band.lower_hz, p.band.upper_hz, 1, all));
    spectra.figures.push_back(spectra_figure(result, "zefft-zoom", "Zeroed early-time spectra about the first mode",
                                             0.93 * lowest, 1.04 * lowest, 1, all));
  }
  page.sections.push_back(std::move(spectra));

  report::Section where{.title = "Where it holds"};
  where.figures = {error_figure(p), shapes_figure(result)};
  where.tables.push_back(modes_table(result));
  page.sections.push_back(std::move(where));
  page.provenance.settings = {
      {"band", fmt::format("{:.6g} to {:.6g} Hz", p.band.lower_hz, p.band.upper_hz)},
      {"force", result.options.comparing.window_force ? "its pulse alone" : "the whole channel"},
      {"hit", result.options.comparing.hit.empty() ? "load_shape of the model" : result.options.comparing.hit}};
  return page;
}

}  // namespace microslip::verbs
