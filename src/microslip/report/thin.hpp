#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace microslip::report {

/// The points of a curve that make its picture: all of them up to `limit`, else the ends and the extremes in x and y
/// of consecutive short intervals, and one of each gap (NaN). Indices, increasing; at most `limit` of them.
/// A curve over increasing x keeps first, lowest, highest and last of each interval: drawn at fewer pixels than
/// intervals it is the same picture.
std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y, std::size_t limit);

}  // namespace microslip::report
