#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/json.hpp>
#include <microslip/verbs/at_place.hpp>
#include <microslip/verbs/modal_model_file.hpp>

namespace microslip::verbs {

namespace {

using io::JsonReader;
using io::TomlTable;

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Refuses what no law takes, with the place in the file before the complaint.
Mode with_law_checked(Mode mode, const std::string& where) {
  try {
    jointed_mode(mode, "mode");
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", where, error.what()));
  }
  return mode;
}

Mode read_mode(const TomlTable& table) {
  table.only({"mass", "linear_stiffness", "damping", "joint", "shape", "load_shape", "name", "coordinate", "quantity"});
  Mode mode;
  mode.mass = table.number("mass");
  if (!(mode.mass > 0)) throw InvalidInput(fmt::format("{} must be > 0, got {}", table.where("mass"), mode.mass));
  mode.linear_stiffness = table.number("linear_stiffness", 0);
  mode.damping = table.number("damping", 0);
  if (const auto joint = table.find_table("joint")) mode.joint = read_joint(*joint);
  if (table.contains("shape")) mode.shape = to_vector(table.numbers("shape"));
  mode.load_shape = table.number("load_shape", 1);
  return with_law_checked(std::move(mode), table.where());
}

/// What a fit was measured in, where the file says it.
std::optional<CoordinateUnits> read_units(const TomlTable& mode) {
  const Quantity quantity = at_place(mode, "quantity", [&] { return quantity_from(mode.text("quantity", "unknown")); });
  if (!mode.contains("coordinate")) {
    if (mode.contains("quantity"))
      throw InvalidInput(fmt::format("{} means nothing without coordinate", mode.where("quantity")));
    return std::nullopt;
  }
  if (const double mass = mode.number("mass"); mass != 1)
    throw InvalidInput(fmt::format("{}: a mode fitted in a coordinate has mass 1, got {}", mode.where("mass"), mass));
  return units_of(mode.text("coordinate"), quantity);
}

Sensor read_sensor(const TomlTable& table, std::size_t number) {
  table.only({"name", "row"});
  return {table.text("name", fmt::format("sensor {}", number)), to_vector(table.numbers("row"))};
}

/// One of `modes` of a fit: mass 1, what `parameters` names beside linear_stiffness and damping is the joint's.
Mode read_fitted_mode(const JsonReader& fitted) {
  Mode mode;
  mode.mass = fitted.number("mass", 1);
  const JsonReader parameters = fitted.object("parameters");
  JointSpec joint{fitted.text("model", "iwan4"), {}, false};
  for (const std::string& key : parameters.keys()) {
    const double value = parameters.number(key);
    if (!std::isfinite(value)) throw InvalidInput(fmt::format("{}: expected a finite number", parameters.where(key)));
    if (key == "linear_stiffness")
      mode.linear_stiffness = value;
    else if (key == "damping")
      mode.damping = value;
    else
      joint.parameters[key] = value;
  }
  if (!joint.parameters.empty()) mode.joint = std::move(joint);
  if (fitted.contains("shape")) mode.shape = to_vector(fitted.numbers("shape"));
  mode.load_shape = fitted.number("load_shape", 1);
  return with_law_checked(std::move(mode), fitted.where("parameters"));
}

/// The largest amplitude that was fitted.
std::optional<double> read_largest_amplitude(const JsonReader& fitted) {
  if (!fitted.contains("points")) return std::nullopt;
  const JsonReader points = fitted.object("points");
  if (!points.contains("amplitude") || !points.contains("used")) return std::nullopt;
  const std::vector<double> amplitude = points.numbers("amplitude");
  const std::vector<bool> used = points.flags("used");
  double largest = 0;
  for (std::size_t i = 0; i < std::min(amplitude.size(), used.size()); ++i)
    if (used[i]) largest = std::max(largest, amplitude[i]);
  return largest > 0 ? std::optional(largest) : std::nullopt;
}

/// Shapes are given at the sensors, so each sensor reads its own coordinate.
MeasuredModel read_fit(const std::filesystem::path& path) {
  const io::Json json = io::read_json(path);
  const JsonReader file(json, path.string());
  ModalModel model;
  std::vector<std::optional<CoordinateUnits>> units;
  std::vector<std::optional<double>> largest;
  for (const JsonReader& fitted : file.objects("modes")) {
    model.modes.push_back(read_fitted_mode(fitted));
    largest.push_back(read_largest_amplitude(fitted));
    units.emplace_back();
    if (fitted.contains("coordinate"))
      units.back() = units_of(fitted.text("coordinate"), quantity_from(fitted.text("quantity", "unknown")));
  }
  if (file.contains("sensors")) {
    const std::vector<std::string> names = file.texts("sensors");
    const auto n = static_cast<Eigen::Index>(names.size());
    for (Eigen::Index k = 0; k < n; ++k)
      model.sensors.push_back({names[static_cast<std::size_t>(k)], Eigen::VectorXd::Unit(n, k)});
  }
  return {checked(std::move(model), path.string()), std::move(units), std::move(largest)};
}

MeasuredModel read_rows(const TomlTable& file) {
  ModalModel model;
  std::vector<std::optional<CoordinateUnits>> units;
  for (const TomlTable& mode : file.tables("mode")) {
    model.modes.push_back(read_mode(mode));
    units.push_back(read_units(mode));
  }
  for (const TomlTable& sensor : file.tables("sensor"))
    model.sensors.push_back(read_sensor(sensor, model.sensors.size() + 1));
  const std::size_t n = model.modes.size();
  return {checked(std::move(model), file.source().string()), std::move(units), std::vector<std::optional<double>>(n)};
}

}  // namespace

JointSpec read_joint(const TomlTable& table) {
  JointSpec joint;
  joint.model = table.text("model");
  for (const std::string& key : table.keys()) {
    if (key == "model") continue;
    if (key == "per_area")
      joint.per_area = table.flag(key, false);
    else
      joint.parameters[key] = table.number(key);
  }
  return joint;
}

ModalModel read_modes(const TomlTable& file) { return read_rows(file).model; }

ModalModel read_modal_model(const std::filesystem::path& path) { return read_measured_model(path).model; }

MeasuredModel read_measured_model(const std::filesystem::path& path) {
  if (path.extension() == ".json") return read_fit(path);
  const TomlTable file = TomlTable::read(path);
  if (!file.contains("mode"))
    throw InvalidInput(
        fmt::format("{}: [[mode]] is expected, or the result of `fit modal --json` in a .json file", path.string()));
  return read_rows(file);
}

}  // namespace microslip::verbs
