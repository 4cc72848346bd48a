#pragma once

#include <cmath>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace microslip {

/// The input or the call is wrong. The message is one line: what, where, and what is expected. Exit status 2.
struct InvalidInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A computation that had to converge did not. The message says where and how far. Exit status 3.
struct NotConverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// x, if it is a number.
inline double finite(std::string_view what, double x) {
  if (!std::isfinite(x)) throw InvalidInput(fmt::format("{} must be a finite number, got {}", what, x));
  return x;
}

/// x, if x > 0. Written `!(x > 0)` so that NaN is refused too.
inline double positive(std::string_view what, double x) {
  if (!(x > 0) || std::isinf(x)) throw InvalidInput(fmt::format("{} must be > 0, got {}", what, x));
  return x;
}

/// x, if x >= 0.
inline double non_negative(std::string_view what, double x) {
  if (!(x >= 0) || std::isinf(x)) throw InvalidInput(fmt::format("{} must be >= 0, got {}", what, x));
  return x;
}

/// x, if lower <= x <= upper.
inline double within(std::string_view what, double x, double lower, double upper) {
  if (!(x >= lower && x <= upper))
    throw InvalidInput(fmt::format("{} must lie in [{}, {}], got {}", what, lower, upper, x));
  return x;
}

}  // namespace microslip
