// gallery FOLDER: a report that uses every kind of figure, note and cell, for the browser tests; and its SVGs.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <microslip/report/page.hpp>

using namespace microslip::report;
using std::numbers::pi;

namespace {

std::vector<double> spaced(double from, double to, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(from + (to - from) * i / (count - 1));
  return out;
}

template <class F>
std::vector<double> map(const std::vector<double>& x, F f) {
  std::vector<double> y;
  for (const double v : x) y.push_back(f(v));
  return y;
}

Figure record() {
  const auto t = spaced(0, 4, 200'000);
  const auto envelope = [](double s) { return 12 * std::exp(-1.4 * s); };
  const auto coarse = spaced(0.1, 4, 200);
  return {.id = "record",
          .title = "Record, window and envelope",
          .caption = "A long record: the curve is thinned when drawn and sharpens as you zoom in.",
          .x = {.title = "time", .unit = "s"},
          .y = {{.title = "acceleration", .unit = "m/s²"}, {.title = "residual", .unit = "m/s²"}},
          .heights = {3, 1},
          .traces = {{.name = "measured",
                      .x = t,
                      .y = map(t, [&](double s) { return s < 0.1 ? 0 : envelope(s) * std::sin(2 * pi * 40 * s); }),
                      .colour = 8},
                     {.name = "envelope", .x = coarse, .y = map(coarse, envelope), .colour = 1},
                     {.name = "",
                      .x = coarse,
                      .y = map(coarse, [](double s) { return 0.1 * std::sin(17 * s); }),
                      .panel = 1}},
          .annotations = {{.text = "hit", .x = 0.1}, {.text = "zero", .y = 0, .panel = 1}},
          .shades = {{.from = 0.3, .to = 2.5, .text = "window"}},
          .wide = true};
}

Figure backbone() {
  const auto log_a = spaced(-7, -4, 60);
  const auto a = map(log_a, [](double p) { return std::pow(10, p); });
  const auto shift = [](double s) { return 120 - 6 * std::pow(s / 1e-4, 0.6); };
  auto zeta = map(a, [](double s) { return 1e-3 + 2e-2 * std::pow(s / 1e-4, 0.6); });
  zeta[3] = -2e-4;  // a negative estimate is shown, or counted where the axis cannot show it
  std::vector<double> low = map(a, [&](double s) { return shift(s) - 0.3; });
  low[30] = std::numeric_limits<double>::quiet_NaN();
  return {.id = "backbone",
          .title = "Frequency and damping",
          .caption = "Two estimators and their disagreement. Amplitude is the peak modal displacement.",
          .x = {.title = "amplitude", .unit = "√kg·m", .scale = Scale::log},
          .y = {{.title = "frequency", .unit = "Hz"}, {.title = "damping ratio", .unit = "1", .scale = Scale::log}},
          .traces = {
              {.name = "disagreement",
               .mark = Mark::band,
               .x = a,
               .y = low,
               .upper = map(a, [&](double s) { return shift(s) + 0.3; }),
               .colour = 0},
              {.name = "hilbert", .x = a, .y = map(a, shift), .colour = 0},
              {.name = "pff",
               .mark = Mark::line_markers,
               .x = a,
               .y = map(a, [&](double s) { return shift(s) + 0.1; }),
               .dash = Dash::dash,
               .colour = 1},
              {.name = "damping", .mark = Mark::markers, .x = a, .y = zeta, .colour = 0, .panel = 1, .legend = false}}};
}

/// Of a measurement without a trusted point nothing is left to draw.
Figure nothing() {
  Figure figure{.id = "nothing", .title = "Without a point"};
  figure.x = {.title = "force", .unit = "N", .scale = Scale::log};
  figure.y = {{.title = "dissipation", .unit = "J", .scale = Scale::log}, {.title = "slope", .unit = "1"}};
  figure.traces = {{.name = "dissipation"}, {.name = "local slope", .panel = 1}};
  return figure;
}

Figure dissipation() {
  const std::vector<double> f = {10, 20, 50, 100, 200, 500, 1000};
  const auto energy = [](double force) { return 1e-9 * std::pow(force, 2.6); };
  std::vector<std::string> notes(f.size(), "accepted");
  notes[2] = "rejected: outlier <3 sigma>";
  return {.id = "dissipation",
          .title = "Dissipation per cycle",
          .x = {.title = "force, zero to peak", .unit = "N", .scale = Scale::log},
          .y = {{.title = "dissipation", .unit = "J", .scale = Scale::log}},
          .traces = {{.name = "measured",
                      .mark = Mark::markers,
                      .x = f,
                      .y = map(f, energy),
                      .upper = map(f, [&](double x) { return 1.5 * energy(x); }),
                      .lower = map(f, [&](double x) { return 0.7 * energy(x); }),
                      .hover = notes},
                     {.name = "slope 2", .x = {10, 1000}, .y = {4e-7, 4e-3}, .dash = Dash::dot, .colour = 8},
                     {.name = "slope 3+χ", .x = {10, 1000}, .y = {2.5e-7, 4e-2}, .dash = Dash::dash, .colour = 8}},
          .annotations = {{.text = "macro-slip", .x = 1000}, {.text = "here", .x = 100.0, .y = energy(100)}}};
}

Figure loops() {
  Figure figure{.id = "loops",
                .title = "Loops",
                .x = {.title = "displacement", .unit = "µm"},
                .y = {{.title = "force", .unit = "N"}},
                .step_title = "amplitude"};
  const auto t = spaced(0, 2 * pi, 200);
  for (int k = 0; k < 5; ++k) {
    figure.steps.push_back(fmt::format("{} µm", k + 1));
    figure.traces.push_back({.name = "loop",
                             .x = map(t, [&](double s) { return (k + 1) * std::cos(s); }),
                             .y = map(t, [&](double s) { return 20 * (k + 1) * std::cos(s - 0.05 * (k + 1)); }),
                             .colour = 0,
                             .step = k});
  }
  return figure;
}

Figure front() {
  const auto e = spaced(0.1, 1, 5);
  return {.id = "front",
          .title = "Pareto front",
          .caption = "Click a point: the loop beside moves to it.",
          .x = {.title = "frequency error", .unit = "1"},
          .y = {{.title = "damping error", .unit = "1"}},
          .traces = {{.name = "iwan4",
                      .mark = Mark::markers,
                      .x = e,
                      .y = map(e, [](double x) { return 0.1 / x; }),
                      .values = {1, 2, 3, 4, 5},
                      .values_title = "amplitude [µm]",
                      .picks = {0, 1, 2, 3, 4}}},
          .picks = "loops"};
}

Figure interface_picture() {
  Figure figure{.id = "interface",
                .title = "Contact pressure",
                .x = {.title = "along the lap", .unit = "mm"},
                .y = {{.title = "across", .unit = "mm"}},
                .equal = true};
  Trace cells{.name = "pressure", .mark = Mark::heatmap, .x = spaced(0, 120, 41), .y = spaced(-12, 12, 9)};
  for (const double y : cells.y)
    for (const double x : cells.x) cells.values.push_back(40 * std::exp(-(std::pow(x - 60, 2) + y * y) / 400));
  cells.values[0] = std::numeric_limits<double>::quiet_NaN();
  cells.values_title = "pressure [MPa]";
  figure.traces = {cells};
  return figure;
}

Figure ranking() {
  return {.id = "ranking",
          .title = "Area fraction by model",
          .x = {.title = "model", .unit = "", .categories = {"iwan4", "jenkins", "bouc_wen", "valanis"}},
          .y = {{.title = "area fraction", .unit = "1"}},
          .traces = {{.name = "mode 1", .mark = Mark::bars, .x = {0, 1, 2, 3}, .y = {0.12, 0.4, 0.2, 0.18}},
                     {.name = "mode 2", .mark = Mark::bars, .x = {0, 1, 2, 3}, .y = {0.2, 0.5, 0.3, 0.25}}}};
}

Page gallery() {
  return {
      .title = "Gallery of figures <b>&</b> notes",
      .subtitle = "Every kind of figure that a report can hold",
      .verdicts = {{.label = "Mode", .value = "1", .note = "of 3"},
                   {.label = "Low-amplitude frequency", .value = "120.04", .unit = "Hz"},
                   {.label = "Frequency shift", .value = "−5.9", .unit = "Hz", .note = "softening"},
                   {.label = "Damping, low → high", .value = "0.10 → 2.1", .unit = "%"},
                   {.label = "Fit error", .value = "1.8", .unit = "%", .note = "within noise", .tone = Tone::good},
                   {.label = "Flags", .value = "2", .note = "see notes", .tone = Tone::warning}},
      .notes = {{.text = "The file names no unit for channel 3; m/s² is assumed."},
                {.text = "beta sits on its lower bound.", .tone = Tone::bad}},
      .sections = {{.title = "Record", .text = "What was measured.\nAnd what was kept of it.", .figures = {record()}},
                   {.title = "Backbone", .figures = {backbone(), nothing(), dissipation()}},
                   {.title = "Model",
                    .notes = {{.text = "converged in 31 iterations", .tone = Tone::good}},
                    .figures = {loops(), front(), interface_picture(), ranking()},
                    .tables = {{.id = "parameters",
                                .title = "Parameters",
                                .columns = {{.title = "parameter"},
                                            {.title = "value"},
                                            {.title = "unit"},
                                            {.title = "95 % low"},
                                            {.title = "95 % high"},
                                            {.title = "identifiable"}},
                                .rows = {{"slip_force", 3999.2, "N", 3801.0, 4200.0, "yes"},
                                         {"stiffness", 1.4987654e7, "N/m", 1.49e7, 1.51e7, "yes"},
                                         {"chi", -0.31, "–", -0.33, -0.29, "yes"},
                                         {"beta", 0.001, "–", std::numeric_limits<double>::quiet_NaN(),
                                          std::numeric_limits<double>::quiet_NaN(), Cell("no", Tone::bad)}},
                                .caption = "Intervals are 95 %; a dash is an open end."}}}},
      .provenance = {.command = "microslip fit modal ringdown.json --report modal.html",
                     .settings = {{"method", "both"}, {"band_hz", "100 140"}},
                     .seed = 20260101,
                     .inputs = {{"ringdown.json", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}},
                     .seconds = 1.25}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: gallery FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  for (const auto& [name, svg] : figure_files(gallery())) std::ofstream(folder / name, std::ios::binary) << svg;
  std::ofstream(folder / "gallery.html", std::ios::binary) << render(gallery());
}
