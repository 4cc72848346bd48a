#include <algorithm>
#include <cmath>

#include <microslip/optimize/front.hpp>

namespace microslip {

std::vector<std::size_t> non_dominated(std::span<const Point> points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!std::isnan(points[i][0]) && !std::isnan(points[i][1])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  // Each point now comes after all that may dominate it: it is on the front where it lowers the second objective.
  std::vector<std::size_t> front;
  for (std::size_t i : order)
    if (front.empty() || points[i][1] < points[front.back()][1]) front.push_back(i);
  return front;
}

}  // namespace microslip
