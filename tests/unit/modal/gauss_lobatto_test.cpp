#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/modal/gauss_lobatto.hpp>

namespace microslip {
namespace {

double integral(const GaussLobatto& rule, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < rule.points.size(); ++i) sum += rule.weights[i] * std::pow(rule.points[i], power);
  return sum;
}

TEST(GaussLobatto, IsExactUpToDegreeTwoNLessThreeAndNotBeyond) {
  for (const int n : {2, 3, 4, 5, 8, 21}) {
    const GaussLobatto rule = gauss_lobatto(n);
    EXPECT_EQ(rule.points.front(), -1);
    EXPECT_EQ(rule.points.back(), 1);
    for (int power = 0; power <= 2 * n - 3; ++power)
      EXPECT_NEAR(integral(rule, power), power % 2 == 1 ? 0 : 2.0 / (power + 1), 1e-14) << n << " points, x^" << power;
    if (n == 21) continue;  // there the error is below rounding
    EXPECT_GT(std::abs(integral(rule, 2 * n - 2) - 2.0 / (2 * n - 1)), 1e-8) << n;
  }
  EXPECT_THROW(gauss_lobatto(1), InvalidInput);
}

}  // namespace
}  // namespace microslip
