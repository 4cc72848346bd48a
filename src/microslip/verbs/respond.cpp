#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/verbs/modal_model_file.hpp>
#include <microslip/verbs/range.hpp>
#include <microslip/verbs/respond.hpp>

namespace microslip::verbs {

namespace {

constexpr std::size_t most_frequencies = 100000;
constexpr double harmonic_enough = 0.01;  // third harmonics above this share of the first are worth a note

/// From three half-power widths below the resonance at the force to as many above that at vanishing amplitude.
std::vector<double> about_resonance(const SteadyResponse& response, const std::optional<RidgePoint>& resonance) {
  const double stuck = response.mode().low_amplitude_omega() / (2 * M_PI);
  const double low = resonance ? resonance->frequency_hz : 0.5 * stuck;
  const double width = std::max(3 * (resonance ? resonance->damping_ratio : 0.05), 2e-3);
  constexpr int count = 401;
  std::vector<double> values;
  const double from = std::max(0.05, 1 - 2 * width) * std::min(low, stuck), to = (1 + 2 * width) * std::max(low, stuck);
  for (int i = 0; i < count; ++i) values.push_back(from + (to - from) * i / (count - 1));
  return values;
}

std::vector<RidgePoint> ridge_about(const SteadyResponse& response, double amplitude) {
  std::vector<RidgePoint> points;
  constexpr int count = 81;
  for (int i = 0; i < count; ++i)
    points.push_back(response.ridge(amplitude * std::pow(10, -3 + 4.0 * i / (count - 1))));
  return points;
}

io::Json ridge_point_json(const RidgePoint& point) {
  return {{"frequency_hz", point.frequency_hz},
          {"amplitude", point.amplitude},
          {"damping_ratio", point.damping_ratio},
          {"force", point.force}};
}

std::string respond_json(const RespondResult& result) {
  io::Json json = begin_result("respond");
  json["file"] = result.options.file.string();
  json["mode"] = result.options.mode;
  json["units"] = {
      {"amplitude", result.units.amplitude}, {"force", result.units.force}, {"phase", "degrees, lag negative"}};
  if (result.curve) {
    const SteadyCurve& c = *result.curve;
    io::set_numbers(json, "frequency_hz", c.frequency_hz);
    json["force"] = c.force;
    io::set_numbers(json, "amplitude", c.amplitude);
    io::set_numbers(json, "phase", c.phase);
    io::set_numbers(json, "third_harmonic", c.third_harmonic);
    json["branches"] = io::Json::array();
    for (const SteadyBranch& b : c.branches) {
      io::Json branch{{"stable", b.stable}};
      io::set_numbers(branch, "frequency_hz", b.frequency_hz);
      io::set_numbers(branch, "amplitude", b.amplitude);
      io::set_numbers(branch, "phase", b.phase);
      json["branches"].push_back(std::move(branch));
    }
    json["folds"] = io::Json::array();
    for (const Fold& fold : c.folds)
      json["folds"].push_back({{"frequency_hz", fold.frequency_hz}, {"amplitude", fold.amplitude}});
  } else {
    const HeldCurve& h = *result.held;
    io::set_numbers(json, "frequency_hz", h.frequency_hz);
    io::set_numbers(json, "force", h.force);
    json["amplitude"] = h.amplitude;
    io::set_numbers(json, "phase", h.phase);
    io::set_numbers(json, "third_harmonic", h.third_harmonic);
  }
  json["resonance"] = result.resonance ? ridge_point_json(*result.resonance) : io::Json(nullptr);
  io::Json ridge = io::Json::object();
  const auto column = [&](const char* name, double RidgePoint::*member) {
    std::vector<double> values;
    for (const RidgePoint& point : result.ridge) values.push_back(point.*member);
    io::set_numbers(ridge, name, values);
  };
  column("frequency_hz", &RidgePoint::frequency_hz);
  column("amplitude", &RidgePoint::amplitude);
  column("damping_ratio", &RidgePoint::damping_ratio);
  column("force", &RidgePoint::force);
  json["ridge"] = std::move(ridge);
  json["notes"] = result.notes;
  return io::to_text(json);
}

std::string respond_csv(const RespondResult& result) {
  io::Table table{
      .source = "", .header = {"frequency_hz"}, .units = {}, .columns = {}, .line_numbers = {}, .warnings = {}};
  if (result.curve) {
    table.header = {"frequency_hz", "amplitude", "phase"};
    table.columns = {result.curve->frequency_hz, result.curve->amplitude, result.curve->phase};
  } else {
    table.header = {"frequency_hz", "force", "phase"};
    table.columns = {result.held->frequency_hz, result.held->force, result.held->phase};
  }
  table.line_numbers.resize(table.columns.front().size());
  return io::to_csv(table);
}

/// A unit after a number: "(strain)" for "1 (strain)".
std::string_view behind_number(std::string_view unit) {
  if (unit.substr(0, 3) == "1 (") unit.remove_prefix(2);
  return unit;
}

std::string respond_text(const RespondResult& result) {
  std::string text = fmt::format("{:<22} {} of {}\n", "mode", result.options.mode, result.n_modes);
  text += fmt::format("{:<22} {:.6g} Hz\n", "stuck frequency", result.mode.low_amplitude_omega() / (2 * M_PI));
  const double given = result.curve ? result.curve->force : result.held->amplitude;
  text += fmt::format("{:<22} {:.6g} {}\n", result.curve ? "force" : "amplitude", given,
                      result.curve ? behind_number(result.units.force) : behind_number(result.units.amplitude));
  if (result.resonance)
    text +=
        fmt::format("{:<22} {:.6g} Hz: amplitude {:.6g} {}, damping ratio {:.4g}, force {:.6g} {}\n", "resonance",
                    result.resonance->frequency_hz, result.resonance->amplitude, behind_number(result.units.amplitude),
                    result.resonance->damping_ratio, result.resonance->force, behind_number(result.units.force));
  if (result.curve) {
    const SteadyCurve& c = *result.curve;
    text += fmt::format("{:<22} {:.6g} to {:.6g} Hz, {} frequencies\n", "response from", c.frequency_hz.front(),
                        c.frequency_hz.back(), c.frequency_hz.size());
    std::optional<std::size_t> top;  // none where no frequency has an answer
    for (std::size_t i = 0; i < c.amplitude.size(); ++i)
      if (!std::isnan(c.amplitude[i]) && (!top || c.amplitude[i] > c.amplitude[*top])) top = i;
    if (top)
      text += fmt::format("{:<22} {:.6g} {} at {:.6g} Hz, {:.4g} degrees\n", "largest amplitude", c.amplitude[*top],
                          behind_number(result.units.amplitude), c.frequency_hz[*top], c.phase[*top]);
    for (const Fold& fold : c.folds)
      text += fmt::format("{:<22} {:.6g} Hz: amplitude {:.6g} {}\n", "fold", fold.frequency_hz, fold.amplitude,
                          behind_number(result.units.amplitude));
  } else {
    const HeldCurve& h = *result.held;
    const auto least = std::min_element(h.force.begin(), h.force.end());
    const auto i = static_cast<std::size_t>(least - h.force.begin());
    text += fmt::format("{:<22} {:.6g} to {:.6g} Hz, {} frequencies\n", "force from", h.frequency_hz.front(),
                        h.frequency_hz.back(), h.frequency_hz.size());
    text += fmt::format("{:<22} {:.6g} {} at {:.6g} Hz, {:.4g} degrees\n", "least force", *least,
                        behind_number(result.units.force), h.frequency_hz[i], h.phase[i]);
  }
  text += fmt::format("{:<22} {:.2g} of the first at most\n", "third harmonic", result.third_harmonic);
  return text;
}

}  // namespace

std::vector<double> parse_frequencies(const std::string& text) {
  const Range range = parse_range(text, "--frequencies", most_frequencies);
  std::vector<double> values;
  for (std::size_t i = 0; i < range.count; ++i)
    values.push_back(range.low +
                     (range.high - range.low) * static_cast<double>(i) / static_cast<double>(range.count - 1));
  return values;
}

RespondResult run_respond(const RespondOptions& options) {
  if (options.force.has_value() == options.amplitude.has_value())
    throw InvalidInput("respond: give either the force (--force F) or the amplitude to hold (--amplitude A)");
  const std::string source = options.file.string();
  const auto [model, units, largest] = read_measured_model(options.file);
  if (options.mode < 1 || static_cast<std::size_t>(options.mode) > model.size())
    throw InvalidInput(fmt::format("{}: mode {} is asked for, the model has {}", source, options.mode, model.size()));
  RespondResult result;
  result.options = options;
  result.n_modes = model.size();
  result.mode = jointed_mode(model.modes[static_cast<std::size_t>(options.mode - 1)],
                             fmt::format("{}: mode {}", source, options.mode));
  result.units = units[static_cast<std::size_t>(options.mode - 1)].value_or(units_of_modes(result.mode.mass == 1));
  const SteadyResponse response(result.mode);
  double about = 0;
  if (options.force) {
    result.resonance = response.resonance(positive("force", *options.force));
    const auto frequencies =
        options.frequency_hz.empty() ? about_resonance(response, result.resonance) : options.frequency_hz;
    result.curve = response.curve(*options.force, frequencies);
    const auto& c = *result.curve;
    std::size_t unanswered = 0;
    for (std::size_t i = 0; i < c.amplitude.size(); ++i) {
      if (std::isnan(c.amplitude[i]))
        ++unanswered;
      else
        about = std::max(about, c.amplitude[i]),
        result.third_harmonic = std::max(result.third_harmonic, c.third_harmonic[i]);
    }
    if (result.resonance) about = result.resonance->amplitude;
    if (unanswered > 0)
      result.notes.push_back(fmt::format(
          "no harmonic motion answers at {} frequencies: the joint's force drops when it slips", unanswered));
    if (!result.resonance) {
      result.bounded = response.bounded(*options.force);
      result.notes.emplace_back(
          result.bounded
              ? "no resonance: the joint's force drops when it slips, and what a resonance takes jumps over this force"
              : "no resonance: joint and damper cannot take what this force feeds, and the motion there grows without "
                "bound");
    }
    if (!c.folds.empty()) result.notes.push_back("the response folds: a sweep jumps, see `folds` and `branches`");
  } else {
    about = positive("amplitude", *options.amplitude);
    result.resonance = response.ridge(about);
    result.held = response.hold(
        about, options.frequency_hz.empty() ? about_resonance(response, result.resonance) : options.frequency_hz);
    for (const double share : result.held->third_harmonic)
      result.third_harmonic = std::max(result.third_harmonic, share);
  }
  if (about > 0) result.ridge = ridge_about(response, about);
  if (const auto fitted = largest[static_cast<std::size_t>(options.mode - 1)]; fitted && about > 1.05 * *fitted)
    result.notes.push_back(
        fmt::format("amplitude {:.3g} lies beyond the largest that was fitted, {:.3g}: there the model extrapolates",
                    about, *fitted));
  if (result.third_harmonic > harmonic_enough)
    result.notes.push_back(
        fmt::format("the third harmonic reaches {:.2g} of the first: the motion is not harmonic, check by simulation",
                    result.third_harmonic));
  return result;
}

Output respond(const RespondOptions& options) {
  Output output =
      output_of(run_respond(options), respond_text, respond_json, respond_csv, respond_page, &RespondResult::notes);
  output.inputs = {options.file};
  return output;
}

}  // namespace microslip::verbs
