#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/core/version.hpp>
#include <microslip/io/calculix.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/mesh_file.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/structure/reduction.hpp>
#include <microslip/verbs/at_place.hpp>
#include <microslip/verbs/reduce.hpp>

namespace microslip::verbs {

namespace {

FeModel read_fe_model(const io::TomlTable& system, ReductionRecord& record) {
  system.only({"stiffness", "mass", "coordinates", "mesh", "stiffness_name", "mass_name"});
  std::vector<NodeDirection> coordinates;
  if (system.contains("coordinates")) {
    const auto path = system.file("coordinates");
    coordinates = io::parse_coordinates(io::read_file(path), path.string());
  }
  const CoordinateMatrix stiffness =
      io::read_matrix(system.file("stiffness"), system.text("stiffness_name", ""), coordinates);
  const CoordinateMatrix mass = io::read_matrix(system.file("mass"), system.text("mass_name", ""), coordinates);
  for (const char* key : {"stiffness", "mass", "coordinates", "mesh"})
    if (system.contains(key)) record.inputs.push_back(fmt::format("{}: {}", key, system.text(key)));
  Mesh mesh = io::read_mesh(system.file("mesh"));
  try {
    return fe_model(mass, stiffness, coordinates, std::move(mesh));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", system.where(), error.what()));
  }
}

Eigen::Vector3d direction(const io::TomlTable& table, const std::string& key) {
  const std::vector<double> values = table.numbers(key);
  if (values.size() != 3 || !(Eigen::Vector3d::Map(values.data()).norm() > 0))
    throw InvalidInput(fmt::format("{} must be a direction of three numbers", table.where(key)));
  return Eigen::Vector3d::Map(values.data());
}

/// The faces of the joint. Where they lie the other way round, opening would count as pressure.
Surface read_surface(const io::TomlTable& table, const FeModel& model, const Eigen::Vector3d& normal) {
  const std::string top = table.text("top"), bottom = table.text("bottom");
  Surface surface = pair_surfaces(model.mesh, top, bottom, normal);
  if (sides_of(model, surface).exchanged())
    throw InvalidInput(
        fmt::format("{}: along the normal, the part of top '{}' lies below the part of bottom '{}': exchange top and "
                    "bottom, or turn the normal round",
                    table.where(), top, bottom));
  return surface;
}

Projection read_projection(const io::TomlTable& table, const Surface& surface, ReductionRecord& record) {
  record.kind = table.text("kind");
  if (record.kind == "whole_joint") {
    const std::vector<double> cuts = table.contains("patches") ? table.numbers("patches") : std::vector<double>{};
    record.inputs.push_back(fmt::format("patches: {}", fmt::join(cuts, ", ")));
    return whole_joint(surface, cuts);
  }
  if (record.kind == "full_joint") {
    record.inputs.push_back(fmt::format("coarse mesh: {}", table.text("mesh")));
    return full_joint(surface, io::read_mesh(table.file("mesh")));
  }
  const std::vector<std::string> known{"whole_joint", "full_joint"};
  throw InvalidInput(
      fmt::format("{}: unknown kind '{}'{}", table.where("kind"), record.kind, suggestion(record.kind, known)));
}

/// The nodes of a set, all of which have a position.
std::vector<NodeId> read_nodes(const io::TomlTable& table, const FeModel& model) {
  std::vector<NodeId> nodes = nodes_named(model.mesh, table.text("set"));
  for (NodeId node : nodes)
    if (!model.mesh.nodes.contains(node))
      throw InvalidInput(
          fmt::format("{}: node {} of set '{}' has no position", table.where("set"), node, table.text("set")));
  return nodes;
}

int read_direction(const io::TomlTable& table) {
  const std::int64_t axis = table.integer("direction");
  if (axis < 1 || axis > 3) throw InvalidInput(fmt::format("{} must be 1, 2 or 3", table.where("direction")));
  return static_cast<int>(axis);
}

Sensor read_sensor(const io::TomlTable& table, const FeModel& model) {
  table.only({"name", "node", "set", "direction"});
  const int axis = read_direction(table);
  if (table.contains("node") == table.contains("set"))
    throw InvalidInput(fmt::format("{}: a sensor sits at a node or at the first node of a set", table.where()));
  const NodeId node = table.contains("node") ? table.integer("node") : read_nodes(table, model).front();
  return node_sensor(model, table.text("name"), node, axis);
}

/// The nodes of a set in a row along its longest side, and a sensor for each.
ShapeLine read_line(const io::TomlTable& table, const FeModel& model, std::vector<Sensor>& sensors) {
  table.only({"name", "set", "direction"});
  ShapeLine line{.name = table.text("name"), .direction = read_direction(table), .positions = {}, .rows = {}};
  std::vector<NodeId> nodes = read_nodes(table, model);
  Eigen::AlignedBox3d box;
  const auto position = [&](NodeId node) {
    return Eigen::Vector3d(Eigen::Vector3d::Map(model.mesh.nodes.at(node).data()));
  };
  for (NodeId node : nodes) box.extend(position(node));
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return position(a)(axis) < position(b)(axis); });
  line.positions.resize(static_cast<Eigen::Index>(nodes.size()), 3);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    line.positions.row(static_cast<Eigen::Index>(i)) = position(nodes[i]).transpose();
    sensors.push_back(node_sensor(model, line.name, nodes[i], line.direction));
  }
  return line;
}

