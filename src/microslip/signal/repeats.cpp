#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/signal/gaussian_process.hpp>
#include <microslip/signal/repeats.hpp>

namespace microslip::signal {

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
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  BackboneBands bands;
  for (std::size_t i = 0; i < n_points; ++i) {
    const double at = *low + (*high - *low) * static_cast<double>(i) / static_cast<double>(n_points - 1);
    const auto pf = frequency.at(at), pz = damping.at(at);
    bands.amplitude.push_back(std::exp(at));
    bands.frequency_hz.push_back(pf.mean);
    bands.damping_ratio.push_back(pz.mean);
    bands.frequency_band.push_back(1.96 * pf.point_deviation);
    bands.damping_band.push_back(1.96 * pz.point_deviation);
  }
  return bands;
}

}  // namespace microslip::signal
