#include <algorithm>
#include <array>
#include <map>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/verbs/choice.hpp>
#include <microslip/verbs/simulate_file.hpp>

namespace microslip::verbs {

namespace {

using io::TomlTable;

SampledLoad read_table_load(const TomlTable& table, SimulateFile& into) {
  const std::filesystem::path path = table.file("file");
  into.inputs.push_back(path);
  const io::Table samples = io::read_csv(path);
  const std::string time = table.text("time_column", "time"), value = table.text("value_column", "force");
  SampledLoad load;
  if (samples.header.empty() && samples.columns.size() == 2) {
    load = {samples.columns[0], samples.columns[1]};
  } else if (samples.header.empty()) {
    throw InvalidInput(fmt::format("{}: a header that names '{}' and '{}', or two columns without one, are expected",
                                   path.string(), time, value));
  } else {
    load = {samples.column(time), samples.column(value)};
  }
  std::vector<std::string> where;
  for (std::size_t i = 0; i < samples.n_rows(); ++i) where.push_back(samples.where(i));
  if (where.empty()) where.push_back(path.string());
  load = without_gaps(std::move(load), where);
  const double scale = table.number("amplitude", 1);
  for (double& x : load.value) x *= scale;
  return load;
}

const std::vector<std::string> load_kinds{"half_sine", "haversine", "sine", "sweep", "table", "noise", "base", "none"};

/// Beside kind, motion, start, row and sensor.
const std::map<std::string, std::vector<std::string>> keys_of_kind{
    {"half_sine", {"amplitude", "duration"}},
    {"haversine", {"amplitude", "duration"}},
    {"sine", {"amplitude", "frequency_hz", "phase", "duration"}},
    {"sweep", {"amplitude", "from_hz", "to_hz", "duration", "spacing"}},
    {"table", {"amplitude", "file", "time_column", "value_column"}},
    {"noise", {"amplitude", "rate_hz", "duration", "seed"}},
    {"none", {}}};

/// Refuses what a kind of load has no use for; `only` has told misspelt keys before.
void check_keys(const TomlTable& table, const std::string& kind, bool base) {
  const auto taken = keys_of_kind.find(kind);
  if (taken == keys_of_kind.end()) return;  // an unknown kind is told by name
  std::vector<std::string> known{"kind", "start", "row", "sensor"};
  if (base) known.emplace_back("motion");
  known.insert(known.end(), taken->second.begin(), taken->second.end());
  for (const std::string& key : table.keys())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidInput(fmt::format("{} means nothing to a load of kind '{}'", table.where(key), kind));
}

Load::Kind read_kind(const TomlTable& table, const std::string& kind, const std::string& key, SimulateFile& into) {
  const auto amplitude = [&] { return table.number("amplitude"); };
  if (kind == "half_sine") return HalfSine{amplitude(), table.number("duration")};
  if (kind == "haversine") return Haversine{amplitude(), table.number("duration")};
  if (kind == "sine") {
    Sine sine{amplitude(), table.number("frequency_hz"), table.number("phase", 0)};
    if (table.contains("duration")) sine.duration = table.number("duration");
    return sine;
  }
  if (kind == "sweep") {
    const std::string spacing = table.text("spacing", "linear");
    if (spacing != "linear" && spacing != "logarithmic")
      throw InvalidInput(fmt::format("{} must be linear or logarithmic, got '{}'", table.where("spacing"), spacing));
    return Sweep{amplitude(), table.number("from_hz"), table.number("to_hz"), table.number("duration"),
                 spacing == "logarithmic"};
  }
  if (kind == "table") return read_table_load(table, into);
  if (kind == "noise") {
    const std::int64_t seed = table.integer("seed");
    if (seed < 0) throw InvalidInput(fmt::format("{} must be >= 0, got {}", table.where("seed"), seed));
    into.seed = static_cast<std::uint64_t>(seed);
    return noise(amplitude(), table.number("rate_hz"), table.number("duration"), *into.seed);
  }
  if (kind == "none") return NoLoad{};
  throw InvalidInput(
      fmt::format("{}: unknown kind of load '{}'{}", table.where(key), kind, suggestion(kind, load_kinds)));
}

void read_starts(const TomlTable& file, SimulateFile& into) {
  const std::size_t n = into.model.size();
  const auto fill = [&](const TomlTable& table, const std::string& key, double ModeStart::*member) {
    if (!table.contains(key)) return;
    const std::vector<double> values = table.numbers(key);
    if (values.size() != n)
      throw InvalidInput(
          fmt::format("{} has {} values, one per mode ({}) is expected", table.where(key), values.size(), n));
    into.starts.resize(n);
    for (std::size_t k = 0; k < n; ++k) into.starts[k].*member = values[k];
  };
  if (const auto initial = file.find_table("initial")) {
    initial->only({"displacement", "velocity"});
    fill(*initial, "displacement", &ModeStart::displacement);
    fill(*initial, "velocity", &ModeStart::velocity);
  }
  if (const auto prestress = file.find_table("prestress")) {
    prestress->only({"force"});
    fill(*prestress, "force", &ModeStart::static_force);
  }
}

OutputPlan read_output(const TomlTable& file) {
  OutputPlan plan;
  const auto table = file.find_table("output");
  if (!table) return plan;
  table->only({"quantities", "every"});
  plan.every = table->integer("every", 1);
  if (plan.every < 1)
    throw InvalidInput(fmt::format("{} must be at least 1, got {}", table->where("every"), plan.every));
  if (!table->contains("quantities")) return plan;
  plan.displacement = plan.velocity = plan.acceleration = plan.envelope = false;
  const std::vector<std::string> known{"displacement", "velocity", "acceleration", "amplitude"};
  for (const std::string& quantity : table->texts("quantities")) {
    const auto found = std::find(known.begin(), known.end(), quantity);
    if (found == known.end())
      throw InvalidInput(fmt::format("{}: unknown quantity '{}'{}", table->where("quantities"), quantity,
                                     suggestion(quantity, known)));
    std::array<bool*, 4> flags{&plan.displacement, &plan.velocity, &plan.acceleration, &plan.envelope};
    *flags[static_cast<std::size_t>(found - known.begin())] = true;
  }
  return plan;
}

}  // namespace

Excitation read_load(const TomlTable& file, SimulateFile& into) {
  const auto table = file.find_table("load");
  if (!table) return {};
  table->only({"kind", "motion", "amplitude", "duration", "start", "frequency_hz", "phase", "from_hz", "to_hz",
               "spacing", "file", "time_column", "value_column", "seed", "rate_hz", "row", "sensor"});
  const std::string kind = table->text("kind");
  into.load_kind = kind;
  const bool base = kind == "base";
  const std::string shape = base ? table->text("motion") : kind;
  check_keys(*table, shape, base);
  return at_place(*table, [&] {
    return Excitation{Load(read_kind(*table, shape, base ? "motion" : "kind", into), table->number("start", 0)), base};
  });
}

SimulateFile read_simulate_file(const std::filesystem::path& path) {
  const TomlTable file = TomlTable::read(path);
  file.only({"mode", "sensor", "load", "initial", "prestress", "time", "output", "newmark", "averaging", "file",
             "system", "interface", "joint", "damping"});
  SimulateFile into;
  into.inputs.push_back(path);
  const bool has_matrices = file.contains("system") || file.contains("file");
  if (has_matrices == file.contains("mode"))
    throw InvalidInput(fmt::format("{}: either [[mode]], or [system] (or file = \"...\"), is expected", path.string()));
  if (has_matrices) {
    read_structure(file, into);
  } else {
    for (const char* key : {"interface", "joint", "damping"})
      if (file.contains(key)) throw InvalidInput(fmt::format("{} belongs to [system], not to modes", file.where(key)));
    if (const auto load = file.find_table("load"))
      for (const char* key : {"row", "sensor"})
        if (load->contains(key))
          throw InvalidInput(
              fmt::format("{} belongs to [system]; a load on modes acts by their load_shape", load->where(key)));
    if (const TomlTable time = file.table("time"); time.contains("retain_below_hz"))
      throw InvalidInput(fmt::format("{} belongs to [system]; of [[mode]] rows leave out the fast ones",
                                     time.where("retain_below_hz")));
    into.model = read_modes(file);
    read_starts(file, into);
  }
  into.excitation = read_load(file, into);
  const TomlTable time = file.table("time");
  time.only({"end", "steps_per_period", "step", "accuracy", "retain_below_hz"});
  if (time.contains("retain_below_hz")) into.retain_below_hz = time.number("retain_below_hz");
  into.end = time.number("end");
  if (time.contains("steps_per_period")) into.step.steps_per_period = time.number("steps_per_period");
  if (time.contains("step")) into.step.step = time.number("step");
  if (time.contains("accuracy")) into.step.accuracy = time.number("accuracy");
  into.output = read_output(file);
  if (const auto newmark = file.find_table("newmark")) {
    newmark->only({"hht_alpha", "tolerance", "max_iterations", "max_halvings"});
    into.newmark.hht_alpha = newmark->number("hht_alpha", 0);
    into.newmark.tolerance = newmark->number("tolerance", into.newmark.tolerance);
    into.newmark.max_iterations = static_cast<int>(newmark->integer("max_iterations", into.newmark.max_iterations));
    into.newmark.max_halvings = static_cast<int>(newmark->integer("max_halvings", into.newmark.max_halvings));
    at_place(*newmark, [&] { return checked(into.newmark); });
  }
  if (const auto averaging = file.find_table("averaging")) {
    averaging->only({"properties"});
    into.properties = simulation_properties_from(averaging->text("properties", "exact"));
  }
  return into;
}

double shortest_period(const SimulateFile& file) {
  if (!file.structure) return microslip::shortest_period(file.model);
  double fastest = 0;
  for (const double hz : low_amplitude_frequencies_hz(*file.structure))
    if (!file.retain_below_hz || hz <= *file.retain_below_hz) fastest = std::max(fastest, hz);
  if (!(fastest > 0))
    throw InvalidInput(file.retain_below_hz
                           ? "time.retain_below_hz: the structure has no elastic mode below it"
                           : "system.stiffness: the structure has no elastic mode, so no step follows");
  return 1 / fastest;
}

Properties simulation_properties_from(const std::string& name) {
  return choice<Properties, 2>("properties", name, {{{"exact", Properties::exact}, {"paper", Properties::paper}}});
}

Method simulation_method_from(const std::string& name) {
  return choice<Method, 3>(
      "method", name, {{{"newmark", Method::newmark}, {"averaging", Method::averaging}, {"hybrid", Method::hybrid}}});
}

}  // namespace microslip::verbs