/// The rows of the lines, which were reduced as the last of the sensors.
void take_lines(ReducedModel& model, std::vector<ShapeLine> lines, std::size_t n_sensors) {
  std::size_t next = n_sensors;
  for (ShapeLine& line : lines) {
    line.rows.resize(line.positions.rows(), model.system.size());
    for (Eigen::Index i = 0; i < line.rows.rows(); ++i) line.rows.row(i) = model.system.sensors[next++].row.transpose();
  }
  model.system.sensors.resize(n_sensors);
  model.lines = std::move(lines);
}

/// A unit preload, which presses head and nut towards each other.
NamedLoad read_bolt(const io::TomlTable& table, const FeModel& model, const Eigen::Vector3d& normal) {
  table.only({"head", "nut", "axis"});
  const std::string head = table.text("head"), nut = table.text("nut");
  const Eigen::Vector3d axis = (table.contains("axis") ? direction(table, "axis") : normal).normalized();
  return at_place(table, [&] { return bolt_preload(model, head, nut, axis); });
}

std::int64_t count_in(const io::TomlTable& table, const std::string& key, std::int64_t fallback, std::int64_t lower,
                      std::int64_t upper) {
  const std::int64_t n = table.integer(key, fallback);
  if (n < lower || n > upper)
    throw InvalidInput(fmt::format("{} must lie in [{}, {}], got {}", table.where(key), lower, upper, n));
  return n;
}

std::string reduce_json(const ReducedModel& model, const ReduceOptions& options) {
  io::Json json = begin_result("reduce");
  const ReductionRecord& record = model.record;
  const auto values = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
  json["file"] = options.output.string();
  json["kind"] = record.kind;
  json["coordinates"] = model.system.coordinates;
  json["size"] = model.system.size();
  json["full_size"] = record.full_size;
  json["points"] = model.interface.n_points();
  json["area"] = record.area;
  json["total_mass"] = record.total_mass;
  json["rigid_body_modes"] = record.n_rigid;
  json["bolts"] = model.bolt_names;
  io::set_numbers(json, "fixed_frequencies_hz", values(record.fixed_frequencies_hz));
  json["residual"] = {{"modes", record.mode_residual}, {"static", record.static_residual}};
  json["check"] = {{"tangential_stiffness", record.check_tangential}, {"normal_stiffness", record.check_normal}};
  json["check"]["full_frequencies_hz"] = values(record.full_frequencies_hz);
  json["check"]["reduced_frequencies_hz"] = values(record.reduced_frequencies_hz);
  return io::to_text(json);
}

std::string reduce_text(const ReducedModel& model, const ReduceOptions& options) {
  const ReductionRecord& record = model.record;
  std::string text = fmt::format("{}: {} coordinates of {} ({}), mass {:.6g} kg, interface {:.6g} m^2, {} points\n",
                                 options.output.string(), model.system.size(), record.full_size, record.kind,
                                 record.total_mass, record.area, model.interface.n_points());
  text += fmt::format("{} rigid-body modes left out; residual {:.1e} of the modes, {:.1e} of the static shapes\n",
                      record.n_rigid, record.mode_residual, record.static_residual);
  if (record.full_frequencies_hz.size() > 0)
    text +=
        fmt::format("on springs of {:.3g} and {:.3g} N/m^3 (tangential, normal):\n   full [Hz]  reduced [Hz]  error\n",
                    record.check_tangential, record.check_normal);
  for (Eigen::Index i = 0; i < record.full_frequencies_hz.size(); ++i) {
    const double full = record.full_frequencies_hz(i), reduced = record.reduced_frequencies_hz(i);
    // What rounding leaves of a free motion has a frequency, but no relative error.
    const bool at_zero = full <= 1e-5 * record.full_frequencies_hz.maxCoeff();
    text += fmt::format("{:12.4f}  {:12.4f}  {}\n", full, reduced,
                        at_zero ? "(at zero)" : fmt::format("{:.1e}", reduced / full - 1));
  }
  const std::vector<std::string>& names = model.system.coordinates;
  const auto first = names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, names.size()));
  return text + fmt::format("coordinates: {} ... {} (every name: --json)\n", fmt::join(names.begin(), first, ", "),
                            names.back());
}

}  // namespace

