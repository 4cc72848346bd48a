#include <microslip/joints/power_table.hpp>

namespace microslip::detail {

PowerTable::PowerTable(double exponent) : n(exponent), inverse(1 / exponent) {
  const Lanes b = Lanes{1, 2} / n;  // of both integrals

  // (k + b) f_k = b/k! - sum_m m f_m/(k - m + 1)!
  std::array<double, gentle_terms + 2> over_factorial{1};
  for (std::size_t k = 1; k < over_factorial.size(); ++k)
    over_factorial[k] = over_factorial[k - 1] / static_cast<double>(k);
  std::array<Lanes, gentle_terms> weighted{};  // m f_m
  for (std::size_t k = 1; k <= gentle_terms; ++k) {
    Lanes sum = b * over_factorial[k];
    for (std::size_t m = 1; m < k; ++m) sum -= weighted[m - 1] * over_factorial[k - m + 1];
    f[k - 1] = sum / (b + static_cast<double>(k));
    weighted[k - 1] = static_cast<double>(k) * f[k - 1];
  }

  // w = 0 leaves y + psi(1) - psi(b) of near_one's sum.
  Lanes c = b, bracket = detail::near_one(b, 0.0, 0.0).integral / b;
  for (std::size_t k = 0; k < near_terms; ++k) {
    p[k] = c;
    q[k] = c * bracket;
    const Lanes bk = b + static_cast<double>(k);
    c *= bk / static_cast<double>(k + 1);
    bracket += 1.0 / static_cast<double>(k + 1) - 1.0 / bk;
  }
  offset = q[0][0] / p[0][0];

  // G = tau/(A P) obeys G + n x dG/dx = 1 - x G^n: its first coefficients, then Pade's equations.
  const double m = 0.5 * (n - 1), g_1 = -1 / (1 + n), g_2 = -n * g_1 / (1 + 2 * n);
  const double g_3 = -n * (g_2 + m * g_1 * g_1) / (1 + 3 * n);
  const double g_4 = -n * (g_3 + 2 * m * g_1 * g_2 + m * (n - 2) / 3 * g_1 * g_1 * g_1) / (1 + 4 * n);
  const double scale = g_2 * g_2 - g_1 * g_3;
  const double d_1 = (g_1 * g_4 - g_2 * g_3) / scale, d_2 = (g_3 * g_3 - g_2 * g_4) / scale;
  bending = {g_1 + d_1, g_2 + d_1 * g_1 + d_2, d_1, d_2};
}

}  // namespace microslip::detail
