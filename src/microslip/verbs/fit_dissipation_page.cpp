#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/verbs/fit_dissipation_page.hpp>
#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

namespace {

using report::Figure;
using report::Mark;
using report::Scale;

std::vector<double> forces_to_draw(const FitDissipationOptions& options) {
  double least = options.fit.slip_force;
  for (const DissipationData& set : options.sets)
    least = std::min(least, *std::min_element(set.force.begin(), set.force.end()));
  std::vector<double> forces;
  const double from = 0.5 * least, to = options.fit.slip_force;
  for (int i = 0; i <= 100; ++i) forces.push_back(from * std::pow(to / from, i / 100.0));
  return forces;
}

Figure dissipation_figure(const FitDissipationOptions& options, const FitDissipationResult& result,
                          const Iwan4<double>& law) {
  Figure figure{.id = "dissipation", .title = "Dissipation against force"};
  figure.x = {.title = "force amplitude", .unit = "N", .scale = Scale::log};
  figure.y = {{.title = "dissipation", .unit = "J per cycle", .scale = Scale::log}};
  const std::vector<double> forces = forces_to_draw(options);
  std::vector<double> curve;
  for (const double f : forces) curve.push_back(dissipation_at_force(law, f));
  if (result.fits.size() == 1 && !result.fits.front().extremes.empty()) {
    report::Trace band{
        .name = "95 % (envelope of the intervals' ends)", .mark = Mark::band, .x = forces, .y = curve, .upper = curve};
    for (const Iwan4<double>& extreme : result.fits.front().extremes)
      for (std::size_t i = 0; i < forces.size(); ++i) {
        const double d = dissipation_at_force(extreme, forces[i]);
        band.y[i] = std::min(band.y[i], d);
        band.upper[i] = std::max(band.upper[i], d);
      }
    figure.traces.push_back(std::move(band));
  }
  figure.traces.push_back({.name = result.variability ? "averaged model" : "fit", .x = forces, .y = curve});
  for (const DissipationData& set : options.sets)
    figure.traces.push_back({.name = set.name, .mark = Mark::markers, .x = set.force, .y = set.dissipation});
  figure.annotations.push_back({.text = "slip force", .x = options.fit.slip_force});
  figure.wide = true;
  return figure;
}

Figure shape_figure(const FitDissipationOptions& options, const Iwan4<double>& law) {
  Figure figure{.id = "slope", .title = "Log-log slope and curvature"};
  figure.x = {.title = "force amplitude", .unit = "N", .scale = Scale::log};
  figure.y = {{.title = "slope", .unit = "1"}, {.title = "curvature", .unit = "1"}};
  const Iwan4Shape<double> shape = shape_of(law);
  report::Trace slope{.name = "slope"}, curvature{.name = "curvature", .panel = 1};
  for (const double f : forces_to_draw(options)) {
    if (f > 0.98 * law.slip_force) break;  // both grow without bound where beta is small
    const double r = shape.amplitude(f / law.slip_force);
    slope.x.push_back(f);
    slope.y.push_back(shape.slope(r));
    curvature.x.push_back(f);
    curvature.y.push_back(shape.curvature(r));
  }
  figure.traces = {std::move(slope), std::move(curvature)};
  figure.annotations.push_back({.text = "3 + chi", .y = 3 + law.chi});
  figure.caption =
      "d ln D / d ln F and its derivative. The slope starts at 3 + chi; a straight line says nothing of beta.";
  return figure;
}

Figure monotonic_figure(const Iwan4<double>& law) {
  Figure figure{.id = "monotonic", .title = "Monotonic pull and loops"};
  figure.x = {.title = "displacement", .unit = "m"};
  figure.y = {{.title = "force", .unit = "N"}};
  report::Trace pull{.name = "monotonic"};
  const double phi_max = law.phi_max();
  for (int i = 0; i <= 150; ++i) {
    const double u = 1.5 * phi_max * i / 150;
    pull.x.push_back(u);
    pull.y.push_back(law.curve(u).force);
  }
  figure.traces.push_back(std::move(pull));
  for (const double part : {0.25, 0.5, 1.0}) {
    const LoopPath path = trace_loop(law, part * phi_max, Framework::masing, 100);
    figure.traces.push_back({.name = fmt::format("loop at {:g} phi_max", part),
                             .x = path.displacement,
                             .y = path.force,
                             .dash = report::Dash::dot});
  }
  figure.caption = "Displacement of the joint alone. Macro-slip begins at phi_max.";
  return figure;
}

Figure normalised_figure(const FitDissipationOptions& options, const FitDissipationResult& result) {
  Figure figure{.id = "normalised", .title = "Parameters over their mean"};
  figure.x = {.title = "data set", .unit = ""};
  for (const DissipationData& set : options.sets) figure.x.categories.push_back(set.name);
  figure.y = {{.title = "parameter over mean", .unit = "1"}};
  const Iwan4<double>& mean = result.variability->averaged;
  const std::array<std::string, 3> names{"chi", "beta", "phi_max"};
  for (std::size_t p = 0; p < names.size(); ++p) {
    report::Trace trace{.name = names[p], .mark = Mark::line_markers};
    for (std::size_t i = 0; i < result.fits.size(); ++i) {
      const Iwan4<double>& law = result.fits[i].law;
      trace.x.push_back(static_cast<double>(i));
      trace.y.push_back(p == 0 ? law.chi / mean.chi : p == 1 ? law.beta / mean.beta : law.phi_max() / mean.phi_max());
    }
    figure.traces.push_back(std::move(trace));
  }
  return figure;
}

Figure variability_figure(const FitDissipationOptions& options, const Variability& v) {
  Figure figure{.id = "variability", .title = "Variability"};
  figure.x = {.title = "data set", .unit = ""};
  for (const DissipationData& set : options.sets) figure.x.categories.push_back(set.name);
  figure.y = {{.title = "mean square of ln ratio", .unit = "1", .scale = Scale::log}};
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    if (values.empty()) return;
    report::Trace trace{.name = name, .mark = Mark::line_markers, .y = values};
    for (std::size_t i = 0; i < values.size(); ++i) trace.x.push_back(static_cast<double>(i));
    figure.traces.push_back(std::move(trace));
  };
  add("data against their mean", v.experimental);
  add("data against the averaged model", v.model);
  add("data against the model of the others", v.leave_one_out);
  return figure;
}