ReducedModel run_reduce(const std::filesystem::path& path, const Progress& progress) {
  const io::TomlTable toml = io::TomlTable::read(path);
  toml.only({"system", "interface", "bolt", "sensor", "line", "reduction", "check"});
  const io::TomlTable interface = toml.table("interface"), reduction = toml.table("reduction");
  interface.only({"top", "bottom", "normal"});
  reduction.only({"kind", "patches", "mesh", "fixed_interface_modes"});

  ReductionOptions options;
  const std::int64_t modes = count_in(reduction, "fixed_interface_modes", 19, 1, 10000);
  options.fixed_interface_modes = modes;
  if (const auto check = toml.find_table("check")) {
    check->only({"tangential_stiffness", "normal_stiffness", "modes"});
    options.check.tangential = positive(check->where("tangential_stiffness"), check->number("tangential_stiffness"));
    options.check.normal = positive(check->where("normal_stiffness"), check->number("normal_stiffness"));
    options.check.n_modes = count_in(*check, "modes", 10, 0, 1000);
  } else {
    options.check.n_modes = 0;
  }

  ReductionRecord record;
  record.made_by = fmt::format("microslip {}", version);
  const FeModel model = read_fe_model(toml.table("system"), record);
  const Eigen::Vector3d normal = direction(interface, "normal");
  const Surface surface = read_surface(interface, model, normal);
  record.inputs.push_back(fmt::format("interface: {} on {}, {} pairs of nodes", interface.text("top"),
                                      interface.text("bottom"), surface.pairs.size()));
  const Projection projection = read_projection(reduction, surface, record);
  record.inputs.push_back(fmt::format("fixed_interface_modes: {}", modes));
  std::vector<NamedLoad> bolts;
  for (const io::TomlTable& bolt : toml.tables("bolt")) {
    bolts.push_back(read_bolt(bolt, model, normal));
    record.inputs.push_back(fmt::format("bolt: {} on {}", bolt.text("head"), bolt.text("nut")));
  }
  std::vector<Sensor> sensors;
  for (const io::TomlTable& sensor : toml.tables("sensor")) sensors.push_back(read_sensor(sensor, model));
  const std::size_t n_sensors = sensors.size();
  std::vector<ShapeLine> lines;
  for (const io::TomlTable& line : toml.tables("line")) lines.push_back(read_line(line, model, sensors));

  ReducedModel reduced = microslip::reduce(model, surface, projection, bolts, sensors, options, progress);
  take_lines(reduced, std::move(lines), n_sensors);
  reduced.record.kind = record.kind;
  reduced.record.made_by = record.made_by;
  reduced.record.inputs = record.inputs;
  return reduced;
}

Output reduce(const ReduceOptions& options) {
  if (options.output.empty()) throw InvalidInput("reduce writes a file: -o FILE.h5 is expected");
  if (const std::string kind = options.output.extension().string(); kind != ".h5" && kind != ".hdf5")
    throw InvalidInput(fmt::format("-o {}: a reduced model is written as HDF5, a name ending in .h5 is expected",
                                   options.output.string()));
  io::check_writable(options.output);
  const auto model = std::make_shared<const ReducedModel>(run_reduce(options.model, options.progress));
  io::write_hdf5(options.output, archive_of(*model));
  Output output;
  output.text = [model, options] { return reduce_text(*model, options); };
  output.json = [model, options] { return reduce_json(*model, options); };
  return output;
}

ReducedModel read_reduced_model(const std::filesystem::path& path) {
  return reduced_model(io::read_hdf5(path).archive, path.string());
}

}  // namespace microslip::verbs
