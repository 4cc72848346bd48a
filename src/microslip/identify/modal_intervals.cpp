#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/distributions/students_t.hpp>

#include <microslip/core/text.hpp>
#include <microslip/identify/modal_intervals.hpp>

namespace microslip {

namespace {

using namespace modal_place;

constexpr double furthest_end = 4.6;  ///< nepers between a value and an end of its interval: a factor of a hundred
constexpr double beta_offset = 0.01;  ///< beta is spread as ln(beta + 0.01): it may be zero

bool is_spread_as_logarithm(std::size_t which) { return which != chi && which != damping && which != damping_ratio; }
double spread_out(std::size_t which, double x) {
  if (!is_spread_as_logarithm(which)) return x;
  return std::log(which == beta ? x + beta_offset : std::max(x, 1e-300));
}
double back(std::size_t which, double y) {
  if (!is_spread_as_logarithm(which)) return y;
  return std::exp(y) - (which == beta ? beta_offset : 0);
}

double student(std::size_t n) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(n) - 1), 0.975);
}

struct Moments {
  double mean = 0, deviation = 0;
};
Moments moments(const std::vector<ModalIwan>& models, std::size_t which) {
  Moments m;
  const auto n = static_cast<double>(models.size());
  for (const auto& model : models) m.mean += spread_out(which, modal_quantity(model, which)) / n;
  for (const auto& model : models)
    m.deviation += std::pow(spread_out(which, modal_quantity(model, which)) - m.mean, 2) / (n - 1);
  m.deviation = std::sqrt(m.deviation);
  return m;
}

/// Share of replicas in which a variable of the fit stood at a bound.
double share_at_bound(const Spread& spread, std::size_t variable) {
  if (spread.at_bound.empty()) return 0;
  const auto count =
      std::count_if(spread.at_bound.begin(), spread.at_bound.end(), [&](const auto& met) { return met[variable]; });
  return static_cast<double>(count) / static_cast<double>(spread.at_bound.size());
}

}  // namespace

void set_intervals(ModalFit& fit, const Spread& spread, const BoundsMet& at_bound, bool viscous) {
  const bool replicas = spread.models.size() > 1, blocks = spread.left_out.size() > 1;
  for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
    const double at = spread_out(q, modal_quantity(fit.model, q));
    double centre = at, squares = 0, systematic = 0;
    if (replicas) {
      const Moments m = moments(spread.models, q);
      const auto n = static_cast<double>(spread.models.size());
      if (!fit.least_largest) centre -= m.mean - spread_out(q, modal_quantity(spread.truth, q));
      const double widened = m.deviation * (fit.least_largest ? 1 : std::max(1.0, fit.misfit));
      squares += std::pow(student(spread.models.size()) * widened, 2) * (1 + 1 / n);
      if (!fit.least_largest) systematic += std::abs(at - spread_out(q, modal_quantity(spread.previous, q)));
      systematic += std::abs(at - spread_out(q, modal_quantity(spread.counterpart, q)));
    }
    if (blocks) {
      const Moments m = moments(spread.left_out, q);
      const auto n = static_cast<double>(spread.left_out.size());
      squares += std::pow(student(spread.left_out.size()) * m.deviation * (n - 1) / std::sqrt(n), 2);
    }
    if (!replicas && !blocks) continue;
    const double half = std::sqrt(squares) + systematic;  // bias does not average out: added, not squared
    const double lower = std::min(centre - half, at), upper = std::max(centre + half, at);
    fit.intervals[q] = {back(q, lower), back(q, upper)};
    // One fit of many that ran away makes an end that tells nothing.
    if (is_spread_as_logarithm(q) && at - lower > furthest_end) fit.intervals[q].lower.reset();
    if (is_spread_as_logarithm(q) && upper - at > furthest_end) fit.intervals[q].upper.reset();
  }
  if (fit.intervals[frequency_hz].upper) {  // K_inf is a part of K_0
    const double most = std::pow(2 * std::numbers::pi * *fit.intervals[frequency_hz].upper, 2);
    fit.intervals[linear_stiffness].upper = std::min(fit.intervals[linear_stiffness].upper.value_or(most), most);
  }

  // What the fit cannot tell: a variable at its bound, here or in one replica of twenty, leaves its quantities open.
  const auto open = [&](std::initializer_list<std::size_t> quantities, bool lower, bool upper) {
    for (const std::size_t q : quantities) {
      if (lower) fit.intervals[q].lower.reset();
      if (upper) fit.intervals[q].upper.reset();
    }
  };
  const auto at_its_bound = [&](std::size_t variable) {
    return at_bound[variable] || share_at_bound(spread, variable) > 0.05;
  };
  if (fit.macro_slip_beyond) {
    open({slip_force, stiffness, beta, linear_stiffness, phi_max}, true, true);
  } else if (!fit.macro_slip) {
    // Any phi_max above the largest amplitude, with any beta, does as well.
    open({slip_force, stiffness, phi_max}, false, true);
    open({beta}, true, true);
    open({linear_stiffness}, true, false);
  } else {
    // Macro-slip in a model that noise does not explain may stand for something else that bends the curves.
    const bool doubtful = fit.least_largest && replicas;
    if (doubtful || at_its_bound(ModalProblem::ln_reach))
      open({slip_force, stiffness, phi_max}, false, true), open({linear_stiffness}, true, false);
    if (doubtful || at_its_bound(ModalProblem::jump)) open({beta}, true, true);
  }
  if (at_its_bound(ModalProblem::exponent) || at_its_bound(ModalProblem::ln_share))
    open({slip_force, stiffness, chi, beta, linear_stiffness, phi_max, R}, true, true);
  if (viscous &&
      (at_its_bound(ModalProblem::damping) || (fit.intervals[damping].lower && *fit.intervals[damping].lower <= 0)))
    open({damping, damping_ratio}, true, false);
  if (fit.intervals[chi].lower && *fit.intervals[chi].lower <= -1) open({chi}, true, false);  // past what the law takes
  if (fit.intervals[chi].upper && *fit.intervals[chi].upper > 2) open({chi}, false, true);
  for (std::size_t q : {beta, linear_stiffness})
    if (fit.intervals[q].lower && *fit.intervals[q].lower <= 0) open({q}, true, false);
  if (!viscous) {
    fit.intervals[damping] = {0.0, 0.0};
    fit.intervals[damping_ratio] = {0.0, 0.0};
  }
  std::vector<std::string> undetermined;
  for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
    fit.identifiable[q] = fit.intervals[q].lower && fit.intervals[q].upper;
    if (!fit.identifiable[q] && q < n_modal_parameters) undetermined.emplace_back(modal_quantities[q]);
  }
  if (!undetermined.empty()) fit.notes.push_back(fmt::format("the data do not determine {}", join(undetermined, ", ")));
  if (fit.macro_slip_beyond)
    fit.notes.emplace_back(
        "macro-slip is seen only where the decay changes too fast to be trusted: what it tells has no interval");
  else if (!fit.macro_slip)
    fit.notes.emplace_back(
        "no macro-slip seen: the model with the least slip force is given, phi_max at the largest amplitude");
}

}  // namespace microslip
