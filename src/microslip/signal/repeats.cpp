#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/signal/gaussian_process.hpp>
#include <microslip/signal/repeats.hpp>

namespace microslip::signal {

namespace {

/// How many standard deviations about the curve hold 95 % of the points: 1.96 if they are normal and independent; the
/// points of one record move together, and then it takes more.
double coverage_factor(const GaussianProcess& process, const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> distance;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto p = process.at(x[i]);
    distance.push_back(std::abs(y[i] - p.mean) / std::max(p.point_deviation, 1e-300));
  }
  const auto at = distance.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(distance.size() - 1));
  std::nth_element(distance.begin(), at, distance.end());
  return std::max(1.96, *at);
}

}  // namespace

BackboneBands backbone_bands(std::span<const Backbone> repeats, std::size_t n_points) {
  if (n_points < 2) throw InvalidInput(fmt::format("bands: {} points, expected at least 2", n_points));
  std::vector<double> x, f, zeta;
  for (const Backbone& b : repeats) {
    if (b.coordinate != repeats.front().coordinate)
      throw InvalidInput(
          fmt::format("bands: one measurement is in '{}', another in '{}'", repeats.front().coordinate, b.coordinate));
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i < b.flag.size() && !b.flag[i].empty()) continue;
      x.push_back(std::log(b.amplitude[i]));
      f.push_back(b.frequency_hz[i]);
      zeta.push_back(b.damping_ratio[i]);
    }
  }
  if (x.size() < 4) throw InvalidInput(fmt::format("bands: {} points without a flag, expected at least 4", x.size()));
  const GaussianProcess frequency(x, f), damping(x, zeta);
  const double frequency_factor = coverage_factor(frequency, x, f), damping_factor = coverage_factor(damping, x, zeta);
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  BackboneBands bands;
  for (std::size_t i = 0; i < n_points; ++i) {
    const double at = *low + (*high - *low) * static_cast<double>(i) / static_cast<double>(n_points - 1);
    const auto pf = frequency.at(at), pz = damping.at(at);
    bands.amplitude.push_back(std::exp(at));
    bands.frequency_hz.push_back(pf.mean);
    bands.damping_ratio.push_back(pz.mean);
    bands.frequency_band.push_back(frequency_factor * pf.point_deviation);
    bands.damping_band.push_back(damping_factor * pz.point_deviation);
  }
  return bands;
}

}  // namespace microslip::signal
