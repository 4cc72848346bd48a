#pragma once

#include <cmath>

namespace microslip::test {

/// p in error(h) ~ h^p, from h and h/2.
template <class Error>
double observed_order(const Error& error, double h) {
  return std::log2(std::abs(error(h)) / std::abs(error(h / 2)));
}

}  // namespace microslip::test
