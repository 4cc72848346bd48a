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
  std::vector<Tick> out;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    out.push_back({.value = k * step, .label = fmt::format("{:.6g}", k == 0 ? 0.0 : k * step)});
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
  if (log) {
    const double factor = low < high ? std::pow(high / low, margin) : 2.0;
    return {.scale = axis.scale, .low = low / factor, .high = high * factor};
  }
  const double extra = low < high ? margin * (high - low) : std::max(0.5 * std::abs(low), 1e-300);
  return {.scale = axis.scale, .low = low - extra, .high = high + extra};
}

std::vector<Tick> ticks(const AxisScale& scale) {
  return scale.scale == Scale::log ? log_ticks(scale.low, scale.high) : linear_ticks(scale.low, scale.high);
}

}  // namespace microslip::report
