#pragma once

#include <algorithm>
#include <vector>

#include <microslip/core/check.hpp>

namespace microslip {

/// The middle value; of an even number, the mean of the two in the middle.
inline double median(std::vector<double> x) {
  if (x.empty()) throw InvalidInput("a median of no values");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return x.size() % 2 == 1 ? *middle : 0.5 * (*std::max_element(x.begin(), middle) + *middle);
}

}  // namespace microslip
