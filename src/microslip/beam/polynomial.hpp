#pragma once

#include <array>
#include <cstddef>

namespace microslip::beam {

/// Terms kept in the series of a piece of beam. Pieces are cut so short that the n-th term falls as 1/n!.
inline constexpr std::size_t n_terms = 22;

/// Coefficients of t^k, with t running from 0 to 1 over a piece.
using Polynomial = std::array<double, n_terms>;

inline double value(const Polynomial& c, double t) {
  double sum = 0;
  for (std::size_t k = n_terms; k-- > 0;) sum = sum * t + c[k];
  return sum;
}

/// The same polynomial in s, where t = start + size * s.
inline Polynomial restricted(Polynomial c, double start, double size) {
  for (std::size_t i = 0; i + 1 < n_terms; ++i)
    for (std::size_t k = n_terms - 1; k-- > i;) c[k] += start * c[k + 1];
  double power = 1;
  for (double& coefficient : c) {
    coefficient *= power;
    power *= size;
  }
  return c;
}

}  // namespace microslip::beam
