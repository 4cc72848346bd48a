#pragma once

#include <cmath>

namespace microslip {

/// The part of a step after which the work of the residual along it has all but vanished: the bottom of the energy.
/// A slope that friction's corners break many times over is still monotonic. `work_0` < 0 is that work where the step
/// starts, `work_1` > 0 where it ends, and work_at(part) in between; the last part asked for is the one returned.
template <class WorkAt>
double bottom_of_energy(double work_0, double work_1, WorkAt work_at) {
  double low = 0, at_low = work_0, high = 1, at_high = work_1, part = 1;
  for (int i = 0; i < 12; ++i) {  // regula falsi, in the Illinois form
    part = low - at_low * (high - low) / (at_high - at_low);
    const double now = work_at(part);
    if (std::abs(now) <= -0.3 * work_0) break;
    if (now > 0) {
      high = part;
      at_high = now;
      at_low *= 0.5;
    } else {
      low = part;
      at_low = now;
      at_high *= 0.5;
    }
  }
  return part;
}

}  // namespace microslip
