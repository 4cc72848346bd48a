#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/text.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/joints/amplitude_curves.hpp>
#include <microslip/joints/describing_function.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/verbs/loop.hpp>

namespace microslip::verbs {

namespace {

int points_of(const LoopOptions& options) { return options.points.value_or(200); }

/// Refuses what a history has no use for: the law is followed as it is, from one displacement to the next.
void check_taken_along_history(const LoopOptions& options) {
  for (const auto& [given, option] :
       {std::pair{options.framework.has_value(), "--framework"}, std::pair{options.points.has_value(), "--points"}})
    if (given) throw InvalidInput(fmt::format("loop: {} goes with --amplitude, not with --history", option));
  if (options.normal_stiffness) positive("loop: normal stiffness", *options.normal_stiffness);
}

struct Cycle {
  std::size_t from, to;
  double range;  ///< of the displacement between them
};

/// Between two visits of the largest (or smallest) displacement a cycle closes, and the outermost is the widest: a
/// minor loop may close there as well. The last among equals.
std::optional<Cycle> last_outermost_cycle(const std::vector<double>& u) {
  const auto [least, most] = std::minmax_element(u.begin(), u.end());
  const double near = 1e-9 * (*most - *least);
  std::optional<Cycle> widest;
  for (const double extreme : {*most, *least}) {
    std::optional<std::size_t> before;
    double range = 0;  // since then
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double away = std::abs(u[i] - extreme);
      range = std::max(range, away);
      if (away > near) continue;
      const bool wider = !widest || range > widest->range + near;
      const bool later = widest && range >= widest->range - near && i > widest->to;
      if (before && range > near && (wider || later)) widest = Cycle{*before, i, range};
      before = i;
      range = 0;
    }
  }
  return widest;
}

/// A displacement history, with the normal force along it where the file has one.
struct History {
  std::vector<double> displacement;
  std::vector<double> normal_force;
};

History read_history(const std::filesystem::path& path, std::optional<double> normal_stiffness) {
  const io::Table table = io::read_csv(path);
  if (table.n_rows() == 0) throw InvalidInput(fmt::format("{}: no displacements in it", path.string()));
  if (normal_stiffness && (table.header.empty() || !table.has_column("normal_displacement")))
    throw InvalidInput(fmt::format("{}: --normal-stiffness goes with a column normal_displacement, which is not there",
                                   path.string()));
  if (table.columns.size() == 1 && table.header.empty()) return {table.columns.front(), {}};
  if (table.header.empty())
    throw InvalidInput(
        fmt::format("{}: {} columns without a header; name one 'displacement'", path.string(), table.columns.size()));
  History history{table.column("displacement"), {}};
  const bool force = table.has_column("normal_force"), displacement = table.has_column("normal_displacement");
  if (force && displacement)
    throw InvalidInput(fmt::format("{}: give either normal_force or normal_displacement, not both", path.string()));
  if (force) history.normal_force = table.column("normal_force");
  if (displacement) {
    if (!normal_stiffness)
      throw InvalidInput(fmt::format("{}: the column normal_displacement needs --normal-stiffness K", path.string()));
    for (const double un : table.column("normal_displacement")) history.normal_force.push_back(*normal_stiffness * un);
  }
  return history;
}

void follow_history(LoopResult& result, const History& history) {
  double total = 0;
  const auto record = [&](const auto& r) {
    total += r.dissipated;
    result.force.push_back(r.force);
    result.tangent.push_back(r.tangent);
    result.dissipated.push_back(total);
  };
  std::visit(
      [&](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        typename Law::State state{};
        if constexpr (std::same_as<Law, ElasticDryFriction<double>>) {
          if (!history.normal_force.empty()) {
            state.normal = history.normal_force.front();
            for (std::size_t i = 0; i < history.displacement.size(); ++i)
              record(law.advance(state, history.displacement[i], history.normal_force[i]));
            return;
          }
        }
        for (const double u : history.displacement) record(law.advance(state, u));
      },
      result.law);
  result.displacement = history.displacement;
  const auto span = [](const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return *high - *low;
  };
  result.secant_stiffness = span(result.force) / span(result.displacement);
  if (const auto cycle = last_outermost_cycle(result.displacement))
    result.dissipation = result.dissipated[cycle->to] - result.dissipated[cycle->from];
}

void need_normal_force(const AnyLaw& law, bool along_history) {
  if (!along_history && lacks_normal_force(law))
    throw InvalidInput(
        "elastic_dry_friction: give normal_force=N, or a history with a column normal_force or normal_displacement");
}

/// The amplitude, if its square, over which losses are taken, still has its digits.
double checked_amplitude(double amplitude) {
  positive("loop: amplitude", amplitude);
  if (!std::isnormal(amplitude * amplitude))
    throw InvalidInput(fmt::format("loop: amplitude must lie between 1.5e-154 and 1.3e154, got {}", amplitude));
  return amplitude;
}

void trace_steady_loop(LoopResult& result, double amplitude, int points) {
  std::visit(
      [&](const auto& law) {
        LoopPath path = trace_loop(law, amplitude, result.framework, points);
        result.displacement = std::move(path.displacement);
        result.force = std::move(path.force);
        result.dissipation = path.dissipation;
        result.secant_stiffness = path.secant_stiffness;
        result.equivalent_stiffness = describing_function(law, amplitude, result.framework).stiffness;
      },
      result.law);
}

std::string loop_json(const LoopOptions& options, const LoopResult& result) {
  io::Json json = begin_result("loop");
  json["model"] = law_name(result.law);
  for (const auto& [name, value] : law_parameters(result.law)) json["parameters"][name] = value;
  json["framework"] = std::string(to_string(result.framework));
  if (options.amplitude) json["amplitude"] = *options.amplitude;
  io::set_numbers(json, "displacement", result.displacement);
  io::set_numbers(json, "force", result.force);
  if (!result.tangent.empty()) io::set_numbers(json, "tangent", result.tangent);
  if (!result.dissipated.empty()) io::set_numbers(json, "dissipated", result.dissipated);
  io::set_number(json, "dissipation", result.dissipation.value_or(std::nan("")));
  io::set_number(json, "secant_stiffness", result.secant_stiffness);
  if (result.equivalent_stiffness) io::set_number(json, "equivalent_stiffness", *result.equivalent_stiffness);
  return io::to_text(json);
}

std::string loop_csv(const LoopResult& result) {
  io::Table table{.source = "",
                  .header = {"displacement", "force"},
                  .units = {},
                  .columns = {result.displacement, result.force},
                  .line_numbers = std::vector<int>(result.force.size()),
                  .warnings = {}};
  if (!result.tangent.empty()) {
    table.header.insert(table.header.end(), {"tangent", "dissipated"});
    table.columns.push_back(result.tangent);
    table.columns.push_back(result.dissipated);
  }
  return io::to_csv(table);
}

std::string loop_text(const LoopResult& result) {
  std::string text = fmt::format("{}\n", law_name(result.law));
  for (const auto& [name, value] : law_parameters(result.law)) text += fmt::format("  {:<20} {:g}\n", name, value);
  text += fmt::format("{:<22} {}\n", "points", result.force.size());
  text += fmt::format("{:<22} {}\n", "dissipation",
                      result.dissipation ? fmt::format("{:.6g} J per cycle", *result.dissipation)
                                         : std::string("none: the history closes no outermost cycle"));
  text += fmt::format("{:<22} {}\n", "secant stiffness",
                      std::isfinite(result.secant_stiffness) ? fmt::format("{:.6g} N/m", result.secant_stiffness)
                                                             : std::string("none: the history does not move"));
  if (result.equivalent_stiffness)
    text += fmt::format("{:<22} {}\n", "equivalent stiffness",
                        std::isfinite(*result.equivalent_stiffness)
                            ? fmt::format("{:.6g} N/m (first harmonic)", *result.equivalent_stiffness)
                            : std::string("not finite"));
  return text;
}

/// Loops at four amplitudes up to the one asked for, so that the page shows how the joint opens up.
report::Figure loops_figure(const LoopOptions& options, const LoopResult& result) {
  report::Figure figure{.id = "loop", .title = "Hysteresis loop"};
  figure.x = {.title = "displacement", .unit = "m"};
  figure.y = {{.title = "force", .unit = "N"}};
  if (options.amplitude) {
    for (const double part : {0.25, 0.5, 0.75}) {
      LoopResult smaller{result.law, result.framework, {}, {}, {}, {}, {}, 0, {}};
      trace_steady_loop(smaller, part * *options.amplitude, points_of(options));
      figure.traces.push_back({.name = fmt::format("{:g} of the amplitude", part),
                               .x = smaller.displacement,
                               .y = smaller.force,
                               .dash = report::Dash::dot});
    }
  }
  figure.traces.push_back({.name = options.amplitude ? fmt::format("amplitude {:g} m", *options.amplitude) : "history",
                           .x = result.displacement,
                           .y = result.force});
  figure.caption =
      options.amplitude ? "The area of a loop is the energy lost per cycle." : "The force along the history.";
  return figure;
}

/// Dissipation and stiffness against amplitude, two decades down from the one asked for.
report::Figure amplitude_figure(double amplitude, const LoopResult& result) {
  report::Figure figure{.id = "amplitude", .title = "Dissipation and stiffness against amplitude"};
  figure.x = {.title = "amplitude", .unit = "m", .scale = report::Scale::log};
  figure.y = {{.title = "dissipation", .unit = "J per cycle", .scale = report::Scale::log},
              {.title = "secant stiffness", .unit = "N/m"}};
  report::Trace loss{.name = "dissipation"}, secant{.name = "secant stiffness", .panel = 1};
  for (int i = 0; i <= 60; ++i) {
    const double a = amplitude * std::pow(10.0, -2 + i / 30.0);
    std::visit(
        [&](const auto& law) {
          loss.x.push_back(a);
          const double d = loop_dissipation(law, a, result.framework);
          loss.y.push_back(d > 0 ? d : std::nan(""));
          secant.x.push_back(a);
          secant.y.push_back(secant_stiffness(law, a, result.framework));
        },
        result.law);
  }
  figure.traces = {std::move(loss), std::move(secant)};
  return figure;
}

report::Page loop_page(const LoopOptions& options, const LoopResult& result) {
  report::Page page{.title = "Hysteresis loop", .subtitle = law_name(result.law)};
  page.verdicts = {
      {.label = "Dissipation",
       .value = result.dissipation ? fmt::format("{:.5g}", *result.dissipation) : "none",
       .unit = "J per cycle"},
      {.label = "Secant stiffness",
       .value = std::isfinite(result.secant_stiffness) ? fmt::format("{:.5g}", result.secant_stiffness) : "none",
       .unit = "N/m"}};
  report::Section section{.title = "Loop"};
  section.figures.push_back(loops_figure(options, result));
  if (options.amplitude) section.figures.push_back(amplitude_figure(*options.amplitude, result));
  report::Table table{.id = "parameters", .title = "Parameters"};
  table.columns = {{.title = "parameter"}, {.title = "value"}, {.title = "unit"}, {.title = "meaning"}};
  for (const LawInfo& law : law_table()) {
    if (law.name != law_name(result.law)) continue;
    const NamedValues values = law_parameters(result.law);
    for (std::size_t i = 0; i < values.size(); ++i)
      table.rows.push_back({values[i].first.c_str(), values[i].second, law.parameters[i].unit.c_str(),
                            law.parameters[i].meaning.c_str()});
  }
  section.tables.push_back(std::move(table));
  page.sections.push_back(std::move(section));
  page.provenance.settings = {{"framework", std::string(to_string(result.framework))}};
  if (options.amplitude) page.provenance.settings.emplace_back("points", fmt::format("{}", points_of(options)));
  return page;
}

}  // namespace

