#pragma once

#include <cmath>

#include <microslip/core/dual.hpp>

namespace microslip::detail {

/// sum_j z^j/(j + k), the tail of the series of -ln(1 - z) from z^k on, over z^k; k = 1, 2, 3.
template <class S>
S log_tail(int k, const S& z) {
  using std::log1p;
  if (std::abs(value_of(z)) < 0.1) {
    S sum(0);
    for (int j = 17; j >= 0; --j) sum = sum * z + S(1.0 / (j + k));
    return sum;
  }
  S rest = -log1p(-z), power = z;
  for (int j = 1; j < k; ++j) {
    rest -= power / S(j);
    power *= z;
  }
  return rest / power;
}

}  // namespace microslip::detail
