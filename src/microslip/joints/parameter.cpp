#include <cmath>

#include <microslip/joints/parameter.hpp>

namespace microslip {

std::string to_string(const Range& range) {
  const std::string upper = std::isinf(range.upper) ? "inf" : fmt::format("{}", range.upper);
  const std::string lower = std::isinf(range.lower) ? "-inf" : fmt::format("{}", range.lower);
  return fmt::format("{}{}, {}{}", range.lower_open ? '(' : '[', lower, upper, range.upper_open ? ')' : ']');
}

}  // namespace microslip