NamedValues parse_parameters(const std::string& model, const std::vector<std::string>& texts) {
  NamedValues values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InvalidInput(fmt::format("'{}' is not a parameter; expected name=value, e.g. stiffness=1e7", text));
    const std::string name(trim(text.substr(0, equals))), number = text.substr(equals + 1);
    const auto value = parse_number(number);
    if (!value) throw InvalidInput(fmt::format("{}.{}: '{}' is not a number", model, name, number));
    values.emplace_back(name, *value);
  }
  return values;
}

LoopResult run_loop(const LoopOptions& options) {
  const AnyLaw law = make_law(options.model, options.parameters);
  if (options.amplitude.has_value() == options.history.has_value())
    throw InvalidInput("loop: give either an amplitude (--amplitude U) or a displacement history (--history FILE)");
  LoopResult result{law, options.framework.value_or(natural_framework(law)), {}, {}, {}, {}, {}, 0, {}};
  if (options.amplitude) {
    if (options.normal_stiffness)
      throw InvalidInput("loop: --normal-stiffness goes with --history, not with --amplitude");
    if (points_of(options) < 2 || points_of(options) > 1000000)
      throw InvalidInput(fmt::format("loop: points must lie in [2, 1000000], got {}", points_of(options)));
    need_normal_force(law, false);
    trace_steady_loop(result, checked_amplitude(*options.amplitude), points_of(options));
  } else {
    check_taken_along_history(options);
    const History history = read_history(*options.history, options.normal_stiffness);
    if (!history.normal_force.empty() && !std::holds_alternative<ElasticDryFriction<double>>(law))
      throw InvalidInput(fmt::format("{}: a normal force along the history is for elastic_dry_friction, {} takes none",
                                     options.history->string(), law_name(law)));
    if (const auto* friction = std::get_if<ElasticDryFriction<double>>(&law);
        friction != nullptr && friction->normal_force > 0 && !history.normal_force.empty())
      throw InvalidInput(fmt::format("{}: the normal force comes with the history: leave out normal_force={}",
                                     options.history->string(), friction->normal_force));
    need_normal_force(law, !history.normal_force.empty());
    follow_history(result, history);
  }
  return result;
}

Output loop(const LoopOptions& options) {
  const auto result = std::make_shared<const LoopResult>(run_loop(options));
  Output output;
  output.text = [result] { return loop_text(*result); };
  output.json = [options, result] { return loop_json(options, *result); };
  output.csv = [result] { return loop_csv(*result); };
  output.page = [options, result] { return loop_page(options, *result); };
  if (options.history) output.inputs = {*options.history};
  const bool constant_strength = std::holds_alternative<ElasticDryFriction<double>>(result->law);
  if (options.amplitude && result->framework == Framework::masing && !obeys_masing(result->law) && !constant_strength)
    output.notes.push_back(fmt::format(
        "{} does not obey Masing's rules: this loop is what they make of its first loading", options.model));
  return output;
}

}  // namespace microslip::verbs
