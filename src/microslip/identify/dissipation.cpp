#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <microslip/core/check.hpp>
#include <microslip/identify/dissipation.hpp>
#include <microslip/identify/dissipation_problem.hpp>
#include <microslip/joints/iwan4_shape.hpp>

namespace microslip {

namespace {

double parameter_value(const Iwan4<double>& law, IwanParameter parameter) {
  switch (parameter) {
    case IwanParameter::chi:
      return law.chi;
    case IwanParameter::beta:
      return law.beta;
    case IwanParameter::phi_max:
      return law.phi_max();
    case IwanParameter::stiffness:
      return law.stiffness;
  }
  return 0;
}

/// "in [a, b]": the interval of chi where beta is held at what was chosen.
std::string chi_at_beta(const DissipationProblem& problem, const DissipationProblem::Minimum& chosen, double rise) {
  const ParameterInterval interval = problem.chi_interval_at(chosen, rise);
  const auto end = [](const std::optional<double>& x) { return x ? fmt::format("{:.4f}", *x) : std::string("open"); };
  return fmt::format("in [{}, {}] (95 %)", end(interval.lower), end(interval.upper));
}

void add_notes(DissipationFit& fit, const DissipationData& data, const DissipationFitOptions& options) {
  const double most = *std::max_element(data.force.begin(), data.force.end());
  if (fit.law.beta <= options.beta[0] * (1 + 1e-9))
    fit.notes.push_back(fmt::format("beta is at its lower bound {}", options.beta[0]));
  if (fit.law.chi <= options.chi[0] + 1e-12 || fit.law.chi >= options.chi[1] - 1e-12)
    fit.notes.push_back(
        fmt::format("chi is at its bound {:.4g}: the slope of the data lies outside the model", fit.law.chi));
  if (most < 0.5 * options.slip_force)
    fit.notes.push_back(
        fmt::format("the largest measured force is {:.2g} % of the slip force: macro-slip is extrapolated",
                    100 * most / options.slip_force));
  if (fit.residual > 0.2)
    fit.notes.push_back(
        fmt::format("the model misses the data by {:.0f} % on average", 100 * std::expm1(fit.residual)));
  if (options.intervals && !fit.has_intervals)
    fit.notes.push_back(
        "as many parameters as points: no misfit is left to estimate the noise from, so there are no intervals");
}

}  // namespace

std::string_view to_string(IwanParameter parameter) {
  switch (parameter) {
    case IwanParameter::chi:
      return "chi";
    case IwanParameter::beta:
      return "beta";
    case IwanParameter::phi_max:
      return "phi_max";
    case IwanParameter::stiffness:
      return "stiffness";
  }
  return "";
}

void check(const DissipationData& data) {
  const std::size_t n = data.force.size();
  if (data.dissipation.size() != n || (!data.weight.empty() && data.weight.size() != n))
    throw InvalidInput(fmt::format("{}: {} forces, {} dissipations, {} weights", data.name, n, data.dissipation.size(),
                                   data.weight.size()));
  if (n < 2) throw InvalidInput(fmt::format("{}: {} data point(s); at least 2 are needed", data.name, n));
  for (std::size_t i = 0; i < n; ++i) {
    positive(fmt::format("{}: point {}: force", data.name, i + 1), data.force[i]);
    positive(fmt::format("{}: point {}: dissipation", data.name, i + 1), data.dissipation[i]);
    if (!data.weight.empty()) positive(fmt::format("{}: point {}: weight", data.name, i + 1), data.weight[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (data.force[j] == data.force[i])
        throw InvalidInput(
            fmt::format("{}: points {} and {} have the same force {}", data.name, j + 1, i + 1, data.force[i]));
  }
}

void check_slip_force(const DissipationData& data, double slip_force) {
  positive("slip_force", slip_force);
  const double most = *std::max_element(data.force.begin(), data.force.end());
  if (slip_force < most)
    throw InvalidInput(
        fmt::format("slip_force {} lies below the largest measured force {} in {}: a joint that slips as a whole at {} "
                    "cannot carry it",
                    slip_force, most, data.name, slip_force));
}

double mean_square_log(const Iwan4<double>& law, const DissipationData& data) {
  double sum = 0;
  for (std::size_t i = 0; i < data.force.size(); ++i)
    sum += std::pow(std::log(data.dissipation[i] / dissipation_at_force(law, data.force[i])), 2);
  return sum / static_cast<double>(data.force.size());
}

DissipationFit fit_of(const Iwan4<double>& law, const DissipationData& data) {
  DissipationFit fit{.law = law};
  for (const double force : data.force) fit.model.push_back(dissipation_at_force(law, force));
  fit.residual = std::sqrt(mean_square_log(law, data));
  return fit;
}

double dissipation_at_force(const Iwan4<double>& law, double force) {
  const Iwan4Shape<double> shape = shape_of(law);
  return law.slip_force * law.phi_max() * shape.dissipation(shape.amplitude(force / law.slip_force));
}

DissipationFit fit_dissipation(const DissipationData& data, const DissipationFitOptions& options) {
  check(data);
  check_slip_force(data, options.slip_force);
  if (options.stiffness) positive("stiffness", *options.stiffness);
  if (options.noise) positive("noise", *options.noise);
  if (!(options.beta[0] > 0 && options.beta[0] < options.beta[1]))
    throw InvalidInput(
        fmt::format("bounds of beta must satisfy 0 < lower < upper, got {} and {}", options.beta[0], options.beta[1]));
  if (!(options.chi[0] > -1 && options.chi[0] < options.chi[1] && options.chi[1] <= 2))
    throw InvalidInput(fmt::format("bounds of chi must satisfy -1 < lower < upper <= 2, got {} and {}", options.chi[0],
                                   options.chi[1]));

  const bool power_law = data.force.size() == 2 && !options.stiffness;
  const DissipationProblem problem(data, options, power_law);
  const DissipationProblem::Minimum best = problem.minimise({});
  const std::optional<double> threshold = problem.threshold(best);
  DissipationProblem::Minimum chosen = best;
  // Of models that the data cannot tell apart the simplest is reported: the power law, beta at its upper bound.
  const DissipationProblem::Minimum simplest =
      problem.minimise({.chi = {}, .beta = options.beta[1], .phi_max = {}, .stiffness = {}});
  const bool simple = threshold && !options.stiffness && simplest.sum_of_squares - best.sum_of_squares <= *threshold;
  if (simple) chosen = simplest;
  DissipationFit fit = fit_of(problem.law(chosen), data);
  if (!chosen.settled) fit.notes.emplace_back("the fit was stopped while it still improved");
  if (power_law)
    fit.held.push_back(fmt::format("beta = {}: two points cannot set three parameters; they are read as a power law",
                                   options.beta[1]));
  if (options.stiffness) {
    fit.held.push_back(fmt::format("stiffness = {:g}: given", *options.stiffness));
    fit.given[static_cast<std::size_t>(IwanParameter::stiffness)] = true;
  }
  fit.has_intervals = options.intervals && threshold.has_value();
  if (fit.has_intervals) {
    for (std::size_t i = 0; i < iwan_parameters.size(); ++i) {
      const IwanParameter parameter = iwan_parameters[i];
      const double at_best = parameter_value(problem.law(best), parameter);
      const bool fixed = (parameter == IwanParameter::stiffness && options.stiffness) ||
                         (parameter == IwanParameter::beta && power_law);
      if (fixed) continue;
      const DissipationProblem::Ends ends = problem.profile(parameter, at_best, best, *threshold);
      fit.intervals[i] = ends.interval;
      const double chosen_value =
          parameter_value(fit.law, parameter);  // a model that the data do not tell from the best
      if (fit.intervals[i].lower && *fit.intervals[i].lower > chosen_value) fit.intervals[i].lower.reset();
      if (fit.intervals[i].upper && *fit.intervals[i].upper < chosen_value) fit.intervals[i].upper.reset();
      fit.extremes.insert(fit.extremes.end(), ends.laws.begin(), ends.laws.end());
      fit.identifiable[i] = fit.intervals[i].lower && fit.intervals[i].upper;
      if (!fit.identifiable[i])
        fit.notes.push_back(
            fmt::format("{} is not determined by the data: its interval is open {}", to_string(parameter),
                        fit.intervals[i].lower ? "above" : (fit.intervals[i].upper ? "below" : "on both sides")));
    }
  }
  if (fit.law.beta >= options.beta[1] * (1 - 1e-9) && !power_law)
    fit.notes.insert(
        fit.notes.begin(),
        fmt::format("the data follow a power law of slope {:.3f}: they cannot tell beta, which is set to {}{}",
                    3 + fit.law.chi, options.beta[1],
                    threshold ? fmt::format("; with that beta, chi = {:.4f} {}", fit.law.chi,
                                            chi_at_beta(problem, chosen, *threshold))
                              : ""));
  add_notes(fit, data, options);
  return fit;
}

ManualFit manual_fit(double chi, double beta, double slip_force, double point_force, double point_dissipation,
                     int points) {
  const Iwan4Shape<double> shape{chi, beta};
  checked(Iwan4<double>{.slip_force = slip_force, .stiffness = 1, .chi = chi, .beta = beta});
  positive("dissipation of the chosen point", point_dissipation);
  if (!(point_force > 0 && point_force <= slip_force))
    throw InvalidInput(
        fmt::format("the chosen point's force must lie in (0, slip_force = {}], got {}", slip_force, point_force));
  if (points < 2) throw InvalidInput(fmt::format("a curve needs at least 2 points, got {}", points));
  ManualFit fit;
  fit.r_at_point = shape.amplitude(point_force / slip_force);                                   // step 2, Eq. 34
  const double phi_max = point_dissipation / (slip_force * shape.dissipation(fit.r_at_point));  // step 3, Eq. 40
  fit.law = from_phi_max(slip_force, phi_max, chi, beta);                                       // step 4
  for (int i = 0; i < points; ++i) {
    const double r = std::pow(10.0, -3.0 * (points - 1 - i) / (points - 1));
    fit.r.push_back(r);
    fit.force_ratio.push_back(shape.force(r));
    fit.dissipation.push_back(slip_force * phi_max * shape.dissipation(r));
    fit.slope.push_back(shape.slope(r));
    fit.curvature.push_back(shape.curvature(r));
  }
  return fit;
}

}  // namespace microslip
