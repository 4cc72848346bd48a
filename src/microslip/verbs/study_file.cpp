#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/modal/small_motion.hpp>
#include <microslip/study/joint_forward.hpp>
#include <microslip/verbs/at_place.hpp>
#include <microslip/verbs/reduce.hpp>
#include <microslip/verbs/study_file.hpp>

namespace microslip::verbs {

namespace {

using io::TomlTable;
using study::Entry;
using study::Measured;
using study::Method;

std::string chosen(const TomlTable& table, const std::string& key, const std::string& fallback,
                   const std::vector<std::string>& known) {
  std::string value = table.text(key, fallback);
  if (std::find(known.begin(), known.end(), value) == known.end())
    throw InvalidInput(fmt::format("{}: unknown '{}'{}", table.where(key), value, suggestion(value, known)));
  return value;
}

/// One reduced model with either kind of normal contact, each put together once.
class Structures {
 public:
  explicit Structures(const TomlTable& table) : table_(table) {
    table.only({"file", "full_joint", "preload"});
    preload_ = table.number("preload");
    positive(table.where("preload"), preload_);
    add("file");
    if (table.contains("full_joint")) add("full_joint");
  }

  [[nodiscard]] double preload() const { return preload_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

  const ReducedModel& model(bool full_joint) {
    const auto found = models_.find(full_joint);
    if (found == models_.end())
      throw InvalidInput(fmt::format("{}: a {} model is needed, and none is named", table_.where(),
                                     full_joint ? "full_joint" : "whole_joint"));
    return found->second;
  }

  std::shared_ptr<const JointedSystem> system(bool full_joint, Contact contact) {
    auto& slot = systems_[{full_joint, contact}];
    if (!slot) {
      const ReducedModel& from = model(full_joint);
      Interface interface = from.interface;
      interface.contact = contact;
      const bool beside = full_joint && table_.contains("full_joint");
      slot = std::make_shared<JointedSystem>(from.system, std::move(interface),
                                             table_.where(beside ? "full_joint" : "file"));
    }
    return slot;
  }

 private:
  void add(const std::string& key) {
    const auto path = table_.file(key);
    files_.push_back(path);
    ReducedModel model = read_reduced_model(path);
    const bool full = model.record.kind == "full_joint";
    if (key == "full_joint" && !full)
      throw InvalidInput(fmt::format("{}: {} is a {} model", table_.where(key), path.string(), model.record.kind));
    if (!models_.emplace(full, std::move(model)).second)
      throw InvalidInput(fmt::format("{}: {} is a full_joint model, and so is file; name the whole_joint one there",
                                     table_.where(key), path.string()));
  }

  const TomlTable& table_;
  double preload_ = 0;
  std::vector<std::filesystem::path> files_;
  std::map<bool, ReducedModel> models_;
  std::map<std::pair<bool, Contact>, std::shared_ptr<const JointedSystem>> systems_;
};

Measured read_backbone(const std::filesystem::path& path, int mode) {
  const io::Table table = io::read_csv(path);
  if (table.header.empty())
    throw InvalidInput(
        fmt::format("{}: a header with amplitude,frequency_hz,damping_ratio is expected", path.string()));
  Measured measured;
  measured.mode = mode;
  measured.backbone.amplitude = table.column("amplitude");
  measured.backbone.frequency_hz = table.column("frequency_hz");
  measured.backbone.damping_ratio = table.column("damping_ratio");
  if (table.has_column("frequency_band")) measured.frequency_band = table.column("frequency_band");
  if (table.has_column("damping_band")) measured.damping_band = table.column("damping_band");
  return study::checked(std::move(measured), path.string());
}

int to_mode(const TomlTable& table, const std::string& key) {
  int mode = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), mode);
  if (error != std::errc() || end != key.data() + key.size() || mode < 1)
    throw InvalidInput(fmt::format("{}: a mode's number, from 1, is expected, got '{}'", table.where(key), key));
  return mode;
}

std::vector<int> read_modes(const TomlTable& table, const std::string& key) {
  std::vector<int> modes;
  for (double number : table.numbers(key)) {
    if (number != std::floor(number) || number < 1 || number > 1e6)
      throw InvalidInput(fmt::format("{}: modes are whole numbers from 1, got {}", table.where(key), number));
    modes.push_back(static_cast<int>(number));
  }
  return modes;
}

/// The backbones of the modes that are fitted or predicted, and where each comes from.
std::vector<std::filesystem::path> read_measured(const TomlTable& table, StudyCase& into) {
  table.only({"mode", "fit", "predict", "sensor"});
  const TomlTable files = table.table("mode");
  std::map<int, std::filesystem::path> by_mode;
  for (const std::string& key : files.keys()) by_mode[to_mode(files, key)] = files.file(key);
  const std::vector<int> fit = read_modes(table, "fit");
  std::vector<int> wanted = fit;
  if (table.contains("predict")) {
    for (int mode : read_modes(table, "predict")) wanted.push_back(mode);
  } else {
    for (const auto& [mode, path] : by_mode) wanted.push_back(mode);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<std::filesystem::path> sources;
  for (int mode : wanted) {
    const auto found = by_mode.find(mode);
    const bool fitted = std::find(fit.begin(), fit.end(), mode) != fit.end();
    if (found == by_mode.end())
      throw InvalidInput(
          fmt::format("{}: mode {} has no backbone in measured.mode", table.where(fitted ? "fit" : "predict"), mode));
    if (fitted) into.study.fit.push_back(into.study.measured.size());
    into.study.measured.push_back(read_backbone(found->second, mode));
    into.inputs.push_back(input_of(found->second));
    sources.push_back(found->second);
  }
  for (const auto& [mode, path] : by_mode)
    if (std::find(wanted.begin(), wanted.end(), mode) == wanted.end())
      into.notes.push_back(fmt::format("mode {} is neither fitted nor predicted: {} is not used", mode, path.string()));
  if (into.study.fit.empty()) throw InvalidInput(fmt::format("{}: no mode is fitted", table.where("fit")));
  return sources;
}

/// What a combination of one's own starts from: the paper's of the same model that is nearest to it in framework,
/// interface and spring, or what the parameter table says of a law that the paper does not have.
Combination template_of(const TomlTable& table, const std::string& model) {
  std::vector<std::string> models;
  for (const LawInfo& law : law_table()) models.push_back(law.name);
  const auto found = std::find(models.begin(), models.end(), model);
  if (found == models.end())
    throw InvalidInput(fmt::format("{}: unknown model '{}'{}", table.where("model"), model, suggestion(model, models)));
  Combination c = study::own_combination(law_table()[static_cast<std::size_t>(found - models.begin())]);
  const bool full = chosen(table, "interface", "whole_joint", {"whole_joint", "full_joint"}) == "full_joint";
  const auto published = [&](const Combination& other) { return other.model == model; };
  const bool own = std::none_of(combinations().begin(), combinations().end(), published);
  const bool reversal = chosen(table, "framework", full || (own && !c.masing) ? "reversal" : "masing",
                               {"masing", "reversal"}) == "reversal";
  // The best match decides which parameters are searched; what it lacks is changed afterwards.
  int best_score = -1;
  for (const Combination& other : combinations()) {
    if (!published(other)) continue;
    const bool spring = std::any_of(other.spans.begin(), other.spans.end(),
                                    [](const auto& s) { return s.name == "post_slip_stiffness"; });
    const int score =
        8 * (other.masing != reversal) + 4 * (other.full_joint == full) + 2 * other.viscous + static_cast<int>(!spring);
    if (score > best_score) c = other, best_score = score;
  }
  c.full_joint = full;
  c.masing = !reversal;
  c.boundary_intersection = c.boundary_intersection && c.masing;
  c.viscous = true;
  return c;
}

bool known_combination(const std::string& name) {
  try {
    (void)combination_named(name);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

Combination read_combination(const TomlTable& table) {
  table.only({"name", "model", "interface", "framework", "viscous", "method", "contact", "prestress", "post_slip",
              "penalise_residuals", "bounds", "start", "seeded_from"});
  const std::string name = table.text("name");
  Combination c;
  if (known_combination(name)) {
    c = combination_named(name);
    const auto agrees = [&](const std::string& key, const std::string& own) {
      if (table.contains(key) && table.text(key) != own)
        throw InvalidInput(fmt::format("{}: '{}' has {} '{}', got '{}'; give another name to a combination of your own",
                                       table.where(key), name, key, own, table.text(key)));
    };
    agrees("model", c.model);
    agrees("framework", c.masing ? "masing" : "reversal");
    agrees("interface", c.full_joint ? "full_joint" : "whole_joint");
  } else {
    if (!table.contains("model"))
      at_place(table, "name", [&] { return combination_named(name); });  // refuses, with the nearest known name
    c = template_of(table, table.text("model"));
    c.name = c.key = name;
  }
  c.viscous = table.flag("viscous", c.viscous);
  c.contact = at_place(table, "contact",
                       [&] { return contact_from(table.text("contact", std::string(to_string(c.contact)))); });
  c.conservative_prestress = chosen(table, "prestress", c.conservative_prestress ? "conservative" : "full",
                                    {"full", "conservative"}) == "conservative";
  c.penalise_residuals = table.flag("penalise_residuals", c.penalise_residuals);
  c.boundary_intersection = chosen(table, "method", c.boundary_intersection ? "boundary_intersection" : "nsga2",
                                   {"boundary_intersection", "nsga2"}) == "boundary_intersection";
  const auto spring =
      std::find_if(c.spans.begin(), c.spans.end(), [](const auto& span) { return span.name == "post_slip_stiffness"; });
  const bool has_spring = spring != c.spans.end(), wants = table.flag("post_slip", has_spring);
  if (wants && !has_spring) c.spans.insert(c.spans.end() - 1, {"post_slip_stiffness", 8, 11, true});
  if (!wants && has_spring) {
    if (c.model == "valanis" || c.model == "prager" || c.model == "jenkins_prager")
      throw InvalidInput(fmt::format("{}: {} is not {} without it", table.where("post_slip"), c.model, c.model));
    c.spans.erase(spring);
  }
  return c;
}

/// Bounds and start of an entry, in values of the parameters (not logarithms), where the file gives them.
void read_bounds(const TomlTable& table, Entry& entry) {
  std::vector<std::string> names;
  for (const ParameterSpan& span : entry.spans) names.push_back(span.name);
  const auto coordinate = [&](const TomlTable& of, const std::string& key, const ParameterSpan& span, double value) {
    if (!span.logarithmic) return finite(of.where(key), value);
    return std::log10(positive(of.where(key), value));
  };
  if (const auto bounds = table.find_table("bounds")) {
    bounds->only(names);
    for (ParameterSpan& span : entry.spans) {
      if (!bounds->contains(span.name)) continue;
      const std::vector<double> pair = bounds->numbers(span.name);
      if (pair.size() != 2)
        throw InvalidInput(
            fmt::format("{}: [lower, upper] is expected, got {} numbers", bounds->where(span.name), pair.size()));
      if (!(pair[0] <= pair[1]))
        throw InvalidInput(
            fmt::format("{}: the bounds are upside down, [{}, {}]", bounds->where(span.name), pair[0], pair[1]));
      span.lower = coordinate(*bounds, span.name, span, pair[0]);
      span.upper = coordinate(*bounds, span.name, span, pair[1]);
    }
  }
  for (std::size_t j = 0; j < entry.spans.size(); ++j) {
    const ParameterSpan& span = entry.spans[j];
    if (std::isnan(span.lower))
      throw InvalidInput(
          fmt::format("{}: no other law has a parameter '{}': give its bounds = {{ {} = [lower, upper] }}",
                      table.where("model"), span.name, span.name));
    if (std::isnan(entry.start[j])) entry.start[j] = std::midpoint(span.lower, span.upper);
    entry.start[j] = std::clamp(entry.start[j], span.lower, span.upper);
  }
  if (const auto start = table.find_table("start")) {
    start->only(names);
    for (std::size_t j = 0; j < entry.spans.size(); ++j) {
      const ParameterSpan& span = entry.spans[j];
      if (!start->contains(span.name)) continue;
      entry.start[j] = coordinate(*start, span.name, span, start->number(span.name));
      if (entry.start[j] < span.lower || entry.start[j] > span.upper)
        throw InvalidInput(fmt::format("{}: the start lies outside of the bounds", start->where(span.name)));
    }
  }
}

Entry entry_of(const Combination& c) {
  Entry entry;
  entry.name = c.name;
  entry.method = c.boundary_intersection ? Method::boundary_intersection : Method::nsga2;
  entry.penalised = c.penalise_residuals;
  entry.spans = study::search_spans(c);
  entry.below = study::below_of(c);
  entry.start = search_point(c, 0.5);
  for (std::size_t j = 0; j < entry.spans.size(); ++j)
    entry.start[j] = std::clamp(entry.start[j], entry.spans[j].lower, entry.spans[j].upper);
  return entry;
}

const std::vector<std::string> group_names{"all-26", "whole-joint-masing", "whole-joint-reversal", "no-viscous",
                                           "full-joint"};

/// The combinations that a name stands for: one, or a group of the paper's [Porter2022, section 2].
std::vector<Combination> combinations_of(const std::string& name) {
  const auto in_group = [&](const Combination& c) {
    if (name == "all-26") return true;
    if (name == "full-joint") return c.full_joint;
    if (name == "no-viscous") return !c.viscous;
    return !c.full_joint && c.viscous && c.masing == (name == "whole-joint-masing");
  };
  if (std::find(group_names.begin(), group_names.end(), name) == group_names.end()) {
    if (known_combination(name)) return {combination_named(name)};
    std::vector<std::string> known = group_names;
    for (const Combination& c : combinations()) known.push_back(c.key);
    throw InvalidInput(fmt::format("unknown combination '{}'{}", name, suggestion(name, known)));
  }
  std::vector<Combination> group;
  for (const Combination& c : combinations())
    if (in_group(c)) group.push_back(c);
  return group;
}

void read_combinations(const TomlTable& file, StudyCase& into) {
  if (file.contains("combinations")) {
    const std::vector<std::string> names =
        file.is_text("combinations") ? std::vector{file.text("combinations")} : file.texts("combinations");
    for (const std::string& name : names)
      for (const Combination& c : at_place(file, "combinations", [&] { return combinations_of(name); })) {
        into.combinations.push_back(c);
        into.study.entries.push_back(entry_of(c));
      }
  }
  for (const TomlTable& table : file.tables("combination")) {
    const Combination c = read_combination(table);
    Entry entry = entry_of(c);
    read_bounds(table, entry);
    if (table.contains("seeded_from")) {
      const std::string from = table.text("seeded_from");
      std::vector<std::string> before;
      for (std::size_t e = 0; e < into.study.entries.size(); ++e) {
        before.push_back(into.study.entries[e].name);
        if (before.back() == from) entry.seeded_from = e;
      }
      if (!entry.seeded_from)
        throw InvalidInput(fmt::format("{}: no combination '{}' stands before this one{}", table.where("seeded_from"),
                                       from, suggestion(from, before)));
    }
    into.combinations.push_back(c);
    into.study.entries.push_back(std::move(entry));
  }
  if (into.study.entries.empty())
    throw InvalidInput(fmt::format("{}: no [[combination]] and no combinations = \"all-26\"", file.where()));
  for (std::size_t e = 0; e < into.study.entries.size(); ++e)
    for (std::size_t other = 0; other < e; ++other)
      if (into.study.entries[e].name == into.study.entries[other].name)
        throw InvalidInput(
            fmt::format("{}: two combinations are named '{}'", file.where(), into.study.entries[e].name));
}

void read_budget(const TomlTable& file, study::Study& study) {
  const auto table = file.find_table("budget");
  if (!table) return;
  table->only({"seed", "members", "generations", "last_generations", "angles", "scouts", "seeds"});
  study::Budget& b = study.budget;
  const std::int64_t seed = table->integer("seed", 1);
  if (seed < 0) throw InvalidInput(fmt::format("{} must be >= 0, got {}", table->where("seed"), seed));
  b.seed = static_cast<std::uint64_t>(seed);
  for (const auto& [key, number, least] : {std::tuple{"members", &b.members, 8},
                                           {"generations", &b.generations, 1},
                                           {"last_generations", &b.last_generations, 1},
                                           {"angles", &b.angles, 1},
                                           {"scouts", &b.scouts, 0},
                                           {"seeds", &b.seeds, 0}}) {
    const std::int64_t value = table->integer(key, *number);
    if (value < least || value > 1'000'000)
      throw InvalidInput(fmt::format("{} must lie in [{}, 1000000], got {}", table->where(key), least, value));
    *number = static_cast<int>(value);
  }
  if (b.members % 4 != 0)
    throw InvalidInput(fmt::format("{} must be a multiple of 4, got {}", table->where("members"), b.members));
}

/// Amplitudes in modal coordinates and the check that the structure may move so far.
std::vector<study::JointForward::Mode> modes_of(const StudyCase& from, const Entry& entry, const Combination& c,
                                                const JointedSystem& system, const std::string& sensor,
                                                const std::vector<std::filesystem::path>& sources) {
  int last = 0;
  for (const Measured& m : from.study.measured) last = std::max(last, m.mode);
  if (last >= static_cast<int>(system.size()))
    throw InvalidInput(fmt::format("{}: mode {} of a model with {} coordinates", entry.name, last, system.size()));
  const LinearModes linear =
      linear_modes(system, joint_at(c, entry.start), last, rqnma_options(c, from.preload).prestress);
  std::vector<study::JointForward::Mode> modes;
  for (std::size_t m = 0; m < from.study.measured.size(); ++m) {
    const Measured& measured = from.study.measured[m];
    const Eigen::VectorXd shape = linear.shapes.col(measured.mode - 1);
    study::JointForward::Mode mode{.number = measured.mode, .amplitudes = measured.backbone.amplitude, .viscous = 0};
    const double reach = largest_motion(system.system(), system.interface(), shape);
    for (const Sensor& s : system.system().sensors) {
      if (s.name != sensor) continue;
      const double at = std::abs(s.row.dot(shape));
      if (!(at > 1e-6))
        throw InvalidInput(fmt::format("sensor {} stands still in mode {}: its amplitudes say nothing about it", sensor,
                                       measured.mode));
      for (double& q : mode.amplitudes) q /= at;
    }
    if (const double most = reach * mode.amplitudes.back(); most > motion_limit(system.interface()))
      throw InvalidInput(fmt::format(
          "{}: amplitude {:g} leaves the model's range: mode {} then moves by {:.3g} m, more than a tenth of the "
          "interface's size ({:.3g} m)",
          sources[m].string(), measured.backbone.amplitude.back(), measured.mode, most,
          interface_size(system.interface())));
    if (c.viscous) mode.viscous = measured.backbone.damping_ratio.front();
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace

StudyCase read_study(const std::filesystem::path& path) {
  const TomlTable file = TomlTable::read(path);
  file.only({"structure", "measured", "combination", "combinations", "budget", "area", "title"});
  StudyCase into;
  into.title = file.text("title", "Model-form study");
  into.inputs.push_back(input_of(path));
  const TomlTable structure = file.table("structure");
  Structures structures(structure);
  into.preload = structures.preload();
  for (const auto& name : structures.files()) into.inputs.push_back(input_of(name));
  const TomlTable measured = file.table("measured");
  const std::vector<std::filesystem::path> sources = read_measured(measured, into);
  const std::string sensor = measured.text("sensor", "");
  read_budget(file, into.study);
  if (const auto area = file.find_table("area")) {
    area->only({"frequency", "damping"});
    into.study.box_upper = {positive(area->where("frequency"), area->number("frequency", 0.17)),
                            positive(area->where("damping"), area->number("damping", 0.5))};
  }
  read_combinations(file, into);

  study::Fingerprint inputs;
  for (const auto& name : structures.files()) inputs.add(io::read_file(name));
  inputs.add(into.preload);
  for (std::size_t e = 0; e < into.study.entries.size(); ++e) {
    Entry& entry = into.study.entries[e];
    const Combination& c = into.combinations[e];
    const auto system = structures.system(c.full_joint, c.contact);
    if (!sensor.empty()) {
      std::vector<std::string> known;
      for (const Sensor& s : system->system().sensors) known.push_back(s.name);
      if (std::find(known.begin(), known.end(), sensor) == known.end())
        throw InvalidInput(
            fmt::format("{}: unknown sensor '{}'{}", measured.where("sensor"), sensor, suggestion(sensor, known)));
    }
    const auto modes = modes_of(into, entry, c, *system, sensor, sources);
    std::vector<double> amplitudes;
    for (const auto& mode : modes) {
      amplitudes.insert(amplitudes.end(), mode.amplitudes.begin(), mode.amplitudes.end());
      inputs.add(mode.amplitudes).add(mode.viscous);
    }
    into.modal_amplitude.push_back(std::move(amplitudes));
    inputs.add(c.model).add(static_cast<double>(8 * c.full_joint + 4 * c.masing + 2 * c.conservative_prestress +
                                                (c.contact == Contact::penalty ? 1 : 0)));
    entry.forward = std::make_shared<study::JointForward>(system, c, into.preload, modes);
  }
  into.study.inputs = inputs.value();
  at_place(file, [&] { study::check(into.study); });
  return into;
}

}  // namespace microslip::verbs
