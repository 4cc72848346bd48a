#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <microslip/verbs/beam.hpp>

namespace microslip::verbs {

namespace {

constexpr double mm = 1e3;
constexpr int n_samples = 200;

std::vector<double> along(double from, double to) {
  std::vector<double> x;
  for (int i = 0; i <= n_samples; ++i) x.push_back(from + (to - from) * i / n_samples);
  return x;
}

std::vector<double> times(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

report::Figure pressure_figure(const BeamResult& r) {
  report::Figure figure{.id = "pressure", .title = "Pressure of the preload"};
  figure.x = {.title = "position on the support", .unit = "mm"};
  figure.y = {{.title = "normal force per length", .unit = "N/mm"}};
  report::Trace q{.name = "pressure"};
  for (double x : along(0, r.input.model.support.length)) {
    q.x.push_back(mm * x);
    q.y.push_back(r.pressure.at(x) / mm);
  }
  figure.traces = {std::move(q)};
  const double length = mm * r.input.model.support.length;
  const std::string what = r.pressure.tied ? "pulls" : "lifted";
  if (r.pressure.lift_off[0] > 0) figure.shades.push_back({0, mm * r.pressure.lift_off[0], what});
  if (r.pressure.lift_off[1] > 0) figure.shades.push_back({length - mm * r.pressure.lift_off[1], length, what});
  figure.annotations.push_back({.text = "bolt", .x = mm * r.input.model.bolt.position});
  figure.caption = "Beam on springs under the bolt's force; friction acts only where the pressure is positive.";
  return figure;
}

report::Figure shapes_figure(const BeamResult& r) {
  report::Figure figure{.id = "mode-shapes", .title = "Free motions of the stuck beam"};
  figure.x = {.title = "position", .unit = "mm"};
  figure.y = {{.title = "deflection", .unit = "1/√kg"}};
  for (std::size_t i = 0; i < std::min<std::size_t>(4, r.modes.size()); ++i) {
    report::Trace shape{.name = fmt::format("{:.2f} Hz", r.modes[i].frequency_hz)};
    const double end = r.modes[i].shape.at(r.input.model.beam.length, beam::Component::w) < 0 ? -1 : 1;
    for (double x : along(0, r.input.model.beam.length)) {
      shape.x.push_back(mm * x);
      shape.y.push_back(end * r.modes[i].shape.at(x, beam::Component::w));
    }
    figure.traces.push_back(std::move(shape));
  }
  figure.shades.push_back({0, mm * r.input.model.support.length, "support"});
  figure.caption = "Mass-normalised.";
  return figure;
}

report::Figure response_figure(const BeamResult& r) {
  report::Figure figure{.id = "frequency-response", .title = "Response of the stuck beam at the load"};
  figure.x = {.title = "frequency", .unit = "Hz"};
  figure.y = {{.title = "acceleration per force", .unit = "m/s² per N", .scale = report::Scale::log}};
  std::vector<double> frequencies;
  for (int i = 1; i <= 1000; ++i) frequencies.push_back(1.2 * r.modes[1].frequency_hz * i / 1000);
  const auto response = beam::StuckBeam(r.input.model, r.pressure).frequency_response(frequencies);
  report::Trace trace{.name = "accelerance"};
  trace.x = frequencies;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double omega = 2 * std::numbers::pi * frequencies[i];
    trace.y.push_back(omega * omega * std::abs(response.receptance[i]));
  }
  figure.traces = {std::move(trace)};
  report::Trace loops{.name = "loops below", .mark = report::Mark::markers};
  for (const BeamLoop& loop : r.loops) {
    const double omega = 2 * std::numbers::pi * loop.frequency_hz;
    loops.x.push_back(loop.frequency_hz);
    loops.y.push_back(omega * omega * std::abs(loop.stuck_compliance));
  }
  if (!r.loops.empty()) figure.traces.push_back(std::move(loops));
  figure.caption = "Without damping. Dots: the frequencies of the loops below.";
  return figure;
}

report::Figure fronts_figure(const BeamResult& r) {
  report::Figure figure{.id = "slip-fronts", .title = "Slip against force"};
  figure.x = {.title = "force amplitude", .unit = "N", .scale = report::Scale::log};
  figure.y = {{.title = "slip fronts", .unit = "mm"}, {.title = "slipping length", .unit = "mm"}};
  report::Trace fronts{.name = "front", .mark = report::Mark::markers}, length{.name = "slipping length", .panel = 1};
  for (const beam::SlipState& s : r.backbone.states) {
    for (std::size_t i = 1; i < s.regions.size(); ++i) {
      fronts.x.push_back(s.force);
      fronts.y.push_back(mm * s.regions[i].from);
    }
    length.x.push_back(s.force);
    length.y.push_back(mm * s.slip_length);
  }
  figure.traces = {std::move(fronts), std::move(length)};
  figure.y[0].range = std::array<double, 2>{0, mm * r.input.model.support.length};
  if (r.onset.force > 0) figure.annotations.push_back({.text = "onset", .x = r.onset.force});
  if (r.backbone.macro_slip_force)
    figure.annotations.push_back({.text = "macro-slip", .x = *r.backbone.macro_slip_force});
  figure.caption = "Each dot is an end of a slipping region, solved for as an unknown.";
  return figure;
}

/// What friction adds to the stuck beam's motion: the loop with its elastic slope taken out, which would hide it.
std::vector<double> slip_part(const beam::LoopCurve& loop, double compliance) {
  std::vector<double> part;
  for (std::size_t i = 0; i < loop.force.size(); ++i)
    part.push_back(1e6 * (loop.displacement[i] - compliance * loop.force[i]));
  return part;
}

report::Figure loops_figure(const BeamResult& r) {
  report::Figure figure{.id = "loops", .title = "Loops about the first resonance"};
  figure.x = {.title = "displacement at the load", .unit = "mm"};
  figure.y = {{.title = "force", .unit = "N"}};
  for (const BeamLoop& loop : r.loops)
    figure.traces.push_back({.name = fmt::format("{:g} Hz", loop.frequency_hz),
                             .x = times(loop.curve.displacement, mm),
                             .y = loop.curve.force});
  figure.caption = fmt::format(
      "Force amplitude {:.4g} N, by Masing's rule on the exact solution. Above the resonance the "
      "beam moves against the force.",
      r.loop.curve.force.front());
  return figure;
}

report::Figure slip_loops_figure(const BeamResult& r) {
  report::Figure figure{.id = "loops-slip-part", .title = "The same loops, elastic slope taken out"};
  figure.x = {.title = "displacement less that of the stuck beam", .unit = "µm"};
  figure.y = {{.title = "force", .unit = "N"}};
  for (const BeamLoop& loop : r.loops)
    figure.traces.push_back({.name = fmt::format("{:g} Hz, {:.3g} J", loop.frequency_hz, loop.curve.dissipation),
                             .x = slip_part(loop.curve, loop.stuck_compliance),
                             .y = loop.curve.force});
  figure.caption = "The area is the energy lost per cycle; it is unchanged by the shear.";
  return figure;
}

report::Figure marched_figure(const BeamResult& r) {
  report::Figure figure{.id = "loop-two-ways", .title = fmt::format("Loop at {:g} Hz, two ways", r.loop.frequency_hz)};
  figure.x = {.title = "displacement less that of the stuck beam", .unit = "µm"};
  figure.y = {{.title = "force", .unit = "N"}};
  const double c = r.loop.stuck_compliance;
  figure.traces.push_back({.name = "exact, Masing", .x = slip_part(r.loop.curve, c), .y = r.loop.curve.force});
  figure.traces.push_back({.name = "finite elements, marched",
                           .x = slip_part(r.marched.loop, c),
                           .y = r.marched.loop.force,
                           .dash = report::Dash::dash});
  if (r.marched_dynamic)
    figure.traces.push_back({.name = "marched, dynamic pressure",
                             .x = slip_part(r.marched_dynamic->loop, c),
                             .y = r.marched_dynamic->loop.force});
  if (r.measured_loop)
    figure.traces.push_back({.name = "measured",
                             .mark = report::Mark::markers,
                             .x = slip_part(r.measured_loop->curve, c),
                             .y = r.measured_loop->curve.force});
  figure.caption =
      "Constant pressure: Masing's rule and the marched cycle coincide. With the pressure following the deflection "
      "(eq. 17) the half-cycles differ and Masing's rule does not hold.";
  return figure;
}

report::Figure dissipation_figure(const BeamResult& r) {
  report::Figure figure{.id = "dissipation", .title = "Dissipation against force"};
  figure.x = {.title = "force amplitude", .unit = "N", .scale = report::Scale::log};
  figure.y = {{.title = "dissipation", .unit = "J per cycle", .scale = report::Scale::log},
              {.title = "local slope", .unit = "1"}};
  figure.heights = {2, 1};
  report::Trace loss{.name = "dissipation"}, slope{.name = "d ln D / d ln F", .panel = 1};
  for (std::size_t i = 0; i < r.backbone.states.size(); ++i) {
    const beam::SlipState& s = r.backbone.states[i];
    loss.x.push_back(s.force);
    loss.y.push_back(s.dissipation > 0 ? s.dissipation : std::nan(""));
    slope.x.push_back(s.force);
    slope.y.push_back(r.slope[i]);
  }
  figure.traces = {std::move(loss), std::move(slope)};
  const beam::SlipState& top = r.backbone.states.back();
  if (top.dissipation > 0) {
    report::Trace guide{.name = "slope 3", .dash = report::Dash::dot, .colour = 8};
    for (double part : {0.1, 1.0}) {
      guide.x.push_back(part * top.force);
      guide.y.push_back(top.dissipation * part * part * part);
    }
    figure.traces.push_back(std::move(guide));
  }
  figure.caption =
      "Where the pressure falls to zero as distance^p at a slipping edge, D follows F to the power 2 + 1/p: 3 for a "
      "lifted edge. With pressure left at the edge there is an onset force and no power law.";
  return figure;
}

report::Figure interface_figure(const BeamResult& r) {
  report::Figure figure{.id = "interface", .title = "Traction on the interface as the force grows"};
  figure.x = {.title = "position on the support", .unit = "mm"};
  figure.y = {{.title = "traction", .unit = "N/mm"}};
  figure.step_title = "force";
  const beam::PartialSlip slip(r.input.model, r.pressure);
  report::Trace upper{.name = "± friction limit", .dash = report::Dash::dash, .colour = 8};
  report::Trace lower = upper;
  lower.legend = false;
  for (const beam::Traction& t : slip.tractions(r.backbone.states.front(), n_samples)) {
    upper.x.push_back(mm * t.position);
    upper.y.push_back(t.limit / mm);
    lower.x.push_back(mm * t.position);
    lower.y.push_back(-t.limit / mm);
  }
  figure.traces = {std::move(upper), std::move(lower)};
  constexpr std::size_t n_steps = 12;
  const std::size_t n = r.backbone.states.size(), shown = std::min(n, n_steps);
  for (std::size_t k = 0; k < shown; ++k) {
    const beam::SlipState& s = r.backbone.states[shown == 1 ? 0 : k * (n - 1) / (shown - 1)];
    report::Trace stuck{.name = "sticks", .colour = 0, .step = static_cast<int>(k)};
    report::Trace slips{.name = "slips", .colour = 3, .step = static_cast<int>(k)};
    for (const beam::Traction& t : slip.tractions(s, n_samples)) {
      for (report::Trace* trace : {&stuck, &slips}) trace->x.push_back(mm * t.position);
      stuck.y.push_back(t.sticks ? t.value / mm : std::nan(""));
      slips.y.push_back(t.sticks ? std::nan("") : t.value / mm);
    }
    figure.traces.push_back(std::move(stuck));
    figure.traces.push_back(std::move(slips));
    figure.steps.push_back(fmt::format("{:.3g} N", s.force));
  }
  figure.caption = "Slipping where the traction has reached its limit. Move the slider to let the force grow.";
  return figure;
}

report::Figure cycle_figure(const BeamResult& r) {
  report::Figure figure{.id = "cycle", .title = "Stick and slip over a cycle"};
  figure.x = {.title = "position on the support", .unit = "mm"};
  figure.y = {{.title = "angle of the cycle after +force", .unit = "°"}};
  figure.heights = {1};
  report::Trace map{
      .name = "state", .mark = report::Mark::heatmap, .values_title = "−1 slips back, 0 sticks, 1 slips forward"};
  constexpr int n_cells = 100;
  const double from = r.pressure.from, to = r.pressure.to;
  for (int i = 0; i < n_cells; ++i) map.x.push_back(mm * (from + (to - from) * (i + 0.5) / n_cells));
  const std::size_t n = r.marched.interface.size() - 1;
  for (std::size_t t = 1; t <= n; t += 4) {
    map.y.push_back(360.0 * static_cast<double>(t) / static_cast<double>(n));
    for (int i = 0; i < n_cells; ++i) {
      const double x = from + (to - from) * (i + 0.5) / n_cells;
      double state = std::nan("");  // open: neither sticks nor slips
      for (const beam::Region& region : r.marched.interface[t]) {
        if (x < region.from || x > region.to || region.state == beam::ContactState::open) continue;
        state = region.state == beam::ContactState::slip_forward    ? 1
                : region.state == beam::ContactState::slip_backward ? -1
                                                                    : 0;
      }
      map.values.push_back(state);
    }
  }
  figure.traces = {std::move(map)};
  figure.caption = "From the marched cycle: after each reversal everything sticks, then slip runs in from the edges.";
  return figure;
}

report::Figure harmonics_figure(const BeamResult& r) {
  report::Figure figure{.id = "super-harmonics", .title = "Super-harmonics of the acceleration at the load"};
  figure.x = {.title = "harmonic", .unit = "1"};
  figure.y = {{.title = "acceleration amplitude", .unit = "m/s²", .scale = report::Scale::log}};
  for (const auto& [name, h] :
       {std::pair{"constant pressure", &*r.harmonics}, {"dynamic pressure", &*r.harmonics_dynamic}}) {
    report::Trace trace{.name = name, .mark = report::Mark::markers};
    const double floor = 1e-9 * h->acceleration.amplitude(1);
    for (std::size_t m = 1; m <= h->acceleration.sine.size(); ++m) {
      trace.x.push_back(static_cast<double>(m));
      trace.y.push_back(h->acceleration.amplitude(m) > floor ? h->acceleration.amplitude(m) : std::nan(""));
    }
    figure.traces.push_back(std::move(trace));
  }
  figure.caption =
      "Harmonic balance. Constant pressure gives odd harmonics only; a pressure that follows the deflection gives even "
      "ones too, as measured in the paper's Fig. 6 (b)-(d).";
  return figure;
}

report::Table identified_table(const BeamResult& r) {
  report::Table table{.id = "identified", .title = "Support stiffness from the measurements"};
  table.columns = {{.title = "stiffness"},
                   {.title = "value", .unit = "N/m per m"},
                   {.title = "95 % from", .unit = "N/m per m"},
                   {.title = "95 % to", .unit = "N/m per m"},
                   {.title = "sensitivity"},
                   {.title = "identifiable"}};
  const auto row = [&](const char* name, const identify::StiffnessEstimate& e) {
    const bool found = e.outcome == Outcome::converged;
    const double none = std::nan("");
    table.rows.push_back(
        {name, found ? e.value : none, found ? e.lower : none, e.upper.value_or(none), e.sensitivity,
         report::Cell(e.identifiable ? "yes" : "no", e.identifiable ? report::Tone::good : report::Tone::warning)});
  };
  if (r.normal_stiffness) row("normal, from the frequencies", *r.normal_stiffness);
  if (r.tangential_stiffness) row("tangential, from the elastic slope", *r.tangential_stiffness);
  table.caption = "Sensitivity: d ln(measured) / d ln(stiffness). A dash means no bound.";
  return table;
}

report::Table modes_table(const BeamResult& r) {
  report::Table table{.id = "modes", .title = "Natural frequencies"};
  table.columns = {{.title = "number"},
                   {.title = "whole support stuck", .unit = "Hz", .digits = 6},
                   {.title = "stuck where pressed", .unit = "Hz", .digits = 6},
                   {.title = "bending share"},
                   {.title = "sensitivity to k_n"},
                   {.title = "sensitivity to k_t"}};
  for (std::size_t i = 0; i < r.modes.size(); ++i)
    table.rows.push_back({static_cast<double>(i + 1), r.modes[i].frequency_hz, r.frequencies_in_contact_hz[i],
                          r.modes[i].bending_share, r.modes[i].normal_sensitivity, r.modes[i].shear_sensitivity});
  return table;
}

}  // namespace

report::Page beam_page(const BeamResult& r) {
  report::Page page{.title = "Beam on a frictional support",
                    .subtitle = fmt::format("load at {:g} mm, {:g} Hz", mm * r.input.model.load.position,
                                            r.input.model.load.frequency_hz)};
  const beam::SlipState& top = r.backbone.states.back();
  page.verdicts = {
      {.label = "First frequencies",
       .value = fmt::format("{:.2f}, {:.2f}", r.modes[0].frequency_hz, r.modes[1].frequency_hz),
       .unit = "Hz"},
      {.label = "Slip begins at", .value = fmt::format("{:.3g}", r.onset.force), .unit = "N"},
      {.label = "Slipping length",
       .value = fmt::format("{:.3g}", mm * top.slip_length),
       .unit = "mm",
       .note = fmt::format("at {:.3g} N", top.force)},
      {.label = "Dissipation",
       .value = fmt::format("{:.4g}", top.dissipation),
       .unit = "J per cycle",
       .note = fmt::format("marched {:.4g}", r.marched.dissipation)},
  };
  for (const std::string& note : r.notes) page.notes.push_back({.text = note});
  report::Section stuck{.title = "Preload and stuck beam"};
  stuck.figures = {pressure_figure(r), shapes_figure(r), response_figure(r)};
  stuck.tables = {modes_table(r)};
  report::Section slip{.title = "Slip"};
  slip.figures = {fronts_figure(r), dissipation_figure(r), interface_figure(r), cycle_figure(r)};
  report::Section loops{.title = "Loops"};
  if (!r.loops.empty()) loops.figures = {loops_figure(r), slip_loops_figure(r)};
  loops.figures.push_back(marched_figure(r));
  if (r.harmonics) loops.figures.push_back(harmonics_figure(r));
  page.sections = {std::move(stuck), std::move(slip), std::move(loops)};
  if (r.normal_stiffness || r.tangential_stiffness) {
    report::Section identified{.title = "Identification"};
    identified.tables = {identified_table(r)};
    page.sections.push_back(std::move(identified));
  }
  const auto& s = r.input.model.support;
  page.provenance.settings = {{"normal stiffness", fmt::format("{:g} N/m per m", s.normal_stiffness)},
                              {"tangential stiffness", fmt::format("{:g} N/m per m", s.tangential_stiffness)},
                              {"friction coefficient", fmt::format("{:g}", s.friction_coefficient)},
                              {"preload", fmt::format("{:g} N", r.input.model.bolt.preload)},
                              {"unilateral", s.unilateral ? "yes" : "no"},
                              {"elements on the support", fmt::format("{}", r.input.mesh.support_elements)}};
  return page;
}

}  // namespace microslip::verbs
