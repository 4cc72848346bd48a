#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <microslip/verbs/simulate.hpp>

namespace microslip::verbs {

namespace {

using report::Axis;
using report::Figure;
using report::Scale;

constexpr std::size_t most_rows = 8;  // curves that a figure can carry

Figure response_figure(const Simulation& run, const std::string& id, const std::string& title, const std::string& unit,
                       const std::vector<std::vector<double>>& rows) {
  Figure figure{.id = id, .title = title, .x = {.title = "time", .unit = "s"}, .y = {{.title = id, .unit = unit}}};
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i)
    figure.traces.push_back({.name = run.coordinates[i], .x = run.time, .y = rows[i]});
  if (rows.size() > most_rows)
    figure.caption = fmt::format("The first {} of {} coordinates; the file holds them all.", most_rows, rows.size());
  figure.wide = true;
  return figure;
}

/// A single coordinate carries its envelope.
void add_envelope(Figure& figure, const Simulation& run) {
  if (run.displacement.size() != 1 || run.envelopes.size() != 1) return;
  report::Trace above{.name = "envelope", .x = run.time, .y = run.envelopes.front().amplitude, .colour = 1};
  report::Trace below = above;
  for (double& y : below.y) y = -y;
  below.legend = false;
  figure.traces.push_back(std::move(above));
  figure.traces.push_back(std::move(below));
}

/// log axes show no values <= 0; damping may be negative, and is then shown as it is.
bool all_positive(const std::vector<EnvelopeSeries>& envelopes) {
  for (const EnvelopeSeries& e : envelopes)
    for (const double z : e.damping_ratio)
      if (z <= 0) return false;
  return true;
}

Figure properties_figure(const Simulation& run, bool against_amplitude) {
  const Scale damping_scale = all_positive(run.envelopes) ? Scale::log : Scale::linear;
  Figure figure{
      .id = against_amplitude ? "backbone" : "in-time",
      .title = against_amplitude ? "Frequency and damping against amplitude" : "Frequency and damping in time",
      .x = against_amplitude ? Axis{.title = "amplitude", .unit = "m", .scale = Scale::log}
                             : Axis{.title = "time", .unit = "s"},
      .y = {{.title = "frequency", .unit = "Hz"}, {.title = "damping ratio", .unit = "1", .scale = damping_scale}}};
  for (std::size_t k = 0; k < std::min(run.envelopes.size(), most_rows); ++k) {
    const EnvelopeSeries& e = run.envelopes[k];
    const auto& x = against_amplitude ? e.amplitude : run.time;
    const int colour = static_cast<int>(k % 8);
    figure.traces.push_back({.name = run.envelope_names[k], .x = x, .y = e.frequency_hz, .colour = colour});
    figure.traces.push_back(
        {.name = run.envelope_names[k], .x = x, .y = e.damping_ratio, .colour = colour, .panel = 1, .legend = false});
  }
  figure.caption = "Amplitude is half of peak to peak about the local mean; damping is the fraction of critical.";
  return figure;
}

Figure energy_figure(const Simulation& run) {
  Figure figure{.id = "energy",
                .title = "Where the energy is",
                .x = {.title = "time", .unit = "s"},
                .y = {{.title = "energy", .unit = "J"}, {.title = "imbalance", .unit = "1"}},
                .heights = {3, 1}};
  std::vector<double> t;
  for (const EnergyPoint& point : run.energy_history) t.push_back(point.time);
  const auto add = [&](const char* name, const auto& value, int panel) {
    report::Trace trace{.name = name, .x = t, .panel = panel, .legend = panel == 0};
    for (const EnergyPoint& point : run.energy_history) trace.y.push_back(value(point.energy));
    figure.traces.push_back(std::move(trace));
  };
  // Kinetic and stored energy change places twice a cycle, faster than the points of this picture follow: their sum.
  add(
      "put in", [](const Energy& e) { return e.initial + e.work; }, 0);
  add(
      "kinetic and stored", [](const Energy& e) { return e.kinetic + e.stored; }, 0);
  add(
      "dissipated", [](const Energy& e) { return e.dissipated; }, 0);
  add(
      "imbalance", [](const Energy& e) { return e.imbalance(); }, 1);
  figure.caption = "Dissipated is the law's exact loss and what dampers take; the imbalance is the method's error.";
  return figure;
}

report::Table energy_table(const Energy& energy) {
  report::Table table{.id = "ledger", .title = "Energy at the end"};
  table.columns = {{.title = "entry"}, {.title = "energy", .unit = "J", .digits = 6}};
  for (const auto& [name, value] : {std::pair{"initial", energy.initial},
                                    {"work", energy.work},
                                    {"kinetic", energy.kinetic},
                                    {"stored", energy.stored},
                                    {"dissipated", energy.dissipated}})
    table.rows.push_back({name, value});
  table.caption = fmt::format("imbalance {:.3g} of what was put in", energy.imbalance());
  return table;
}

double first_known(const std::vector<double>& x) {
  const auto found = std::find_if(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  return found == x.end() ? std::numeric_limits<double>::quiet_NaN() : *found;
}
double last_known(const std::vector<double>& x) {
  const auto found = std::find_if(x.rbegin(), x.rend(), [](double v) { return std::isfinite(v); });
  return found == x.rend() ? std::numeric_limits<double>::quiet_NaN() : *found;
}

}  // namespace

report::Page simulate_page(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  report::Page page{.title = "Simulated response", .subtitle = result.file.inputs.front().filename().string()};
  for (std::size_t k = 0; k < std::min<std::size_t>(run.envelopes.size(), 4); ++k) {
    const EnvelopeSeries& e = run.envelopes[k];
    page.verdicts.push_back(
        {.label = run.envelope_names[k] + ": frequency",
         .value = fmt::format("{:.5g} to {:.5g}", first_known(e.frequency_hz), last_known(e.frequency_hz)),
         .unit = "Hz"});
    page.verdicts.push_back(
        {.label = run.envelope_names[k] + ": damping ratio",
         .value = fmt::format("{:.3g} to {:.3g}", first_known(e.damping_ratio), last_known(e.damping_ratio)),
         .unit = "1"});
  }
  const double imbalance = std::abs(run.energy.imbalance());
  page.verdicts.push_back({.label = "Energy imbalance",
                           .value = fmt::format("{:.2g}", imbalance),
                           .unit = "1",
                           .tone = imbalance < 1e-3 ? report::Tone::good : report::Tone::warning});
  for (const std::string& note : result.notes) page.notes.push_back({.text = note});

  report::Section response{.title = "Response"};
  if (!run.displacement.empty()) {
    response.figures.push_back(response_figure(run, "displacement", "Displacement", "m", run.displacement));
    add_envelope(response.figures.back(), run);
  }
  if (!run.velocity.empty())
    response.figures.push_back(response_figure(run, "velocity", "Velocity", "m/s", run.velocity));
  if (!run.acceleration.empty())
    response.figures.push_back(response_figure(run, "acceleration", "Acceleration", "m/s²", run.acceleration));
  page.sections.push_back(std::move(response));
  if (!run.envelopes.empty() && std::isfinite(first_known(run.envelopes.front().frequency_hz))) {
    report::Section section{.title = "Frequency and damping"};
    section.figures = {properties_figure(run, false), properties_figure(run, true)};
    page.sections.push_back(std::move(section));
  }
  report::Section energy{.title = "Energy"};
  if (!run.energy_history.empty()) energy.figures.push_back(energy_figure(run));
  energy.tables.push_back(energy_table(run.energy));
  page.sections.push_back(std::move(energy));
  page.provenance.settings = {
      {"method", std::string(to_string(result.method))},
      {"properties", std::string(to_string(result.file.properties))},
      {"load", result.file.load_kind},
      {"steps", fmt::format("{} of {:.6g} s", run.plan.n_steps, run.plan.step())},
      {"accuracy", run.plan.accuracy > 0 ? fmt::format("{:g}", run.plan.accuracy) : "fixed steps"},
      {"tolerance", fmt::format("{:g}", result.file.newmark.tolerance)},
      {"hht_alpha", fmt::format("{:g}", result.file.newmark.hht_alpha)}};
  page.provenance.seed = result.file.seed;
  return page;
}

}  // namespace microslip::verbs
