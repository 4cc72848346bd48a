#pragma once

#include <array>
#include <cmath>

#include <microslip/core/dual.hpp>

namespace microslip::detail {

/// sum_j z^j/(j + k) for k = 1, 2, 3: the tails of the series of y = -ln(1 - z) from z^k on, over z^k.
template <class S>
std::array<S, 3> log_tails(const S& z, const S& y) {
  if (std::abs(value_of(z)) < 0.1) {
    S sum(0);
    for (int j = 17; j >= 0; --j) sum = sum * z + S(1.0 / (j + 3));
    const S second = S(0.5) + z * sum;
    return {S(1) + z * second, second, sum};
  }
  const S inverse = S(1) / z, first = y * inverse, second = (first - S(1)) * inverse;
  return {first, second, (second - S(0.5)) * inverse};
}
template <class S>
std::array<S, 3> log_tails(const S& z) {
  using std::log1p;
  return log_tails(z, S(-log1p(-z)));
}

}  // namespace microslip::detail
