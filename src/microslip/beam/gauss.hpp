#pragma once

#include <array>
#include <cstddef>

namespace microslip::beam {

/// The integral of f over [from, to] by Gauss's rule with eight points, exact to degree 15.
template <class F>
double gauss(double from, double to, F&& f) {
  constexpr std::array<double, 4> x{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += weight[i] * half * (f(middle - x[i] * half) + f(middle + x[i] * half));
  return sum;
}

}  // namespace microslip::beam
