#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include <microslip/joints/initial_tangent.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/verbs/backbone.hpp>

namespace microslip::verbs {

namespace {

using report::Figure;
using report::Mark;
using report::Scale;
using report::Trace;

constexpr std::size_t most_steps = 12;  // of a slider
constexpr int loop_points = 60;         // of a branch

/// Converged amplitudes that a slider offers, spread evenly and with the last.
std::vector<std::size_t> chosen(const Rqnma& run) {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < run.points.size(); ++i)
    if (run.points[i].converged && run.points[i].shape.size() > 0) good.push_back(i);
  if (good.size() <= most_steps) return good;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < most_steps; ++k) some.push_back(good[k * (good.size() - 1) / (most_steps - 1)]);
  return some;
}

void offer(Figure& figure, const Rqnma& run, const std::vector<std::size_t>& steps) {
  figure.step_title = "amplitude [√kg·m]";
  for (std::size_t i : steps) figure.steps.push_back(fmt::format("{:.3g}", run.points[i].amplitude));
}

Figure backbone_figure(const Rqnma& run, double viscous) {
  Trace frequency{.name = "frequency", .mark = Mark::line_markers, .colour = 0};
  Trace damping{.name = "damping ratio", .mark = Mark::line_markers, .colour = 1, .panel = 1};
  Trace failed{.name = "did not converge", .mark = Mark::markers, .colour = 3};
  bool above_zero = true;
  for (const BackbonePoint& p : run.points) {
    frequency.x.push_back(p.amplitude);
    damping.x.push_back(p.amplitude);
    frequency.y.push_back(p.converged ? p.frequency_hz : std::nan(""));
    damping.y.push_back(p.converged ? p.damping_ratio : std::nan(""));
    if (p.converged && !(p.damping_ratio > 0)) above_zero = false;
    if (!p.converged && std::isfinite(p.frequency_hz)) {
      failed.x.push_back(p.amplitude);
      failed.y.push_back(p.frequency_hz);
    }
  }
  Figure figure{.id = "backbone",
                .title = "Frequency and damping against amplitude",
                .x = {.title = "modal amplitude", .unit = "√kg·m", .scale = Scale::log},
                .y = {{.title = "frequency", .unit = "Hz"},
                      {.title = "damping ratio", .unit = "1", .scale = above_zero ? Scale::log : Scale::linear}}};
  figure.traces = {frequency, damping};
  if (!failed.x.empty()) figure.traces.push_back(failed);
  figure.annotations.push_back({.text = "vanishing amplitude", .y = run.linear_frequency_hz});
  if (viscous > 0) figure.annotations.push_back({.text = "viscous", .y = viscous, .panel = 1});
  figure.caption =
      "Amplitude is that of the mass-normalised mode, zero to peak; damping is the fraction of critical, viscous "
      "included.";
  figure.wide = true;
  return figure;
}

Figure dissipation_figure(const Rqnma& run) {
  Figure figure{.id = "dissipation",
                .title = "Energy lost per cycle",
                .x = {.title = "modal amplitude", .unit = "√kg·m", .scale = Scale::log},
                .y = {{.title = "dissipation", .unit = "J", .scale = Scale::log}}};
  Trace lost{.name = "joint", .mark = Mark::line_markers};
  Trace square{.name = "slope 2", .dash = report::Dash::dot, .colour = 8};
  Trace cube{.name = "slope 3", .dash = report::Dash::dash, .colour = 8};
  for (const BackbonePoint& p : run.points)
    if (p.converged && p.dissipation > 0) {
      lost.x.push_back(p.amplitude);
      lost.y.push_back(p.dissipation);
    }
  if (!lost.x.empty())
    for (double q : {lost.x.front(), lost.x.back()}) {
      const double ratio = q / lost.x.front();
      square.x.push_back(q);
      square.y.push_back(lost.y.front() * ratio * ratio);
      cube.x.push_back(q);
      cube.y.push_back(lost.y.front() * ratio * ratio * ratio);
    }
  figure.traces = {lost, square, cube};
  figure.caption = "What the joint takes; viscous damping is not in it. Linear damping would follow slope 2.";
  return figure;
}

