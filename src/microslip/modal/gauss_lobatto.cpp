#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/modal/gauss_lobatto.hpp>

namespace microslip {

GaussLobatto gauss_lobatto(int n) {
  if (n < 2) throw InvalidInput(fmt::format("a Gauss-Lobatto rule has at least 2 points, got {}", n));
  GaussLobatto rule{std::vector<double>(static_cast<std::size_t>(n)), std::vector<double>(static_cast<std::size_t>(n))};
  const int m = n - 1;
  for (int i = 0; i < n; ++i) {
    // Extrema of the Legendre polynomial P_m, by Newton on (1 - x^2) P_m' = m (P_{m-1} - x P_m).
    double x = -std::cos(std::numbers::pi * i / m), P = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double P_before = 1;
      P = x;
      for (int k = 2; k <= m; ++k) {
        const double next = ((2 * k - 1) * x * P - (k - 1) * P_before) / k;
        P_before = P;
        P = next;
      }
      const double change = (x * P - P_before) / (n * P);
      x -= change;
      if (std::abs(change) < 4e-16) break;
    }
    rule.points[static_cast<std::size_t>(i)] = i == 0 ? -1.0 : (i == m ? 1.0 : x);
    rule.weights[static_cast<std::size_t>(i)] = 2 / (m * n * P * P);
  }
  return rule;
}

}  // namespace microslip
