#pragma once

#include <algorithm>
#include <vector>

namespace microslip {

/// The least of the repetitions: what the code costs when other work on the machine leaves it alone.
inline double least(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

}  // namespace microslip
