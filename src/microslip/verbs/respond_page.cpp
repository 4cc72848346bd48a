#include <cmath>

#include <fmt/format.h>

#include <microslip/report/unit_text.hpp>
#include <microslip/verbs/respond.hpp>

namespace microslip::verbs {

namespace {

using report::Dash;
using report::Figure;
using report::Scale;

Figure response_figure(const RespondResult& result) {
  const SteadyCurve& c = *result.curve;
  Figure figure{.id = "response",
                .title = "Steady response",
                .x = {.title = "frequency", .unit = "Hz"},
                .y = {{.title = "amplitude", .unit = result.units.amplitude, .scale = Scale::log},
                      {.title = "phase", .unit = "degrees"}},
                .heights = {2, 1}};
  figure.wide = true;
  figure.traces.push_back({.name = fmt::format("force {:.4g} {}", c.force, report::unit_text(result.units.force)),
                           .x = c.frequency_hz,
                           .y = c.amplitude});
  figure.traces.push_back(
      {.name = "phase", .x = c.frequency_hz, .y = c.phase, .colour = 0, .panel = 1, .legend = false});
  for (const SteadyBranch& b : c.branches) {
    const Dash dash = b.stable ? Dash::solid : Dash::dash;
    const std::string name = b.stable ? "another stable motion" : "unstable";
    const int colour = b.stable ? 2 : 3;
    figure.traces.push_back({.name = name, .x = b.frequency_hz, .y = b.amplitude, .dash = dash, .colour = colour});
    figure.traces.push_back(
        {.name = name, .x = b.frequency_hz, .y = b.phase, .dash = dash, .colour = colour, .panel = 1, .legend = false});
  }
  report::Trace stuck{.name = "the same force on the stuck joint", .x = c.frequency_hz, .dash = Dash::dot, .colour = 8};
  const double m = result.mode.mass, omega_0 = result.mode.low_amplitude_omega(), k = m * omega_0 * omega_0;
  for (const double hz : c.frequency_hz) {
    const double omega = 2 * M_PI * hz;
    stuck.y.push_back(c.force / std::hypot(k - m * omega * omega, result.mode.damping * omega));
  }
  figure.traces.push_back(std::move(stuck));
  report::Trace ridge{.name = "ridge: resonances of all forces", .dash = Dash::dash, .colour = 1};
  for (const RidgePoint& point : result.ridge) {
    if (point.frequency_hz < c.frequency_hz.front() || point.frequency_hz > c.frequency_hz.back()) continue;
    ridge.x.push_back(point.frequency_hz);
    ridge.y.push_back(point.amplitude);
  }
  if (!ridge.x.empty()) figure.traces.push_back(std::move(ridge));
  for (const Fold& fold : c.folds) figure.annotations.push_back({.text = "fold", .x = fold.frequency_hz});
  figure.caption = "Modal amplitude, zero to peak; the phase is that of the motion, lag negative.";
  return figure;
}

Figure held_figure(const RespondResult& result) {
  const HeldCurve& h = *result.held;
  Figure figure{
      .id = "held",
      .title = "Force that holds the amplitude",
      .x = {.title = "frequency", .unit = "Hz"},
      .y = {{.title = "force", .unit = result.units.force, .scale = Scale::log}, {.title = "phase", .unit = "degrees"}},
      .heights = {2, 1}};
  figure.wide = true;
  figure.traces.push_back(
      {.name = fmt::format("amplitude {:.4g} {}", h.amplitude, report::unit_text(result.units.amplitude)),
       .x = h.frequency_hz,
       .y = h.force});
  figure.traces.push_back(
      {.name = "phase", .x = h.frequency_hz, .y = h.phase, .colour = 0, .panel = 1, .legend = false});
  figure.caption =
      "Modal force, zero to peak; least where it feeds the losses alone, a quarter period ahead of the motion.";
  return figure;
}

Figure ridge_figure(const RespondResult& result) {
  Figure figure{.id = "ridge",
                .title = "Resonance ridge",
                .x = {.title = "force", .unit = result.units.force, .scale = Scale::log},
                .y = {{.title = "amplitude", .unit = result.units.amplitude, .scale = Scale::log},
                      {.title = "frequency", .unit = "Hz"},
                      {.title = "damping ratio", .unit = "1", .scale = Scale::log}}};
  std::vector<double> force, amplitude, frequency, damping;
  for (const RidgePoint& point : result.ridge) {
    force.push_back(point.force);
    amplitude.push_back(point.amplitude);
    frequency.push_back(point.frequency_hz);
    damping.push_back(point.damping_ratio);
  }
  figure.traces.push_back({.name = "amplitude", .x = force, .y = amplitude, .colour = 0, .legend = false});
  figure.traces.push_back({.name = "frequency", .x = force, .y = frequency, .colour = 0, .panel = 1, .legend = false});
  figure.traces.push_back(
      {.name = "damping ratio", .x = force, .y = damping, .colour = 0, .panel = 2, .legend = false});
  if (result.resonance)
    figure.annotations.push_back(
        {.text = result.curve ? "this force" : "this amplitude", .x = result.resonance->force});
  figure.wide = true;
  figure.caption = "At each force the motion that lags a quarter period: frequency and damping as a shaker finds them.";
  return figure;
}

}  // namespace

report::Page respond_page(const RespondResult& result) {
  report::Page page{.title = "Steady response of a mode", .subtitle = result.options.file.filename().string()};
  if (const auto& r = result.resonance) {
    page.verdicts = {
        {.label = "Resonance", .value = fmt::format("{:.5g}", r->frequency_hz), .unit = "Hz"},
        {.label = "Amplitude", .value = fmt::format("{:.4g}", r->amplitude), .unit = result.units.amplitude},
        {.label = "Damping ratio", .value = fmt::format("{:.3g}", r->damping_ratio), .unit = "1"},
        {.label = "Force", .value = fmt::format("{:.4g}", r->force), .unit = result.units.force}};
  } else {
    page.verdicts.push_back({.label = "Resonance",
                             .value = result.bounded ? "none" : "without bound",
                             .tone = result.bounded ? report::Tone::warning : report::Tone::bad});
  }
  page.verdicts.push_back({.label = "Third harmonic",
                           .value = fmt::format("{:.2g}", result.third_harmonic),
                           .unit = "1",
                           .note = "of the motion, over the first",
                           .tone = result.third_harmonic > 0.01 ? report::Tone::warning : report::Tone::good});
  for (const std::string& note : result.notes) page.notes.push_back({.text = note});
  report::Section response{.title = "Response"};
  response.figures.push_back(result.curve ? response_figure(result) : held_figure(result));
  page.sections.push_back(std::move(response));
  if (!result.ridge.empty()) {
    report::Section ridge{.title = "Ridge"};
    ridge.figures.push_back(ridge_figure(result));
    page.sections.push_back(std::move(ridge));
  }
  report::Table table{.id = "mode", .title = fmt::format("Mode {} of {}", result.options.mode, result.n_modes)};
  table.columns = {{.title = "parameter"}, {.title = "value", .digits = 6}};
  table.rows = {
      {"mass", result.mode.mass}, {"linear_stiffness", result.mode.linear_stiffness}, {"damping", result.mode.damping}};
  if (result.mode.joint) {
    table.rows.push_back({"joint", law_name(*result.mode.joint)});
    for (const auto& [name, value] : law_parameters(*result.mode.joint)) table.rows.push_back({name, value});
  }
  report::Section model{.title = "Model"};
  model.tables.push_back(std::move(table));
  page.sections.push_back(std::move(model));
  page.provenance.settings = {{"mode", fmt::format("{}", result.options.mode)}};
  return page;
}

}  // namespace microslip::verbs
