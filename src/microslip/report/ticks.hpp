#pragma once

#include <string>
#include <vector>

#include <microslip/report/figure.hpp>

namespace microslip::report {

struct Tick {
  double value;
  std::string label;  ///< empty for a minor tick
};

/// An axis with its ends fixed: 0 at `low`, 1 at `high`, linear in the value or in its logarithm.
struct AxisScale {
  Scale scale = Scale::linear;
  double low = 0;
  double high = 1;

  /// NaN where the value has no place on the axis.
  [[nodiscard]] double position(double value) const;
};

/// Ends that hold all values with a margin; whole decades' tenths are not forced on a log axis. Without any value
/// that can be shown: [0, 1], or [1, 10] on a log axis.
AxisScale fitted(const Axis& axis, const std::vector<double>& values);

/// Some five round numbers; powers of ten on a log axis, with 2 and 5 where there is less than two decades.
std::vector<Tick> ticks(const AxisScale& scale);

}  // namespace microslip::report
