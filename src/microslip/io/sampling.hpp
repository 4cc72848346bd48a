#pragma once

#include <functional>
#include <span>
#include <string>

namespace microslip::io {

/// The constant rate behind a column of times.
struct Sampling {
  double rate_hz = 0;
  double start = 0;
  std::string warning;  ///< times rounded so coarsely that they look uneven; empty otherwise
};

/// Checks that `time` rises in equal steps, and says at which sample (as `place(i)` names it) it does not. Times
/// printed with few digits are fine: what rounding explains is no unevenness.
Sampling even_sampling(std::span<const double> time, const std::string& source,
                       const std::function<std::string(std::size_t)>& place);

}  // namespace microslip::io
