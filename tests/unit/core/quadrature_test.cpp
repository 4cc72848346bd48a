#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <microslip/core/dual.hpp>
#include <microslip/core/quadrature.hpp>

namespace microslip {
namespace {

/// Evaluations and error for sqrt|t - 0.3|, which has no derivative at a point within.
struct Effort {
  int evaluations = 0;
  double error = 0;
};
Effort kink(double scale, double relative_tolerance) {
  Effort run;
  const double found = integrate_unit<double>(
      [&](double t) {
        ++run.evaluations;
        return scale * std::sqrt(std::abs(t - 0.3));
      },
      relative_tolerance * scale);
  run.error = found / scale - 2.0 / 3 * (std::pow(0.3, 1.5) + std::pow(0.7, 1.5));
  return run;
}

TEST(Quadrature, SmoothIntegrandsToRoundOffFromOnePanel) {
  int evaluations = 0;
  const double e = integrate_unit<double>(
      [&](double t) {
        ++evaluations;
        return std::exp(t);
      },
      1e-12);
  EXPECT_NEAR(e, std::numbers::e - 1, 4e-16);
  EXPECT_EQ(evaluations, 15) << "each abscissa once";
  // Degree 22 is what the fifteen points integrate exactly.
  EXPECT_NEAR(integrate_unit<double>([](double t) { return std::pow(t, 22); }, 1.0), 1.0 / 23, 1e-16);
  EXPECT_EQ(integrate_unit<double>([](double) { return 3.0; }, 0), 3.0) << "a constant needs no halving";
}

TEST(Quadrature, KeepsItsToleranceAtAKink) {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) EXPECT_LT(std::abs(kink(1, tolerance).error), tolerance);
}

TEST(Quadrature, WorkDoesNotDependOnTheUnit) {
  const Effort newtons = kink(1, 1e-9);
  for (const int power : {-60, -20, 20, 60}) {  // powers of two round alike
    const Effort other = kink(std::ldexp(1.0, power), 1e-9);
    EXPECT_EQ(other.evaluations, newtons.evaluations) << power;
    EXPECT_EQ(other.error, newtons.error) << power;
  }
}

TEST(Quadrature, DerivativesFollowTheIntegral) {
  // d/dp int_0^1 t^p dt = -1/(p + 1)^2
  const double p = 1.5;
  const Dual found = integrate_unit<Dual>([&](double t) { return pow(Dual(t), Dual::variable(p)); }, 1e-13);
  EXPECT_NEAR(found.value, 1 / (p + 1), 1e-13);
  EXPECT_NEAR(found.grad, -1 / ((p + 1) * (p + 1)), 1e-11);  // only the value is held to the tolerance
}

TEST(Quadrature, NotANumberEndsAtOnce) {
  int evaluations = 0;
  const double found = integrate_unit<double>(
      [&](double) {
        ++evaluations;
        return std::nan("");
      },
      1e-12);
  EXPECT_TRUE(std::isnan(found));
  EXPECT_EQ(evaluations, 15);
}

TEST(Quadrature, OfWhatRoundingKeepsFromItsToleranceEnds) {
  int calls = 0;
  const auto rough = [&](double t) {
    ++calls;
    return 1 + 1e-7 * std::sin(1e9 * t);  // noise, as far as any panel can tell
  };
  EXPECT_NEAR(integrate_unit<double>(rough, 1e-15), 1, 1e-7);
  EXPECT_LT(calls, 15 * 8002);
}

}  // namespace
}  // namespace microslip
