#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/modal/combination_setup.hpp>
#include <microslip/verbs/at_place.hpp>
#include <microslip/verbs/backbone_file.hpp>
#include <microslip/verbs/range.hpp>

namespace microslip::verbs {

namespace {

using io::TomlTable;

constexpr std::size_t most_amplitudes = 10000;

/// [joint] but for what is not a parameter.
NamedValues read_parameters(const TomlTable& table) {
  NamedValues values;
  for (const std::string& key : table.keys())
    if (key != "model" && key != "per_area" && key != "tangential") values.emplace_back(key, table.number(key));
  return values;
}

Joint joint_of(const std::string& model, const NamedValues& parameters, Tangential tangential, bool per_area) {
  JointSpec spec{.model = model, .parameters = {}, .per_area = per_area};
  for (const auto& [name, value] : parameters) spec.parameters[name] = value;
  return make_joint(spec, tangential);
}

/// In a full joint friction knows no direction, unless the file says otherwise.
Tangential default_tangential(const BackboneFile& file) {
  return file.structure.kind == "full_joint" ? Tangential::coupled : Tangential::separate;
}

void read_joint(const TomlTable& file, BackboneFile& into) {
  const TomlTable table = file.table("joint");
  into.joint = at_place(table, [&] {
    const Tangential tangential =
        table.contains("tangential") ? tangential_from(table.text("tangential")) : default_tangential(into);
    return joint_of(table.text("model"), read_parameters(table), tangential, table.flag("per_area", false));
  });
}

/// Notes where the file says otherwise than the combination: what a key asks for is not what is computed.
void note_overruled(const TomlTable& file, const Combination& combination, Tangential tangential, BackboneFile& into) {
  const auto note = [&](const std::string& table, const std::string& key, std::string_view set) {
    const auto given = file.find_table(table);
    if (given && given->contains(key) && given->text(key) != set)
      into.notes.push_back(
          fmt::format("{}.{} = \"{}\" is left out: '{}' has {}", table, key, given->text(key), combination.name, set));
  };
  note("joint", "tangential", to_string(tangential));
  note("interface", "contact", to_string(combination.contact));
  note("prestress", "law", to_string(into.options.prestress.law));
}

void apply_combination(const TomlTable& file, const Combination& combination, BackboneFile& into) {
  into.combination = &combination;
  const std::string kind = combination.full_joint ? "full_joint" : "whole_joint";
  if (!into.structure.kind.empty() && into.structure.kind != kind)
    throw InvalidInput(fmt::format("{}: '{}' is for a {} model, this one is {}", file.where("file"), combination.name,
                                   kind, into.structure.kind));
  InterfaceParameters middle = interface_parameters(combination, search_point(combination, 0.5));
  NamedValues values = std::move(middle.law);
  values.emplace_back("normal_stiffness", middle.normal_stiffness);
  const auto table = file.find_table("joint");
  if (table) {
    if (table->contains("model") && table->text("model") != combination.model)
      throw InvalidInput(fmt::format("{}: '{}' has model {}, the file says {}", table->where("model"), combination.name,
                                     combination.model, table->text("model")));
    for (const auto& given : read_parameters(*table)) {
      const auto found =
          std::find_if(values.begin(), values.end(), [&](const auto& known) { return known.first == given.first; });
      if (found == values.end())
        values.push_back(given);
      else
        found->second = given.second;
    }
    if (!table->flag("per_area", true))
      throw InvalidInput(fmt::format("{}: the parameters of a combination are per area", table->where("per_area")));
  }
  const Tangential tangential = combination.full_joint ? Tangential::coupled : Tangential::separate;
  const auto make = [&] { return joint_of(combination.model, values, tangential, true); };
  into.joint = table ? at_place(*table, make) : make();
  into.structure.interface->contact = combination.contact;
  set_up(into.options, combination);
  note_overruled(file, combination, tangential, into);
  if (!combination.viscous && into.options.damping_ratio > 0) {
    into.options.damping_ratio = 0;
    into.notes.push_back(fmt::format("damping.ratio is left out: '{}' has no viscous damping", combination.name));
  }
}

void read_prestress(const TomlTable& file, BackboneFile& into) {
  const auto table = file.find_table("prestress");
  if (!table) return;
  table->only({"force", "scale", "law"});
  System& system = into.structure.system;
  if (table->contains("force")) system.prestress = read_vector(*table, "force", into.inputs);
  if (system.prestress.size() == 0)
    throw InvalidInput(fmt::format("{}: force is missing: one value per coordinate", table->where()));
  if (system.prestress.size() != system.size())
    throw InvalidInput(fmt::format("{} has {} values, the system has {} coordinates", table->where("force"),
                                   system.prestress.size(), system.size()));
  into.options.prestress.preload = finite(table->where("scale"), table->number("scale", 1));
  if (table->contains("law"))
    into.options.prestress.law = at_place(*table, [&] { return prestress_law_from(table->text("law")); });
}

void read_sensors(const TomlTable& file, BackboneFile& into) {
  const std::vector<TomlTable> tables = file.tables("sensor");
  System& system = into.structure.system;
  if (!tables.empty()) system.sensors.clear();
  for (const TomlTable& table : tables) {
    table.only({"name", "row"});
    Sensor sensor{.name = table.text("name"), .row = read_vector(table, "row", into.inputs)};
    if (sensor.row.size() != system.size())
      throw InvalidInput(fmt::format("{} has {} values, the system has {} coordinates", table.where("row"),
                                     sensor.row.size(), system.size()));
    system.sensors.push_back(std::move(sensor));
  }
}

}  // namespace

BackboneFile read_backbone_file(const std::filesystem::path& path, const std::string& name) {
  const TomlTable file = TomlTable::read(path);
  file.only({"file", "system", "prestress", "interface", "joint", "damping", "sensor", "combination"});
  BackboneFile into;
  into.inputs.push_back(path);
  if (const auto system = file.find_table("system"); system && system->contains("damping"))
    throw InvalidInput(fmt::format("{}: a backbone takes viscous damping as [damping] ratio, not as a matrix",
                                   system->where("damping")));
  into.structure = read_structure_file(file, into.inputs);
  if (!into.structure.interface)
    throw InvalidInput(
        fmt::format("{}: [interface] is missing: map and areas say where the joint acts", path.string()));
  read_prestress(file, into);
  read_sensors(file, into);
  if (const auto damping = file.find_table("damping")) {
    damping->only({"ratio"});
    into.options.damping_ratio = non_negative(damping->where("ratio"), damping->number("ratio"));
  }
  if (!name.empty())
    apply_combination(file, combination_named(name), into);
  else if (file.contains("combination"))
    apply_combination(
        file, at_place(file, [&]() -> const Combination& { return combination_named(file.text("combination")); }),
        into);
  else
    read_joint(file, into);
  return into;
}

std::vector<double> logarithmic_range(const std::string& text, const std::string& what) {
  const auto [low, high, n] = parse_range(text, what, most_amplitudes);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(n - 1));
  values.back() = high;
  return values;
}

}  // namespace microslip::verbs