Figure shape_figure(const BackboneResult& result, const std::vector<std::size_t>& steps) {
  Figure figure{.id = "mode-shape",
                .title = "Mode shape",
                .x = {.title = "position along the structure", .unit = "m"},
                .y = {{.title = "displacement for unit modal amplitude", .unit = "1/√kg"}}};
  offer(figure, result.result, steps);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    int colour = 0;
    for (const ShapeLine& line : result.file.structure.lines) {
      const Eigen::VectorXd along = line.rows * result.result.points[steps[step]].shape;
      Eigen::Index axis = 0;
      (line.positions.colwise().maxCoeff() - line.positions.colwise().minCoeff()).maxCoeff(&axis);
      Trace trace{
          .name = line.name, .mark = Mark::line_markers, .colour = colour++ % 8, .step = static_cast<int>(step)};
      for (Eigen::Index i = 0; i < along.size(); ++i) {
        trace.x.push_back(line.positions(i, axis));
        trace.y.push_back(along(i));
      }
      figure.traces.push_back(std::move(trace));
    }
  }
  figure.wide = true;
  return figure;
}

/// Where to draw, and which point of the interface is seen there: the middles of the faces of patches, or the
/// quadrature points themselves.
struct Dots {
  std::vector<double> x, y;
  std::vector<Eigen::Index> point;
};
Dots dots_of(const InterfacePicture& picture, Eigen::Index n_points) {
  Dots dots;
  const auto add = [&](double x, double y, Eigen::Index point) {
    dots.x.push_back(1e3 * x);
    dots.y.push_back(1e3 * y);
    dots.point.push_back(point);
  };
  if (!picture.point_of_element.empty()) {
    for (std::size_t e = 0; e < picture.elements.size(); ++e) {
      Eigen::RowVector2d middle(0, 0);
      for (int node : picture.elements[e]) middle += picture.nodes.row(node);
      middle /= static_cast<double>(picture.elements[e].size());
      add(middle(0), middle(1), picture.point_of_element[e]);
    }
  } else if (picture.points.rows() == n_points) {
    for (Eigen::Index i = 0; i < n_points; ++i) add(picture.points(i, 0), picture.points(i, 1), i);
  }
  return dots;
}

Figure picture(const std::string& id, const std::string& title, const std::string& caption) {
  return {.id = id,
          .title = title,
          .caption = caption,
          .x = {.title = "x", .unit = "mm"},
          .y = {{.title = "y", .unit = "mm"}},
          .wide = true,
          .equal = true};
}

Trace coloured(const Dots& dots, const std::vector<double>& value_of_point, const std::string& title, int step) {
  Trace trace{.name = "", .mark = Mark::markers, .x = dots.x, .y = dots.y, .values_title = title, .step = step};
  for (Eigen::Index point : dots.point) trace.values.push_back(value_of_point[static_cast<std::size_t>(point)]);
  return trace;
}

/// What is left of the stiffness in the plane at each point: 1 sticks, 0 slips.
std::vector<double> sticking(const BackboneResult& result, const BackbonePoint& p) {
  const Joint& joint = result.file.joint;
  const Eigen::VectorXd& areas = result.file.structure.interface->areas;
  std::vector<double> left;
  for (Eigen::Index i = 0; i < areas.size(); ++i) {
    const double k = initial_tangent(joint.law) * (joint.per_area ? areas(i) : 1.0);
    const double moved = p.relative.segment(3 * i, 2).norm(), force = p.force.segment(3 * i, 2).norm();
    left.push_back(moved > 0 ? std::min(force / (k * moved), 1.0) : std::nan(""));
  }
  return left;
}

