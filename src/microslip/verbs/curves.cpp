#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/verbs/curves.hpp>

namespace microslip::verbs {

namespace {

Framework natural(const AnyLaw& law) { return obeys_masing(law) ? Framework::masing : Framework::reversal; }

/// Force and loss of the steady loop of amplitude a: found together, because finding the loop costs most.
template <class S>
struct LoopPoint {
  S force, loss;
};
template <class Law, class S = typename Law::Scalar>
LoopPoint<S> loop_point(const Law& law, const S& a, Framework framework) {
  if (framework == Framework::masing) {
    const auto curve = law.curve(a);
    return {.force = curve.force + law.post_slip_stiffness * a, .loss = S(4) * curve.loss};
  }
  const auto top = steady_state(law, a);
  return {.force = law.evaluate(top, a).force, .loss = S(2) * law.evaluate(top, -a).dissipated};
}

/// d ln D / d ln F; NaN where nothing is lost yet, or where the force has stopped growing.
double log_slope(const LoopPoint<Dual>& at) {
  const double slope = (at.loss.grad / at.loss.value) / (at.force.grad / at.force.value);
  return at.loss.value > 0 && at.force.grad > 0 && std::isfinite(slope) ? slope : std::nan("");
}

template <class Law>
void add_point(CurvesResult& result, const Law& law, Framework framework, double a) {
  const auto dual = law.template cast<Dual>();
  const auto at = [&](double amplitude) { return loop_point(dual, Dual::variable(amplitude), framework); };
  // The slope is exact; its own derivative is a central difference, with the step that balances rounding.
  constexpr double h = 1e-5;
  const LoopPoint<Dual> here = at(a), before = at(a * (1 - h)), after = at(a * (1 + h));
  typename Law::State rest{};
  result.amplitude.push_back(a);
  result.monotonic_force.push_back(law.advance(rest, a).force);
  result.force.push_back(here.force.value);
  result.dissipation.push_back(here.loss.value);
  result.secant_stiffness.push_back(here.force.value / a);
  result.slope.push_back(log_slope(here));
  result.curvature.push_back((log_slope(after) - log_slope(before)) / std::log(after.force.value / before.force.value));
}

/// The amplitude whose steady loop has this force, by bisection of its logarithm; NaN where no loop has it.
template <class Law>
double amplitude_of_force(const Law& law, Framework framework, double force, double guess) {
  double low = guess, high = guess;
  for (int i = 0; i < 200 && loop_force(law, low, framework) > force; ++i) low /= 4;
  for (int i = 0; i < 60 && loop_force(law, high, framework) < force; ++i) high *= 4;
  if (!(loop_force(law, low, framework) <= force && loop_force(law, high, framework) >= force)) return std::nan("");
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (loop_force(law, middle, framework) < force ? low : high) = middle;
  }
  return high;
}

template <class Law>
void compare(CurvesResult& result, const Law& law, Framework framework, const CurvesOptions& options) {
  double sum = 0;
  for (std::size_t i = 0; i < options.measured_force.size(); ++i) {
    const double a = amplitude_of_force(law, framework, options.measured_force[i], options.to);
    const double loss = std::isnan(a) ? a : loop_dissipation(law, a, framework);
    result.dissipation_at_measured.push_back(loss);
    const double misfit = std::log(loss / options.measured_dissipation[i]);
    sum += misfit * misfit;
  }
  if (std::isfinite(sum)) result.residual = std::sqrt(sum / static_cast<double>(options.measured_force.size()));
}

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
  io::set_numbers(json, "amplitude", result.amplitude);
  io::set_numbers(json, "monotonic_force", result.monotonic_force);
  io::set_numbers(json, "force", result.force);
  io::set_numbers(json, "dissipation", result.dissipation);
  io::set_numbers(json, "secant_stiffness", result.secant_stiffness);
  io::set_numbers(json, "slope", result.slope);
  io::set_numbers(json, "curvature", result.curvature);
  if (!result.dissipation_at_measured.empty()) {
    io::Json comparison;
    io::set_numbers(comparison, "dissipation", result.dissipation_at_measured);
    io::set_number(comparison, "residual", result.residual.value_or(std::nan("")));
    json["comparison"] = std::move(comparison);
  }
  if (options.amplitude) {
    const LoopPath path = std::visit(
        [&](const auto& law) { return trace_loop(law, *options.amplitude, natural(result.law), options.points); },
        result.law);
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
  return {.source = "",
          .header = {"amplitude", "monotonic_force", "force", "dissipation", "secant_stiffness", "slope"},
          .units = {},
          .columns = {result.amplitude, result.monotonic_force, result.force, result.dissipation,
                      result.secant_stiffness, result.slope},
          .line_numbers = std::vector<int>(result.amplitude.size()),
          .warnings = {}};
}

std::string to_text(const CurvesResult& result) {
  std::string text =
      fmt::format("{:>12} {:>12} {:>12} {:>12} {:>8}\n", "amplitude", "force", "dissipation", "secant", "slope");
  for (std::size_t i = 0; i < result.amplitude.size(); ++i)
    text += fmt::format("{:12.5g} {:12.5g} {:12.5g} {:12.5g} {:8.4f}\n", result.amplitude[i], result.force[i],
                        result.dissipation[i], result.secant_stiffness[i], result.slope[i]);
  return text;
}

report::Page page(const CurvesResult& result) {
  const report::Axis amplitude{.title = "amplitude", .unit = "m", .scale = report::Scale::log};
  std::vector<double> loss = result.dissipation;
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
       .traces = {{.name = "dissipation", .x = result.force, .y = loss},
                  {.name = "slope", .x = result.force, .y = result.slope, .panel = 1, .legend = false}}},
      {.id = "stiffness",
       .title = "First loading and secant stiffness",
       .x = amplitude,
       .y = {{.title = "force", .unit = "N"}, {.title = "secant stiffness", .unit = "N/m"}},
       .traces = {
           {.name = "first loading", .x = result.amplitude, .y = result.monotonic_force},
           {.name = "secant", .x = result.amplitude, .y = result.secant_stiffness, .panel = 1, .legend = false}}}};
  report::Page out{.title = "Joint against amplitude", .subtitle = law_name(result.law)};
  out.sections.push_back(std::move(section));
  for (const auto& [name, value] : law_parameters(result.law))
    out.provenance.settings.emplace_back(name, fmt::format("{}", value));
  return out;
}

}  // namespace

