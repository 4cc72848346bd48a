#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/verbs/curves.hpp>

namespace microslip::verbs {

namespace {

void check_measured(const CurvesOptions& options) {
  const auto& force = options.measured_force;
  const auto& loss = options.measured_dissipation;
  if (force.size() != loss.size())
    throw InvalidInput(
        fmt::format("curves: {} measured forces but {} measured dissipations", force.size(), loss.size()));
  for (std::size_t i = 0; i < force.size(); ++i) {
    positive(fmt::format("curves: measured force {}", i + 1), force[i]);
    positive(fmt::format("curves: measured dissipation {}", i + 1), loss[i]);
  }
}

std::string to_json(const CurvesOptions& options, const CurvesResult& result) {
  io::Json json = begin_result("curves");
  json["model"] = law_name(result.law);
  for (const auto& [name, value] : law_parameters(result.law)) json["parameters"][name] = value;
  const AmplitudeCurves& curves = result.curves;
  io::set_numbers(json, "amplitude", curves.amplitude);
  io::set_numbers(json, "monotonic_force", curves.monotonic_force);
  io::set_numbers(json, "force", curves.force);
  io::set_numbers(json, "dissipation", curves.dissipation);
  io::set_numbers(json, "secant_stiffness", curves.secant_stiffness);
  io::set_numbers(json, "slope", curves.slope);
  io::set_numbers(json, "curvature", curves.curvature);
  if (result.comparison) {
    io::Json comparison;
    io::set_numbers(comparison, "dissipation", result.comparison->dissipation);
    io::set_number(comparison, "residual", result.comparison->residual.value_or(std::nan("")));
    json["comparison"] = std::move(comparison);
  }
  if (options.amplitude) {
    const LoopPath path = natural_loop(result.law, *options.amplitude, options.points);
    io::Json loop;
    loop["amplitude"] = *options.amplitude;
    io::set_numbers(loop, "displacement", path.displacement);
    io::set_numbers(loop, "force", path.force);
    io::set_number(loop, "dissipation", path.dissipation);
    io::set_number(loop, "secant_stiffness", path.secant_stiffness);
    json["loop"] = std::move(loop);
  }
  return io::to_text(json, 0);
}

io::Table table(const CurvesResult& result) {
  const AmplitudeCurves& curves = result.curves;
  return {.source = "",
          .header = {"amplitude", "monotonic_force", "force", "dissipation", "secant_stiffness", "slope"},
          .units = {},
          .columns = {curves.amplitude, curves.monotonic_force, curves.force, curves.dissipation,
                      curves.secant_stiffness, curves.slope},
          .line_numbers = std::vector<int>(curves.amplitude.size()),
          .warnings = {}};
}

std::string to_text(const CurvesResult& result) {
  const AmplitudeCurves& curves = result.curves;
  std::string text =
      fmt::format("{:>12} {:>12} {:>12} {:>12} {:>8}\n", "amplitude", "force", "dissipation", "secant", "slope");
  for (std::size_t i = 0; i < curves.amplitude.size(); ++i)
    text += fmt::format("{:12.5g} {:12.5g} {:12.5g} {:12.5g} {:8.4f}\n", curves.amplitude[i], curves.force[i],
                        curves.dissipation[i], curves.secant_stiffness[i], curves.slope[i]);
  return text;
}

report::Page page(const CurvesResult& result) {
  const AmplitudeCurves& curves = result.curves;
  const report::Axis amplitude{.title = "amplitude", .unit = "m", .scale = report::Scale::log};
  std::vector<double> loss = curves.dissipation;
  for (double& d : loss)
    if (!(d > 0)) d = std::nan("");
  report::Section section{.title = "Against amplitude"};
  section.figures = {
      {.id = "dissipation",
       .title = "Dissipation per cycle",
       .x = {.title = "force, zero to peak", .unit = "N", .scale = report::Scale::log},
       .y = {{.title = "dissipation", .unit = "J", .scale = report::Scale::log},
             {.title = "log-log slope", .unit = "1"}},
       .heights = {2, 1},
       .traces = {{.name = "dissipation", .x = curves.force, .y = loss},
                  {.name = "slope", .x = curves.force, .y = curves.slope, .panel = 1, .legend = false}}},
      {.id = "stiffness",
       .title = "First loading and secant stiffness",
       .x = amplitude,
       .y = {{.title = "force", .unit = "N"}, {.title = "secant stiffness", .unit = "N/m"}},
       .traces = {
           {.name = "first loading", .x = curves.amplitude, .y = curves.monotonic_force},
           {.name = "secant", .x = curves.amplitude, .y = curves.secant_stiffness, .panel = 1, .legend = false}}}};
  report::Page out{.title = "Joint against amplitude", .subtitle = law_name(result.law)};
  out.sections.push_back(std::move(section));
  for (const auto& [name, value] : law_parameters(result.law))
    out.provenance.settings.emplace_back(name, fmt::format("{}", value));
  return out;
}

}  // namespace

CurvesResult run_curves(const CurvesOptions& options) {
  CurvesResult result{.law = make_law(options.model, options.parameters)};
  if (lacks_normal_force(result.law)) throw InvalidInput("elastic_dry_friction: give normal_force=N");
  positive("curves: from", options.from);
  if (!(options.to > options.from) || std::isinf(options.to))
    throw InvalidInput(fmt::format("curves: to must be > from = {}, got {}", options.from, options.to));
  if (options.points < 2 || options.points > 1000000)
    throw InvalidInput(fmt::format("curves: points must lie in [2, 1000000], got {}", options.points));
  if (options.amplitude) positive("curves: amplitude", *options.amplitude);
  check_measured(options);
  result.curves = amplitude_curves(result.law, options.from, options.to, options.points);
  if (!options.measured_force.empty())
    result.comparison =
        compare_dissipation(result.law, options.measured_force, options.measured_dissipation, options.to);
  return result;
}

Output curves(const CurvesOptions& options) {
  const auto json = [options](const CurvesResult& result) { return to_json(options, result); };
  const auto csv = [](const CurvesResult& result) { return io::to_csv(table(result)); };
  return output_of(run_curves(options), to_text, json, csv, page, no_notes);
}

}  // namespace microslip::verbs
