#include <cmath>
#include <complex>
#include <functional>

#include <gtest/gtest.h>

#include <microslip/core/dual.hpp>

namespace microslip {
namespace {

/// d f/dx by the complex step: exact to round-off, and independent of the dual arithmetic.
double complex_step(const std::function<std::complex<double>(std::complex<double>)>& f, double x) {
  constexpr double h = 1e-30;
  return f({x, h}).imag() / h;
}

TEST(Dual, ElementaryFunctionsMatchTheComplexStep) {
  for (double x : {0.07, 0.4, 0.9}) {
    const auto check = [x](const char* what, auto f) {
      const double expected = complex_step([&](std::complex<double> z) { return f(z); }, x);
      EXPECT_NEAR(f(Dual::variable(x)).grad, expected, 1e-14 * (1 + std::abs(expected))) << what << " at " << x;
    };
    check("sqrt", [](auto v) { return sqrt(v); });
    check("exp", [](auto v) { return exp(v); });
    check("log", [](auto v) { return log(v); });
    check("sin", [](auto v) { return sin(v); });
    check("cos", [](auto v) { return cos(v); });
    check("tan", [](auto v) { return tan(v); });
    check("tanh", [](auto v) { return tanh(v); });
    check("atan", [](auto v) { return atan(v); });
    check("atanh", [](auto v) { return atanh(v); });
    check("quotient", [](auto v) { return (v * v - 3.0) / (v + 2.0); });
    check("power of itself", [](auto v) { return pow(v, v); });
    check("constant exponent", [](auto v) { return pow(v, 2.3); });
  }
  for (const double x : {1e-9, 0.3, 2.0}) {
    EXPECT_NEAR(expm1(Dual::variable(x)).grad, std::exp(x), 1e-15 * std::exp(x)) << x;
    EXPECT_NEAR(log1p(Dual::variable(x)).grad, 1 / (1 + x), 1e-15) << x;
  }
}

TEST(Dual, PowerAtZeroHasItsLimit) {
  const Dual x = Dual::variable(0.0);
  EXPECT_EQ(pow(x, Dual(1.5)).grad, 0.0);
  EXPECT_EQ(pow(Dual(0.0), Dual::variable(0.5)).grad, 0.0);
}

TEST(DualN, CarriesSeveralDirectionsAtOnce) {
  const auto x = DualN<2>::variable(3.0, 0), y = DualN<2>::variable(0.5, 1);
  const auto f = pow(x, y) + x * y;
  EXPECT_NEAR(f.grad[0], 0.5 * std::pow(3.0, -0.5) + 0.5, 1e-15);
  EXPECT_NEAR(f.grad[1], std::sqrt(3.0) * std::log(3.0) + 3.0, 1e-15);
}

TEST(Dual, ComparesByValue) {
  EXPECT_LT(Dual(1.0, 5.0), Dual(2.0, -5.0));
  EXPECT_EQ(abs(Dual(-2.0, 3.0)).grad, -3.0);
}

}  // namespace
}  // namespace microslip