report::Table parameter_table(const DissipationFit& fit, DissipationMethod method) {
  report::Table table{.id = "parameters", .title = "Parameters"};
  int digits = 5;
  for (const ParameterInterval& interval : fit.intervals)
    digits = interval_digits(interval.lower, interval.upper, digits);
  table.columns = {{.title = "parameter"},
                   {.title = "value", .digits = digits},
                   {.title = "unit"},
                   {.title = "95 % from", .digits = digits},
                   {.title = "to", .digits = digits},
                   {.title = "determined by the data"}};
  const std::array<double, 4> values{fit.law.chi, fit.law.beta, fit.law.phi_max(), fit.law.stiffness};
  const std::array<const char*, 4> units{"1", "1", "m", "N/m"};
  const char* unknown = method == DissipationMethod::best ? "too few points to tell" : "not told by this method";
  table.rows.push_back({"slip_force", fit.law.slip_force, "N", "given", "", "given"});
  for (std::size_t i = 0; i < iwan_parameters.size(); ++i) {
    if (fit.given[i]) {
      table.rows.push_back({std::string(to_string(iwan_parameters[i])), values[i], units[i], "given", "", "given"});
      continue;
    }
    const auto end = [&](const std::optional<double>& x) {
      return !fit.has_intervals ? report::Cell("") : x ? report::Cell(*x) : report::Cell("open");
    };
    table.rows.push_back({std::string(to_string(iwan_parameters[i])), values[i], units[i], end(fit.intervals[i].lower),
                          end(fit.intervals[i].upper),
                          !fit.has_intervals    ? report::Cell(unknown)
                          : fit.identifiable[i] ? report::Cell("yes")
                                                : report::Cell("no", report::Tone::warning)});
  }
  const SliderDensity<double> density = slider_density(fit.law);
  table.rows.push_back({"R", density.R, "N/m^(2+chi)", "", "", "derived"});
  table.rows.push_back({"S", density.S_delta, "N/m", "", "", "derived"});
  return table;
}

}  // namespace

report::Page fit_dissipation_page(const FitDissipationOptions& options, const FitDissipationResult& result) {
  const bool several = result.variability.has_value();
  const Iwan4<double> law = several ? result.variability->averaged : result.fits.front().law;
  report::Page page{.title = "Joint model from dissipation data",
                    .subtitle = several ? fmt::format("{} data sets", options.sets.size()) : options.sets.front().name};
  page.verdicts = {{.label = "Slope at small force, 3 + chi", .value = fmt::format("{:.3f}", 3 + law.chi)},
                   {.label = "Joint stiffness", .value = fmt::format("{:.4g}", law.stiffness), .unit = "N/m"},
                   {.label = "Macro-slip at", .value = fmt::format("{:.4g}", law.phi_max()), .unit = "m"}};
  if (!several) {
    const double miss = 100 * std::expm1(result.fits.front().residual);
    page.verdicts.push_back({.label = "Fit error",
                             .value = fmt::format("{:.2g}", miss),
                             .unit = "%",
                             .note = "RMS of ln D",
                             .tone = miss < 10 ? report::Tone::good : report::Tone::warning});
  }
  for (const std::string& note : result.notes) page.notes.push_back({.text = note});

  report::Section data{.title = "Data and fit"};
  data.figures = {dissipation_figure(options, result, law), shape_figure(options, law), monotonic_figure(law)};
  if (!several) data.tables.push_back(parameter_table(result.fits.front(), options.method));
  page.sections.push_back(std::move(data));
  if (several) {
    report::Section spread{.title = "Repeated tests"};
    spread.figures = {normalised_figure(options, result), variability_figure(options, *result.variability)};
    page.sections.push_back(std::move(spread));
  }
  page.provenance.settings = {{"slip_force", fmt::format("{}", options.fit.slip_force)}};
  if (options.method == DissipationMethod::best)
    for (const auto& [name, bounds] : {std::pair("chi", options.fit.chi), std::pair("beta", options.fit.beta)})
      page.provenance.settings.push_back(
          {fmt::format("bounds of {}", name), fmt::format("[{}, {}]", bounds[0], bounds[1])});
  return page;
}

}  // namespace microslip::verbs
