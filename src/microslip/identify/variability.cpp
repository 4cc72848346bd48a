#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include <microslip/core/check.hpp>
#include <microslip/identify/dissipation_problem.hpp>
#include <microslip/identify/variability.hpp>
#include <microslip/joints/iwan4_shape.hpp>

namespace microslip {

namespace {

Iwan4<double> average(const std::vector<DissipationFit>& fits, std::optional<std::size_t> without = {},
                      std::optional<std::size_t> nor = {}) {
  double chi = 0, beta = 0, phi_max = 0, slip_force = 0, count = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    if ((without && *without == i) || (nor && *nor == i)) continue;
    chi += fits[i].law.chi;
    beta += fits[i].law.beta;
    phi_max += fits[i].law.phi_max();
    slip_force += fits[i].law.slip_force;
    ++count;
  }
  return from_phi_max(slip_force / count, phi_max / count, chi / count, beta / count);
}

using Points = std::vector<std::pair<double, double>>;

/// How far set i lies from the model of the others against how far each of these lies from the model of the rest, which
/// an outlier among them would hide: squares, each over what it is of the sets' own scatter.
double apart(const std::vector<DissipationData>& sets, const std::vector<DissipationFit>& fits, std::size_t i,
             double leave_one_out) {
  const auto n = static_cast<double>(sets.size());
  double scatter = 0;
  for (std::size_t j = 0; j < sets.size(); ++j)
    if (j != i) scatter += mean_square_log(average(fits, i, j), sets[j]) / (n - 1);
  return leave_one_out / (1 + 1 / (n - 1)) / (scatter / (1 + 1 / (n - 2)));
}

/// Force and dissipation of a set by rising force: tables are written in any order.
Points by_force(const DissipationData& set) {
  Points points;
  for (std::size_t k = 0; k < set.force.size(); ++k) points.emplace_back(set.force[k], set.dissipation[k]);
  std::sort(points.begin(), points.end());
  return points;
}

/// The k-th values of all sets belong together only where the forces do.
bool same_forces(const std::vector<Points>& sets) {
  return std::all_of(sets.begin(), sets.end(), [&](const auto& set) {
    if (set.size() != sets.front().size()) return false;
    for (std::size_t k = 0; k < set.size(); ++k)
      if (std::abs(set[k].first / sets.front()[k].first - 1) > 0.01) return false;
    return true;
  });
}

}  // namespace

Variability variability(const std::vector<DissipationData>& sets, const std::vector<DissipationFit>& fits) {
  if (sets.size() < 2 || sets.size() != fits.size())
    throw InvalidInput(fmt::format("variability needs two or more data sets, each with its fit; got {} and {}",
                                   sets.size(), fits.size()));
  Variability result{.averaged = average(fits)};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    result.model.push_back(mean_square_log(result.averaged, sets[i]));
    result.leave_one_out.push_back(mean_square_log(average(fits, i), sets[i]));
  }
  std::vector<Points> sorted;
  for (const DissipationData& set : sets) sorted.push_back(by_force(set));
  if (same_forces(sorted)) {
    const std::size_t n = sorted.front().size();
    std::vector<double> mean(n, 0.0);
    for (const auto& set : sorted)
      for (std::size_t k = 0; k < n; ++k) mean[k] += set[k].second / static_cast<double>(sets.size());
    for (const auto& set : sorted) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += std::pow(std::log(set[k].second / mean[k]), 2);
      result.experimental.push_back(sum / static_cast<double>(n));
    }
  } else {
    result.notes.emplace_back(
        "the sets were measured at different forces: the variability among the data (Eq. 41) is not defined");
  }
  // Student's t of one set against the scatter of the others: three sets need a gross outlier to tell it.
  if (sets.size() >= 3) {
    const double t = boost::math::quantile(boost::math::students_t(static_cast<double>(sets.size()) - 2), 0.995);
    for (std::size_t i = 0; i < sets.size(); ++i)
      if (apart(sets, fits, i, result.leave_one_out[i]) > t * t) {
        result.outliers.push_back(sets[i].name);
        result.notes.push_back(fmt::format(
            "{} stands apart: {:.0f} % from the model of the others, more than they scatter by (99 %); it is kept",
            sets[i].name, 100 * std::expm1(std::sqrt(result.leave_one_out[i]))));
      }
  }
  return result;
}

}  // namespace microslip
