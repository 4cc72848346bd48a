#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip::signal {

/// Mean of each value and up to `half` neighbours on either side; fewer at the ends.
inline std::vector<double> moving_mean(std::span<const double> x, std::size_t half) {
  std::vector<double> sum{0.0}, mean(x.size());
  for (const double value : x) sum.push_back(sum.back() + value);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t lower = i > half ? i - half : 0, upper = std::min(x.size(), i + half + 1);
    mean[i] = (sum[upper] - sum[lower]) / static_cast<double>(upper - lower);
  }
  return mean;
}

}  // namespace microslip::signal