std::vector<Figure> interface_figures(const BackboneResult& result, const std::vector<std::size_t>& steps) {
  const Interface& interface = *result.file.structure.interface;
  const Dots dots = dots_of(interface.picture, interface.n_points());
  if (dots.x.empty()) return {};
  std::vector<Figure> figures;
  const auto n = static_cast<std::size_t>(interface.n_points());
  if (result.result.prestress) {
    Figure figure = picture("pressure", "Pressure under preload", "Positive in compression.");
    std::vector<double> pressure(n);
    for (std::size_t i = 0; i < n; ++i)
      pressure[i] = 1e-6 * result.result.prestress->force[3 * i + 2] / interface.areas(static_cast<Eigen::Index>(i));
    figure.traces = {coloured(dots, pressure, "pressure [MPa]", -1)};
    figures.push_back(std::move(figure));
  }
  Figure slip = picture("stick-slip", "Where the joint slips",
                        "Force over displacement in the plane at +q, both from the prestressed state, as a share of "
                        "the stiffness before slip: 1 sticks, 0 slips freely.");
  Figure loss = picture("local-dissipation", "Where energy is lost", "Energy per cycle and area.");
  offer(slip, result.result, steps);
  offer(loss, result.result, steps);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const BackbonePoint& p = result.result.points[steps[step]];
    slip.traces.push_back(coloured(dots, sticking(result, p), "stiffness left [–]", static_cast<int>(step)));
    if (p.local_loss.size() != interface.n_points()) continue;
    std::vector<double> per_area(n);
    for (std::size_t i = 0; i < n; ++i)
      per_area[i] = p.local_loss(static_cast<Eigen::Index>(i)) / interface.areas(static_cast<Eigen::Index>(i));
    loss.traces.push_back(coloured(dots, per_area, "energy per area [J/m²]", static_cast<int>(step)));
  }
  figures.push_back(std::move(slip));
  if (loss.traces.size() == steps.size()) figures.push_back(std::move(loss));
  return figures;
}

/// The point that loses most at the largest amplitude, and the direction in which it moves most.
std::pair<Eigen::Index, Eigen::Index> busiest(const BackbonePoint& p) {
  Eigen::Index point = 0, direction = 0;
  p.local_loss.maxCoeff(&point);
  p.relative.segment(3 * point, 2).cwiseAbs().maxCoeff(&direction);
  return {point, direction};
}

/// Loops of the law at that point, over its own amplitudes. Not where the strength follows the normal force.
Figure loop_figure(const BackboneResult& result, const std::vector<std::size_t>& steps) {
  const auto [point, direction] = busiest(result.result.points[steps.back()]);
  const double area = result.file.joint.per_area ? result.file.structure.interface->areas(point) : 1.0;
  Figure figure{.id = "local-loops",
                .title = fmt::format("Loops of point {} along {}", point + 1, direction == 0 ? 'x' : 'y'),
                .caption =
                    "The law's steady loop about its mean at the displacement that the point reaches: where "
                    "most energy is lost at the largest amplitude.",
                .x = {.title = "relative displacement", .unit = "m"},
                .y = {{.title = "force", .unit = "N"}}};
  for (std::size_t k = steps.size() > 4 ? steps.size() - 4 : 0; k < steps.size(); ++k) {
    const BackbonePoint& p = result.result.points[steps[k]];
    const double reach = std::abs(p.relative(3 * point + direction));
    if (!(reach > 0)) continue;
    const LoopPath path =
        std::visit([&](const auto& law) { return trace_loop(law, reach, result.result.framework, loop_points); },
                   result.file.joint.law);
    Trace trace{.name = fmt::format("q = {:.3g} √kg·m", p.amplitude), .x = path.displacement};
    for (double f : path.force) trace.y.push_back(area * f);
    figure.traces.push_back(std::move(trace));
  }
  return figure;
}

report::Table point_table(const Rqnma& run) {
  report::Table table{.id = "points", .title = "Every amplitude"};
  table.columns = {{.title = "amplitude", .unit = "√kg·m"},
                   {.title = "frequency", .unit = "Hz", .digits = 7},
                   {.title = "damping ratio", .unit = "1"},
                   {.title = "dissipation", .unit = "J"},
                   {.title = "residual", .unit = "1", .digits = 2},
                   {.title = "loops", .unit = "1"},
                   {.title = "flag"}};
  for (const BackbonePoint& p : run.points) {
    const report::Tone tone = p.converged ? report::Tone::plain : report::Tone::bad;
    table.rows.push_back({p.amplitude,
                          p.frequency_hz,
                          p.damping_ratio,
                          p.dissipation,
                          {p.residual, tone},
                          static_cast<double>(p.loops),
                          {p.flag, tone}});
  }
  return table;
}

