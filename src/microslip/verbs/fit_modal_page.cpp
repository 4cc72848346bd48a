#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <microslip/report/unit_text.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/fit_modal_page.hpp>
#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

namespace {

using report::Figure;
using report::Mark;
using report::Scale;

/// "mode-1": the start of a figure's name.
std::string prefix(std::size_t mode) { return fmt::format("mode-{}", mode + 1); }

std::vector<double> amplitudes_to_draw(const ModalFit& fit) {
  double least = fit.points.front().amplitude, most = least;
  for (const ModalFitPoint& p : fit.points) {
    if (!(p.amplitude > 0)) continue;
    least = std::min(least, p.amplitude);
    most = std::max(most, p.amplitude);
  }
  std::vector<double> a;
  for (int i = 0; i <= 200; ++i) a.push_back(0.8 * least * std::pow(1.5 * most / (0.8 * least), i / 200.0));
  return a;
}

/// Acceleration is force where mass is 1.
double force(double amplitude, double frequency_hz) {
  return std::pow(2 * std::numbers::pi * frequency_hz, 2) * amplitude;
}

std::string force_unit(const ModeDecays& mode) { return units_of(mode.coordinate, mode.quantity).force; }

/// Of modal_quantities, in their order.
std::string unit_of(std::size_t quantity, const ModeDecays& mode) {
  const std::array<std::string, modal_quantities.size()> units{
      force_unit(mode), "1/s^2", "1", "1", "1/s^2", "1/s", "Hz", "1", mode.amplitude_unit, "force/amplitude^(2+chi)"};
  return report::unit_text(units[quantity]);
}

Figure backbone_figure(const ModeDecays& mode, const ModalFit& fit, const ModalIwanLaw& law, std::size_t r) {
  Figure figure{.id = prefix(r) + "-backbone", .title = "Frequency and damping against amplitude"};
  figure.x = {.title = "amplitude", .unit = mode.amplitude_unit, .scale = Scale::log};
  figure.y = {{.title = "frequency", .unit = "Hz"}, {.title = "damping ratio", .unit = "%"}};
  const bool many = mode.decays.size() > 1;
  for (std::size_t k = 0; k < mode.decays.size(); ++k)
    for (const bool trusted : {true, false}) {
      const std::string name = many ? fmt::format("record {}", k + 1) : std::string("measured");
      report::Trace f{.name = trusted ? name : name + ", flagged", .mark = Mark::markers};
      f.colour = trusted ? static_cast<int>(k % 7) + 1 : 8;
      report::Trace z = f;
      z.panel = 1;
      z.legend = false;
      for (const ModalFitPoint& p : fit.points) {
        if (p.decay != k || p.flag.empty() != trusted || !(p.amplitude > 0)) continue;
        f.x.push_back(p.amplitude);
        f.y.push_back(p.frequency_hz);
        z.x.push_back(p.amplitude);
        z.y.push_back(100 * p.damping_ratio);
      }
      if (f.x.empty()) continue;
      figure.traces.push_back(std::move(f));
      figure.traces.push_back(std::move(z));
    }
  report::Trace f{.name = "model", .colour = 0}, z{.name = "model", .colour = 0, .panel = 1, .legend = false};
  for (const double a : amplitudes_to_draw(fit)) {
    const ModalAt at = law(a);
    f.x.push_back(a);
    f.y.push_back(at.frequency_hz);
    z.x.push_back(a);
    z.y.push_back(100 * at.damping_ratio);
  }
  figure.traces.push_back(std::move(f));
  figure.traces.push_back(std::move(z));
  figure.annotations.push_back({.text = "phi_max", .x = fit.model.phi_max()});
  figure.caption =
      fit.macro_slip ? "Macro-slip begins at phi_max." : "phi_max is not determined by the points that are trusted.";
  figure.wide = true;
  return figure;
}

Figure dissipation_figure(const ModeDecays& mode, const ModalFit& fit, ModalForms forms, std::size_t r) {
  Figure figure{.id = prefix(r) + "-dissipation", .title = "Dissipation against modal force"};
  figure.x = {.title = mode.coordinate == "modal" ? "modal force" : "force per unit mass",
              .unit = force_unit(mode),
              .scale = Scale::log};
  figure.y = {{.title = "dissipation per cycle", .unit = mode.dissipation_unit, .scale = Scale::log},
              {.title = "log-log slope", .unit = "1"}};
  report::Trace measured{.name = "measured", .mark = Mark::markers, .colour = 1};
  for (const ModalFitPoint& p : fit.points) {
    if (!(p.dissipation > 0) || !p.flag.empty()) continue;
    measured.x.push_back(force(p.amplitude, p.frequency_hz));
    measured.y.push_back(p.dissipation);
  }
  figure.traces.push_back(std::move(measured));
  ModalIwan without_damper = fit.model;
  without_damper.damping = 0;
  const ModalIwanLaw law(fit.model, forms), undamped(without_damper, forms);
  report::Trace whole{.name = "model", .colour = 0}, joint{.name = "joint alone", .colour = 2},
      slope{.name = "slope of the model", .colour = 0, .panel = 1, .legend = false};
  joint.dash = report::Dash::dash;
  double before_force = 0, before_loss = 0;
  for (const double a : amplitudes_to_draw(fit)) {
    const ModalAt at = law(a);
    const double f = force(a, at.frequency_hz);
    whole.x.push_back(f);
    whole.y.push_back(at.dissipation);
    joint.x.push_back(f);
    joint.y.push_back(undamped(a).dissipation);
    if (before_force > 0) {
      slope.x.push_back(std::sqrt(f * before_force));
      slope.y.push_back(std::log(at.dissipation / before_loss) / std::log(f / before_force));
    }
    before_force = f;
    before_loss = at.dissipation;
  }
  figure.traces.push_back(std::move(whole));
  figure.traces.push_back(std::move(joint));
  figure.traces.push_back(std::move(slope));
  figure.annotations.push_back({.text = "viscous: 2", .y = 2.0, .panel = 1});
  figure.annotations.push_back({.text = "3 + chi", .y = 3 + fit.model.chi, .panel = 1});
  figure.heights = {2, 1};
  figure.caption = "Measured decay turned into energy with the stored energy of the fitted model.";
  figure.wide = true;
  return figure;
}

report::Table parameter_table(const ModeDecays& mode, const ModalFit& fit, std::size_t r) {
  report::Table table{.id = prefix(r) + "-parameters", .title = "Parameters"};
  int digits = 5;
  for (const ParameterInterval& interval : fit.intervals)
    digits = interval_digits(interval.lower, interval.upper, digits);
  table.columns = {{.title = "name"},
                   {.title = "unit"},
                   {.title = "value", .digits = digits},
                   {.title = "95 % from", .digits = digits},
                   {.title = "to", .digits = digits},
                   {.title = "determined"},
                   {.title = "graphical first guess", .digits = 4}};
  for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
    const auto end = [](const std::optional<double>& x) -> report::Cell {
      if (x) return {*x};
      return {"open", report::Tone::warning};
    };
    const bool known = fit.identifiable[q];
    table.rows.push_back({report::Cell(std::string(modal_quantities[q])), report::Cell(unit_of(q, mode)),
                          report::Cell(modal_quantity(fit.model, q)), end(fit.intervals[q].lower),
                          end(fit.intervals[q].upper),
                          known ? report::Cell("yes", report::Tone::good) : report::Cell("no", report::Tone::warning),
                          report::Cell(modal_quantity(fit.first_guess, q))});
  }
  table.caption = "Mass 1; frequency_hz and damping_ratio at vanishing amplitude.";
  return table;
}

}  // namespace

