#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/units.hpp>
#include <microslip/verbs/modal_model_file.hpp>
#include <microslip/verbs/predict.hpp>
#include <microslip/verbs/ringdown.hpp>

namespace microslip::verbs {

namespace {

/// Gives each mode the shape whose frequency is nearest to its own, and the model the shapes' sensors.
void take_shapes(ModalModel& model, const signal::Shapes& shapes, const std::string& source) {
  if (shapes.sensors.empty())
    throw InvalidInput(fmt::format("{}: the shapes do not name their sensors; JSON with `sensors` does", source));
  if (!shapes.mass_normalised)
    throw InvalidInput(fmt::format("{}: the shapes are not mass-normalised, so forces cannot be scaled", source));
  if (shapes.frequency_hz.size() != shapes.value.size())
    throw InvalidInput(
        fmt::format("{}: {} shapes with {} frequencies", source, shapes.value.size(), shapes.frequency_hz.size()));
  for (std::size_t k = 0; k < model.size(); ++k) {
    const double hz = jointed_mode(model.modes[k], "mode").low_amplitude_omega() / (2 * M_PI);
    std::size_t best = 0;
    for (std::size_t r = 0; r < shapes.value.size(); ++r)
      if (std::abs(shapes.frequency_hz[r] - hz) < std::abs(shapes.frequency_hz[best] - hz)) best = r;
    if (shapes.value.empty() || std::abs(shapes.frequency_hz[best] - hz) > 0.1 * hz)
      throw InvalidInput(fmt::format("{}: no shape within 10 % of mode {} at {:g} Hz", source, k + 1, hz));
    const std::vector<double>& value = shapes.value[best];
    if (value.size() != shapes.sensors.size())
      throw InvalidInput(fmt::format("{}: shape {} has {} values for {} sensors", source, best + 1, value.size(),
                                     shapes.sensors.size()));
    model.modes[k].shape = Eigen::Map<const Eigen::VectorXd>(value.data(), static_cast<Eigen::Index>(value.size()));
  }
  model.sensors.clear();
  const auto n = static_cast<Eigen::Index>(shapes.sensors.size());
  for (Eigen::Index j = 0; j < n; ++j)
    model.sensors.push_back({shapes.sensors[static_cast<std::size_t>(j)], Eigen::VectorXd::Unit(n, j)});
}

bool is_model(const std::filesystem::path& path) {
  try {
    (void)read_modal_model(path);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

/// Whether a file holds signals, or what might be some: a table without time is a record, too, that lacks an option.
bool is_record(const std::filesystem::path& path, const io::ReadOptions& reading) {
  try {
    const io::FileInfo file = io::describe(path, reading);
    return !file.records.empty() || !(file.format == "JSON" || file.format == "TOML" || file.format == "matrix");
  } catch (const InvalidInput&) {
    return false;
  }
}

/// The model. Where it is refused and the other file would not be, or it is a record, that is what is wrong.
MeasuredModel read_model(const PredictOptions& options) {
  try {
    return read_measured_model(options.model);
  } catch (const InvalidInput&) {
    if (!is_record(options.model, options.reading)) throw;
    if (is_model(options.record))
      throw InvalidInput(
          fmt::format("{0}: is the record and {1} the model, the model is expected first: microslip predict {1} {0}",
                      options.model.string(), options.record.string()));
    throw InvalidInput(
        fmt::format("{}: holds a record; a model is expected first, a result of `fit modal --json` or TOML with "
                    "[[mode]]: microslip predict MODEL RECORD",
                    options.model.string()));
  }
}

/// A blow is a force, which drives mass-normalised modes: with a fit in any other coordinate, shapes or not, response
/// and amplitude would be off by a mass.
ModalModel mass_normalised(MeasuredModel read, const std::string& source) {
  const std::string modal = units_of("modal", Quantity::displacement).amplitude;
  for (std::size_t k = 0; k < read.units.size(); ++k)
    if (read.units[k] && read.units[k]->amplitude != modal)
      throw InvalidInput(
          fmt::format("{}: mode {} was not fitted in a mass-normalised coordinate, which is what a force drives: give "
                      "--shapes or --driving-point to ringdown, and fit its result",
                      source, k + 1));
  return std::move(read.model);
}

io::Json zefft_json(const Prediction& p) {
  io::Json json = io::Json::object();
  io::set_numbers(json, "zeroed_until", p.measured_zefft.zeroed_until);
  io::set_numbers(json, "error", p.zefft_error);
  io::set_numbers(json, "frequency_hz", p.measured_zefft.frequency_hz);
  io::set_rows(json, "measured", p.measured_zefft.spectra);
  io::set_rows(json, "predicted", p.predicted_zefft.spectra);
  return json;
}

std::string predict_json(const PredictResult& result) {
  const Prediction& p = result.prediction;
  io::Json json = begin_result("predict");
  json["model"] = result.options.model.string();
  json["record"] = result.options.record.string();
  json["error"] = p.error;
  json["quantity"] = to_string(p.quantity);
  json["unit"] = result.unit;
  json["band_hz"] = {p.band.lower_hz, p.band.upper_hz};
  json["pulse"] = {{"from", p.pulse_from}, {"to", p.pulse_to}, {"peak_force", p.peak_force}};
  json["modes"] = io::Json::array();
  for (const PredictedMode& mode : p.modes) {
    io::Json entry{{"frequency_hz", mode.frequency_hz}};
    io::set_number(entry, "peak", mode.peak);
    io::set_number(entry, "error", mode.error);
    json["modes"].push_back(std::move(entry));
  }
  io::set_numbers(json, "time", p.time);
  io::set_numbers(json, "force", p.force);
  json["channels"] = io::Json::array();
  for (const PredictedChannel& c : p.channels) {
    io::Json channel{{"name", c.name}};
    io::set_number(channel, "error", c.error);
    io::set_numbers(channel, "measured", c.measured);
    io::set_numbers(channel, "predicted", c.predicted);
    json["channels"].push_back(std::move(channel));
  }
  json["zefft_channel"] = p.channels[p.strongest].name;
  json["zefft"] = zefft_json(p);
  json["notes"] = p.notes;
  return io::to_text(json);
}

std::string predict_csv(const PredictResult& result) {
  const Prediction& p = result.prediction;
  io::Table table{.source = "",
                  .header = {"time", "force"},
                  .units = {},
                  .columns = {p.time, p.force},
                  .line_numbers = std::vector<int>(p.time.size()),
                  .warnings = {}};
  for (const PredictedChannel& c : p.channels) {
    table.header.push_back(c.name + "_measured");
    table.columns.push_back(c.measured);
    table.header.push_back(c.name + "_predicted");
    table.columns.push_back(c.predicted);
  }
  return io::to_csv(table);
}

std::string predict_text(const PredictResult& result) {
  const Prediction& p = result.prediction;
  std::string text =
      fmt::format("{:<22} {:.4g} N, {:.5f} to {:.5f} s\n", "pulse", p.peak_force, p.pulse_from, p.pulse_to);
  text += fmt::format("{:<22} {:.4g} to {:.4g} Hz\n", "compared", p.band.lower_hz, p.band.upper_hz);
  const std::string amplitude = units_of_modes(result.model.has_unit_masses()).amplitude;
  for (std::size_t k = 0; k < p.modes.size(); ++k)
    text += fmt::format("{:<22} {:.5g} Hz: amplitude {:.4g} {} after the pulse, spectra differ by {:.2f} %\n",
                        fmt::format("mode {}", k + 1), p.modes[k].frequency_hz, p.modes[k].peak, amplitude,
                        100 * p.modes[k].error);
  std::vector<double> errors;
  for (const PredictedChannel& c : p.channels)
    if (std::isfinite(c.error)) errors.push_back(c.error);
  text +=
      fmt::format("{:<22} {} of {}, median error {:.2f} %, worst {:.2f} %\n", "sensors", p.channels.size(),
                  to_string(p.quantity), 100 * median(errors), 100 * *std::max_element(errors.begin(), errors.end()));
  for (std::size_t k = 0; k < p.zefft_error.size(); ++k) {
    const std::string name =
        k == 0 ? "whole spectrum" : fmt::format("spectrum from {:.4f} s", p.measured_zefft.zeroed_until[k]);
    text += fmt::format("{:<22} {:.2f} %, sensor {}\n", name, 100 * p.zefft_error[k], p.channels[p.strongest].name);
  }
  text += fmt::format("{:<22} {:.2f} % of the measured motion, root mean square over all sensors and times\n", "error",
                      100 * p.error);
  return text;
}

}  // namespace

PredictResult run_predict(const PredictOptions& options, const Progress& progress) {
  PredictResult result;
  result.options = options;
  result.model = mass_normalised(read_model(options), options.model.string());
  if (!options.shapes.empty()) take_shapes(result.model, read_shapes(options.shapes), options.shapes.string());
  auto records = io::read_records(options.record, options.reading);
  if (records.empty()) throw InvalidInput(fmt::format("{}: no signals in it", options.record.string()));
  Record& record = records.front();
  io::convert_to_si(record);
  record.source = options.record.string();
  result.prediction = microslip::predict(result.model, record, options.comparing, progress);
  for (const Channel& channel : record.channels)
    if (channel.name == result.prediction.channels.front().name) result.unit = channel.unit;
  auto& notes = result.prediction.notes;
  notes.insert(notes.begin(), record.warnings.begin(), record.warnings.end());
  if (records.size() > 1)
    notes.push_back(fmt::format("{}: the first of {} records", options.record.string(), records.size()));
  return result;
}

Output predict(const PredictOptions& options, const Progress& progress) {
  Output output = output_of(run_predict(options, progress), predict_text, predict_json, predict_csv, predict_page,
                            [](const PredictResult& done) { return done.prediction.notes; });
  output.inputs = {options.model, options.record};
  if (!options.shapes.empty()) output.inputs.push_back(options.shapes);
  return output;
}

}  // namespace microslip::verbs