report::Table parameter_table(const BackboneFile& file) {
  report::Table table{.id = "parameters", .title = "The joint"};
  table.columns = {{.title = "parameter"}, {.title = "value", .unit = file.joint.per_area ? "per area" : "SI"}};
  for (const auto& [name, value] : joint_parameters(file.joint)) table.rows.push_back({name, value});
  return table;
}

}  // namespace

report::Page backbone_page(const BackboneResult& result) {
  const Rqnma& run = result.result;
  report::Page page{
      .title = fmt::format("Backbone of mode {}", run.mode),
      .subtitle = result.file.combination != nullptr ? result.file.combination->name : law_name(result.file.joint.law)};
  const std::vector<std::size_t> steps = chosen(run);
  page.verdicts.push_back(
      {.label = "Vanishing amplitude", .value = fmt::format("{:.2f}", run.linear_frequency_hz), .unit = "Hz"});
  if (!steps.empty()) {
    const BackbonePoint &first = run.points[steps.front()], &last = run.points[steps.back()];
    page.verdicts.push_back({.label = "Frequency shift",
                             .value = fmt::format("{:.2f}", last.frequency_hz - first.frequency_hz),
                             .unit = "Hz"});
    page.verdicts.push_back({.label = "Damping ratio",
                             .value = fmt::format("{:.3g} to {:.3g}", first.damping_ratio, last.damping_ratio),
                             .unit = "1"});
  }
  double worst = 0;
  std::size_t failed = 0;
  for (const BackbonePoint& p : run.points) {
    if (p.converged) worst = std::max(worst, p.residual);
    failed += p.converged ? 0U : 1U;
  }
  page.verdicts.push_back({.label = "Largest residual",
                           .value = fmt::format("{:.1e}", worst),
                           .unit = "1",
                           .note = failed == 0 ? "" : fmt::format("{} points failed", failed),
                           .tone = failed == 0 ? report::Tone::good : report::Tone::warning});
  for (const std::string& note : run.notes) page.notes.push_back({.text = note});

  report::Section section{.title = "Backbone"};
  section.figures = {backbone_figure(run, result.file.options.damping_ratio), dissipation_figure(run)};
  page.sections.push_back(std::move(section));
  if (!steps.empty()) {
    if (!result.file.structure.lines.empty())
      page.sections.push_back({.title = "Mode shape", .figures = {shape_figure(result, steps)}});
    report::Section interface { .title = "Interface" };
    interface.figures = interface_figures(result, steps);
    if (result.file.joint.tangential == Tangential::separate &&
        law_name(result.file.joint.law) != "elastic_dry_friction" && run.points[steps.back()].local_loss.size() > 0)
      interface.figures.push_back(loop_figure(result, steps));
    if (!interface.figures.empty()) page.sections.push_back(std::move(interface));
  }
  page.sections.push_back({.title = "Numbers", .tables = {point_table(run), parameter_table(result.file)}});
  page.provenance.settings = {{"mode", fmt::format("{}", run.mode)},
                              {"framework", std::string(to_string(run.framework))},
                              {"contact", std::string(to_string(result.file.structure.interface->contact))},
                              {"preload", fmt::format("{:g}", result.file.options.prestress.preload)},
                              {"prestress law", std::string(to_string(result.file.options.prestress.law))},
                              {"loops at most", fmt::format("{}", result.file.options.max_loops)},
                              {"loop tolerance", fmt::format("{:g}", result.file.options.loop_tolerance)},
                              {"dissipation", std::string(to_string(result.file.options.dissipation))},
                              {"damping ratio", fmt::format("{:g}", result.file.options.damping_ratio)}};
  return page;
}

}  // namespace microslip::verbs