report::Page fit_modal_page(const FitModalOptions& options, const FitModalResult& result) {
  report::Page page{.title = "Modal joint model"};
  page.subtitle = fmt::format("{} mode{}", result.fits.size(), result.fits.size() == 1 ? "" : "s");
  for (std::size_t r = 0; r < result.fits.size(); ++r) {
    const ModeDecays& mode = options.measurements.modes[r];
    const ModalFit& fit = result.fits[r];
    const ModalIwanLaw law(fit.model, options.fit.forms);
    page.verdicts.push_back(
        {.label = fmt::format("mode {}", r + 1),
         .value = fmt::format("{:.5g}", fit.model.frequency_hz()),
         .unit = "Hz",
         .note = fmt::format("{:.4g} % of critical at vanishing amplitude", 100 * fit.model.damping_ratio())});
    page.verdicts.push_back({.label = "chi",
                             .value = fmt::format("{:.4g}", fit.model.chi),
                             .note = "dissipation grows by 3 + chi",
                             .tone = fit.identifiable[modal_place::chi] ? report::Tone::good : report::Tone::warning});
    report::Section section{.title = fmt::format("Mode at {:g} Hz", mode.mode_hz)};
    for (const std::string& note : fit.notes) section.notes.push_back({note});
    section.figures.push_back(backbone_figure(mode, fit, law, r));
    section.figures.push_back(dissipation_figure(mode, fit, options.fit.forms, r));
    section.tables.push_back(parameter_table(mode, fit, r));
    page.sections.push_back(std::move(section));
  }
  page.provenance.seed = options.fit.seed;
  page.provenance.settings = {{"objective", options.fit.objective == ModalObjective::log ? "default" : "paper"},
                              {"forms", options.fit.forms == ModalForms::exact ? "exact" : "paper"},
                              {"viscous", options.fit.viscous ? "yes" : "no"},
                              {"macro-slip", options.fit.macro_slip ? "yes" : "no"},
                              {"replicas", std::to_string(options.fit.replicas)}};
  return page;
}

}  // namespace microslip::verbs
