#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <microslip/report/ticks.hpp>

namespace microslip::report {

namespace {

/// 1, 2 or 5 times a power of ten, the nearest not below `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  const double fraction = step / power;
  return power * (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10);
}

std::vector<Tick> linear_ticks(double low, double high) {
  const double step = round_step((high - low) / 6);
  if (!(step > 0) || std::isinf(step)) return {};  // the width is beyond what doubles divide
  // Six digits, or as many as tell neighbours apart.
  const double largest = std::max(std::abs(low), std::abs(high));
  const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 1, 6, 17);
  const double first = std::ceil(low / step - 1e-9);
  std::vector<Tick> out;
  // Seven steps at most lie between the ends; counted, since on an axis of a few ulp first + 1 == first.
  for (int i = 0; i < 8; ++i) {
    const double value = (first + i) * step;
    if (value > high + 1e-9 * step) break;
    out.push_back({.value = value, .label = fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits)});
  }
  return out;
}

/// 0.001 to 10000 in digits, other powers of ten as 10⁻⁴.
std::string power_label(int digit, int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:.6g}", digit * std::pow(10, exponent));
  constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string label = digit == 1 ? "10" : fmt::format("{}·10", digit);
  if (exponent < 0) label += "⁻";
  for (const char c : fmt::format("{}", std::abs(exponent))) label += raised[static_cast<std::size_t>(c - '0')];
  return label;
}

std::vector<Tick> log_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const double decades = std::log10(high / low);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  std::vector<Tick> out;
  for (int k = first; k <= last; ++k)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10, k);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      const bool named = digit == 1 ? k % every == 0 : decades < 2 && (digit == 2 || digit == 5);
      if (!named && decades > 5) continue;
      out.push_back({.value = value, .label = named ? power_label(digit, k) : std::string()});
    }
  if (std::none_of(out.begin(), out.end(), [](const Tick& tick) { return !tick.label.empty(); }))
    return linear_ticks(low, high);
  return out;
}

}  // namespace

double AxisScale::position(double value) const {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  if (scale == Scale::linear) return (value - low) / (high - low);
  if (value <= 0) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low) / std::log(high / low);
}

AxisScale fitted(const Axis& axis, const std::vector<double>& values) {
  const bool log = axis.scale == Scale::log;
  if (axis.range && (*axis.range)[1] > (*axis.range)[0] && !(log && (*axis.range)[0] <= 0))
    return {.scale = axis.scale, .low = (*axis.range)[0], .high = (*axis.range)[1]};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) return {.scale = axis.scale, .low = log ? 1.0 : 0.0, .high = log ? 10.0 : 1.0};
  constexpr double margin = 0.05;
  // Values that differ by rounding alone are one value: an axis of their width would have no room for its ticks.
  const bool one = !(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)));
  if (log) {
    const double factor = one ? 2.0 : std::pow(high / low, margin);
    return {.scale = axis.scale,
            .low = std::max(low / factor, std::numeric_limits<double>::denorm_min()),
            .high = high * factor};
  }
  const double extra = !one ? margin * (high - low) : low == 0 ? 1 : 0.5 * std::abs(low);
  return {.scale = axis.scale, .low = low - extra, .high = high + extra};
}

std::vector<Tick> ticks(const AxisScale& scale) {
  return scale.scale == Scale::log ? log_ticks(scale.low, scale.high) : linear_ticks(scale.low, scale.high);
}

}  // namespace microslip::report
