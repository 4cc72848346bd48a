#include <algorithm>

#include <microslip/core/check.hpp>
#include <microslip/study/area_fraction.hpp>

namespace microslip::study {

namespace {

/// Integral over x in [x_0, x_1] of the straight line from (x_0, y_0) to (x_1, y_1), held between 0 and top.
double clipped_area(double x_0, double y_0, double x_1, double y_1, double top) {
  const double width = x_1 - x_0;
  if (!(width > 0)) return 0;
  // The line falls. It is above the top up to share s, and above zero up to share z.
  const auto where = [&](double level) {
    if (y_0 <= level) return 0.0;
    return y_1 >= level ? 1.0 : (y_0 - level) / (y_0 - y_1);
  };
  const double s = where(top), z = where(0);
  const double from = std::min(y_0, top), to = std::max(y_1, 0.0);
  return width * (s * top + (z - s) * (from + to) / 2);
}

}  // namespace

double area_fraction(std::span<const Point> errors, const ErrorBox& box) {
  for (std::size_t k = 0; k < 2; ++k)
    if (!(box.upper[k] > box.lower[k]))
      throw InvalidInput(fmt::format("the box of errors must have its upper corner above its lower, got [{}, {}]",
                                     box.lower[k], box.upper[k]));
  const double left = box.lower[0], right = box.upper[0], top = box.upper[1] - box.lower[1];
  // Corners of the curve within the box's width, heights counted from the box's floor.
  double x = left, y = top, area = 0;
  bool begun = false;
  for (std::size_t i : non_dominated(errors)) {
    const double x_1 = errors[i][0], y_1 = errors[i][1] - box.lower[1];
    if (!begun) {
      // Nothing left of the first point is dominated.
      area += (std::clamp(x_1, left, right) - left) * top;
    } else if (x_1 > left && x < right) {
      // The part of the line from (x, y) to (x_1, y_1) that lies between left and right.
      const auto height = [&](double at) { return y + (y_1 - y) * (at - x) / (x_1 - x); };
      const double from = std::max(x, left), to = std::min(x_1, right);
      area += clipped_area(from, from == x ? y : height(from), to, to == x_1 ? y_1 : height(to), top);
    }
    begun = true;
    x = x_1;
    y = y_1;
  }
  if (!begun) return 1;
  area += std::max(0.0, right - std::max(x, left)) * std::clamp(y, 0.0, top);
  return area / ((right - left) * top);
}

}  // namespace microslip::study
