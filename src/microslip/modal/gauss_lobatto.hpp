#pragma once

#include <vector>

namespace microslip {

/// Points and weights of the n-point Gauss-Lobatto rule on [-1, 1], both ends included, n >= 2: exact for polynomials
/// up to degree 2n - 3.
struct GaussLobatto {
  std::vector<double> points, weights;
};
GaussLobatto gauss_lobatto(int n);

}  // namespace microslip
