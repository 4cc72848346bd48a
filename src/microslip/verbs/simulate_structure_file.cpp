#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/structure/modal_damping.hpp>
#include <microslip/verbs/simulate_file.hpp>
#include <microslip/verbs/structure_file.hpp>

namespace microslip::verbs {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using io::TomlTable;

AnyLaw law_of(const JointSpec& joint, const TomlTable& table) {
  return at_place(table,
                  [&] { return make_law(joint.model, NamedValues(joint.parameters.begin(), joint.parameters.end())); });
}

/// One [joint] for all points of an interface: friction in x and y, contact in n.
void join(const TomlTable& file, const Interface& interface, JointedStructure& structure) {
  const TomlTable joint_table = file.table("joint");
  JointSpec joint = read_joint(joint_table);
  const auto normal = joint.parameters.find("normal_stiffness");
  if (normal == joint.parameters.end())
    throw InvalidInput(fmt::format("{}: normal_stiffness is missing", joint_table.where()));
  ContactGroup contact{.law = {}, .normal_stiffness = normal->second, .contact = interface.contact};
  joint.parameters.erase(normal);
  contact.law = law_of(joint, joint_table);
  for (Eigen::Index point = 0; point < interface.n_points(); ++point) {
    contact.first_rows.push_back(3 * point);
    contact.areas.push_back(joint.per_area ? interface.areas(point) : 1);
  }
  at_place(joint_table, [&] { return make_elements(contact); });
  structure.map = interface.map;
  structure.contacts = {std::move(contact)};
}

/// [[joint]] rows, each with its own law and its own row over the coordinates.
void read_joints(const TomlTable& file, JointedStructure& structure) {
  const std::vector<TomlTable> tables = file.tables("joint");
  const Eigen::Index n = structure.system.size();
  structure.map.resize(static_cast<Eigen::Index>(tables.size()), n);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const TomlTable& table = tables[i];
    const std::vector<double> row = table.numbers("row");
    if (static_cast<Eigen::Index>(row.size()) != n)
      throw InvalidInput(
          fmt::format("{} has {} values, the system has {} coordinates", table.where("row"), row.size(), n));
    const auto at = static_cast<Eigen::Index>(i);
    structure.map.row(at) = Eigen::Map<const VectorXd>(row.data(), n);
    JointSpec joint;
    joint.model = table.text("model");
    for (const std::string& key : table.keys())
      if (key != "model" && key != "row") joint.parameters[key] = table.number(key);
    structure.joints.push_back({law_of(joint, table), {at}, {}});
  }
}

/// Where a load acts: its row over the coordinates, or the name of the sensor at which it pushes.
VectorXd read_load_row(const TomlTable& load, const System& system, SimulateFile& into) {
  if (!load.contains("sensor")) return load.contains("row") ? read_vector(load, "row", into.inputs) : VectorXd();
  if (load.contains("row")) throw InvalidInput(fmt::format("{}: give either row or sensor", load.where()));
  const std::string name = load.text("sensor");
  std::vector<std::string> names;
  for (const Sensor& sensor : system.sensors) {
    if (sensor.name == name) return sensor.row;
    names.push_back(sensor.name);
  }
  throw InvalidInput(fmt::format("{}: no sensor '{}'{}", load.where("sensor"), name, suggestion(name, names)));
}

}  // namespace

void read_structure(const TomlTable& file, SimulateFile& into) {
  JointedStructure structure;
  StructureFile parts = read_structure_file(file, into.inputs);
  structure.system = std::move(parts.system);
  if (parts.interface)
    join(file, *parts.interface, structure);
  else if (file.contains("joint"))
    read_joints(file, structure);
  const Eigen::Index n = structure.system.size();
  if (const auto damping = file.find_table("damping")) {
    damping->only({"ratio"});
    if (structure.system.damping.size() != 0)
      throw InvalidInput(fmt::format("{}: system.damping is given already", damping->where()));
    const double ratio = damping->number("ratio");
    if (!(ratio >= 0)) throw InvalidInput(fmt::format("{} must be >= 0, got {}", damping->where("ratio"), ratio));
    if (ratio > 0) structure.system.damping = modal_damping(structure.system.mass, stuck_stiffness(structure), ratio);
  }
  if (!file.tables("sensor").empty()) structure.system.sensors.clear();
  for (const TomlTable& table : file.tables("sensor")) {
    table.only({"name", "row"});
    const VectorXd row = read_vector(table, "row", into.inputs);
    structure.system.sensors.push_back(
        {table.text("name", fmt::format("sensor {}", structure.system.sensors.size() + 1)), row});
  }
  if (const auto load = file.find_table("load")) structure.load_row = read_load_row(*load, structure.system, into);
  if (const auto prestress = file.find_table("prestress")) {
    prestress->only({"force", "scale", "law"});
    if (const std::string law = prestress->text("law", "full"); law != "full")
      throw InvalidInput(
          fmt::format("{}: simulate loads its joints with law 'full' alone, got '{}'", prestress->where("law"), law));
    if (!prestress->contains("force") && structure.system.prestress.size() == 0)
      throw InvalidInput(fmt::format("{}: force is missing", prestress->where()));
    structure.static_force =
        prestress->number("scale", 1) *
        (prestress->contains("force") ? read_vector(*prestress, "force", into.inputs) : structure.system.prestress);
  }
  if (const auto initial = file.find_table("initial")) {
    initial->only({"displacement", "velocity"});
    if (initial->contains("displacement"))
      into.structure_start.displacement = read_vector(*initial, "displacement", into.inputs);
    if (initial->contains("velocity")) into.structure_start.velocity = read_vector(*initial, "velocity", into.inputs);
    for (const VectorXd* values : {&into.structure_start.displacement, &into.structure_start.velocity})
      if (values->size() != 0 && values->size() != n)
        throw InvalidInput(
            fmt::format("{}: {} values, the system has {} coordinates", initial->where(), values->size(), n));
  }
  into.structure = checked(std::move(structure), file.source().string());
}

}  // namespace microslip::verbs