CurvesResult run_curves(const CurvesOptions& options) {
  CurvesResult result{.law = make_law(options.model, options.parameters)};
  positive("curves: from", options.from);
  if (!(options.to > options.from) || std::isinf(options.to))
    throw InvalidInput(fmt::format("curves: to must be > from = {}, got {}", options.from, options.to));
  if (options.points < 2 || options.points > 1000000)
    throw InvalidInput(fmt::format("curves: points must lie in [2, 1000000], got {}", options.points));
  if (options.amplitude) positive("curves: amplitude", *options.amplitude);
  check_measured(options);
  const Framework framework = natural(result.law);
  std::visit(
      [&](const auto& law) {
        for (int i = 0; i < options.points; ++i) {
          const double part = static_cast<double>(i) / (options.points - 1);
          add_point(result, law, framework, options.from * std::pow(options.to / options.from, part));
        }
        if (!options.measured_force.empty()) compare(result, law, framework, options);
      },
      result.law);
  return result;
}

Output curves(const CurvesOptions& options) {
  const auto json = [options](const CurvesResult& result) { return to_json(options, result); };
  const auto csv = [](const CurvesResult& result) { return io::to_csv(table(result)); };
  return output_of(run_curves(options), to_text, json, csv, page, no_notes);
}

}  // namespace microslip::verbs
