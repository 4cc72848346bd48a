#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

/// Two objectives, both to be made small.
using Point = std::array<double, 2>;

/// Whether a is nowhere worse than b and better somewhere [Porter2022, section 3.5].
constexpr bool dominates(const Point& a, const Point& b) {
  return a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1]);
}

/// The points that no other dominates, by growing first objective: a Pareto front. Of equal points the first is kept;
/// points with a NaN are left out.
std::vector<std::size_t> non_dominated(std::span<const Point> points);

}  // namespace microslip
