#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>
#include <microslip/identify/support_stiffness.hpp>

namespace microslip::identify {

namespace {

constexpr int most_iterations = 50;
constexpr double two_sided_95 = 0.975;
constexpr double furthest =
    25;  ///< of ln k_n from its start: beyond, the beam is clamped or free, as far as is computed

/// Force per displacement of the stuck beam at its load.
double stuck_slope(beam::Model model, double kt) {
  model.support.tangential_stiffness = kt;
  return 1 / beam::displacement_at_load(model, beam::StuckBeam(model).response(1));
}

/// The k_t in [lower, upper] that gives the slope, which lies between those of the two ends.
double stiffness_for(const beam::Model& model, double slope, double lower, double upper) {
  const double direction = stuck_slope(model, upper) - stuck_slope(model, lower);
  double a = std::log(lower), b = std::log(upper);
  while (b - a > 1e-13 * std::max(std::abs(a), std::abs(b))) {
    const double middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    ((stuck_slope(model, std::exp(middle)) - slope) * direction < 0 ? a : b) = middle;
  }
  return std::exp((a + b) / 2);
}

/// Sum of squares of ln(predicted / measured) at a k_n.
double misfit(beam::Model model, const std::vector<MeasuredFrequency>& measured, int most, double log_k) {
  model.support.normal_stiffness = std::exp(log_k);
  const std::vector<double> predicted = beam::StuckBeam(model).natural_frequencies_hz(most);
  double squares = 0;
  for (const auto& m : measured)
    squares += std::pow(std::log(predicted[static_cast<std::size_t>(m.number - 1)] / m.frequency_hz), 2);
  return squares;
}

/// ln k_n, up or down from where `rise_at` is zero, at which it has reached `rise`; none where it does not within
/// `reach` of there. Frequencies saturate, so a line from the best would end too early or at no end that exists.
template <class RiseAt>
std::optional<double> profile_end(const RiseAt& rise_at, double log_k, double first_step, double rise, double reach) {
  double inside = 0, outside = 0;
  const double direction = std::copysign(1.0, first_step);
  for (double step = std::abs(first_step); outside < reach; step = std::min(1.5 * step, 1.0)) {
    outside = std::min(outside + step, reach);
    if (rise_at(log_k + direction * outside) >= rise) {
      while (outside - inside > 1e-7) {
        const double middle = 0.5 * (inside + outside);
        (rise_at(log_k + direction * middle) >= rise ? outside : inside) = middle;
      }
      return log_k + direction * outside;
    }
    inside = outside;
  }
  return std::nullopt;
}

}  // namespace

StiffnessEstimate normal_stiffness(const beam::Model& model, const std::vector<MeasuredFrequency>& measured,
                                   double relative_uncertainty) {
  non_negative("relative_uncertainty", relative_uncertainty);
  if (measured.empty()) throw InvalidInput("k_n needs at least 1 measured frequency, got none");
  if (measured.size() == 1 && relative_uncertainty == 0)
    throw InvalidInput("with 1 measured frequency the uncertainty must be given, got 0");
  int most = 0;
  for (const auto& m : measured) {
    positive("frequency_hz", m.frequency_hz);
    if (m.number < 1) throw InvalidInput(fmt::format("natural frequencies are numbered from 1, got {}", m.number));
    most = std::max(most, m.number);
  }

  beam::Model trial = beam::checked(model);
  const double log_start = std::log(positive("support.normal_stiffness", model.support.normal_stiffness));
  double log_k = log_start;
  StiffnessEstimate estimate;
  estimate.outcome = Outcome::iteration_limit;
  double curvature = 0;
  while (estimate.iterations < most_iterations) {
    ++estimate.iterations;
    trial.support.normal_stiffness = std::exp(log_k);
    const std::vector<beam::Mode> modes = beam::StuckBeam(trial).modes(most);
    double gradient = 0, squares = 0;
    curvature = 0;
    estimate.predicted.clear();
    for (const auto& m : measured) {
      const beam::Mode& mode = modes[static_cast<std::size_t>(m.number - 1)];
      const double miss = std::log(mode.frequency_hz / m.frequency_hz);
      gradient += mode.normal_sensitivity * miss;
      curvature += mode.normal_sensitivity * mode.normal_sensitivity;
      squares += miss * miss;
      estimate.predicted.push_back(mode.frequency_hz);
    }
    estimate.residual = std::sqrt(squares / static_cast<double>(measured.size()));
    // Sensitivities fall slowly with k_n; steps of more than a factor e^2 would leave their range.
    const double step = std::clamp(-gradient / curvature, -2.0, 2.0);
    if (!std::isfinite(step)) break;
    if (std::abs(step) < 1e-10) {
      estimate.outcome = Outcome::converged;
      break;
    }
    log_k += step;
    if (std::abs(log_k - log_start) > furthest) break;  // no k_n gives the frequencies
  }
  estimate.value = std::exp(log_k);
  estimate.sensitivity = std::sqrt(curvature);
  if (estimate.outcome != Outcome::converged) return estimate;

  double sigma = relative_uncertainty, quantile = boost::math::quantile(boost::math::normal(), two_sided_95);
  if (sigma == 0) {
    const double freedom = static_cast<double>(measured.size()) - 1;
    sigma = estimate.residual * std::sqrt((freedom + 1) / freedom);
    quantile = boost::math::quantile(boost::math::students_t(freedom), two_sided_95);
  }
  const double least = misfit(model, measured, most, log_k), rise = std::pow(quantile * sigma, 2);
  const auto rise_at = [&](double at) { return misfit(model, measured, most, at) - least; };
  const double step = std::clamp(quantile * sigma / estimate.sensitivity, 1e-6, 1.0);
  if (const auto end = profile_end(rise_at, log_k, -step, rise, log_k - log_start + furthest))
    estimate.lower = std::exp(*end);
  const double top = std::min(log_start + furthest, std::log(beam::most_normal_stiffness(model)));
  if (const auto end = profile_end(rise_at, log_k, step, rise, top - log_k)) estimate.upper = std::exp(*end);
  estimate.identifiable = estimate.lower > 0 && estimate.upper.has_value();
  return estimate;
}

StiffnessEstimate tangential_stiffness(const beam::Model& model, double elastic_slope, double relative_uncertainty) {
  beam::checked(model);
  finite("elastic_slope", elastic_slope);
  non_negative("relative_uncertainty", relative_uncertainty);
  // From a layer without effect to one that is stiffer than the beam by six orders, or as stiff as can be computed: the
  // slope's two limits.
  const double scale = model.beam.axial_stiffness() / (model.support.length * model.support.length);
  const double softest = 1e-6 * scale, stiffest = std::min(1e6 * scale, beam::most_tangential_stiffness(model));
  const double slope_soft = stuck_slope(model, softest), slope_stiff = stuck_slope(model, stiffest);
  const auto reachable = [&](double slope) {
    return slope > std::min(slope_soft, slope_stiff) && slope < std::max(slope_soft, slope_stiff);
  };
  if (!reachable(elastic_slope))
    throw InvalidInput(
        fmt::format("elastic_slope {} N/m: no k_t gives it, the model reaches {} (k_t = 0) to {} (no sliding)",
                    elastic_slope, slope_soft, slope_stiff));
  StiffnessEstimate estimate;
  estimate.value = stiffness_for(model, elastic_slope, softest, stiffest);
  estimate.predicted = {stuck_slope(model, estimate.value)};
  estimate.residual = std::abs(std::log(estimate.predicted[0] / elastic_slope));
  // Where the load's point comes to rest at some k_t, the slope jumps there from one sign to the other without taking
  // the values between; a residual that is no number has the wrong sign.
  if (!(estimate.residual < 1e-6)) {
    estimate.outcome = Outcome::step_too_small;
    return estimate;
  }
  const double step = 1e-3;
  estimate.sensitivity = std::log(stuck_slope(model, estimate.value * std::exp(step)) /
                                  stuck_slope(model, estimate.value * std::exp(-step))) /
                         (2 * step);
  const double quantile = boost::math::quantile(boost::math::normal(), two_sided_95);
  // The ends of the interval on the soft side and on the stiff side, whichever way the slope runs with k_t; above a
  // resonance it is negative.
  const double stiffer = std::copysign(quantile * relative_uncertainty * elastic_slope, slope_stiff - slope_soft);
  const double toward_soft = elastic_slope - stiffer, toward_stiff = elastic_slope + stiffer;
  if (reachable(toward_soft)) estimate.lower = stiffness_for(model, toward_soft, softest, stiffest);
  if (reachable(toward_stiff)) estimate.upper = stiffness_for(model, toward_stiff, softest, stiffest);
  estimate.identifiable = estimate.lower > 0 && estimate.upper.has_value();
  return estimate;
}

double elastic_slope(const beam::LoopCurve& loop, double share) {
  within("share", share, 1e-3, 0.5);
  const auto& f = loop.force;
  const auto& u = loop.displacement;
  if (f.size() < 8 || u.size() != f.size())
    throw InvalidInput(
        fmt::format("a loop of at least 8 points is needed, got {} forces, {} displacements", f.size(), u.size()));
  const std::size_t n = f.size() - 1;  // the last point closes the loop on the first
  const auto top = static_cast<std::size_t>(std::max_element(f.begin(), f.end() - 1) - f.begin());
  const auto bottom = static_cast<std::size_t>(std::min_element(f.begin(), f.end() - 1) - f.begin());
  const double range = f[top] - f[bottom];
  double cross = 0, square = 0;
  for (std::size_t tip : {top, bottom}) {
    std::vector<double> x, y;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = (tip + k) % n;
      if (std::abs(f[i] - f[tip]) > share * range) break;
      x.push_back(u[i]);
      y.push_back(f[i]);
    }
    if (x.size() < 3)
      throw InvalidInput(
          fmt::format("a loop needs 3 points within {} of its force range after a reversal, got {}", share, x.size()));
    double mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean_x += x[i] / static_cast<double>(x.size());
      mean_y += y[i] / static_cast<double>(x.size());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      cross += (x[i] - mean_x) * (y[i] - mean_y);
      square += (x[i] - mean_x) * (x[i] - mean_x);
    }
  }
  return cross / square;
}

}  // namespace microslip::identify
