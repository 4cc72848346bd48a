#include <algorithm>
#include <cmath>
#include <numeric>

#include <microslip/report/thin.hpp>

namespace microslip::report {

std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y, std::size_t limit) {
  constexpr std::size_t kept_per_interval = 5;  // four extremes and a gap
  const std::size_t n = std::min(x.size(), y.size());
  std::vector<std::size_t> kept;
  if (n <= limit) {
    kept.resize(n);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }

  const std::size_t intervals = std::max<std::size_t>(1, limit / kept_per_interval);
  kept.reserve(kept_per_interval * intervals);
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t begin = k * n / intervals, end = (k + 1) * n / intervals;
    std::size_t gap = n, low_x = n, high_x = n, low_y = n, high_y = n;
    for (std::size_t i = begin; i < end; ++i) {
      if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
        if (gap == n) gap = i;
        continue;
      }
      if (low_x == n || x[i] < x[low_x]) low_x = i;
      if (high_x == n || x[i] > x[high_x]) high_x = i;
      if (low_y == n || y[i] < y[low_y]) low_y = i;
      if (high_y == n || y[i] > y[high_y]) high_y = i;
    }
    const std::size_t first_of_interval = kept.size();
    for (const std::size_t i : {gap, low_x, high_x, low_y, high_y})
      if (i != n) kept.push_back(i);
    std::sort(kept.begin() + static_cast<std::ptrdiff_t>(first_of_interval), kept.end());
    kept.erase(std::unique(kept.begin() + static_cast<std::ptrdiff_t>(first_of_interval), kept.end()), kept.end());
  }
  return kept;
}

}  // namespace microslip::report
