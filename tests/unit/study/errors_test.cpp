#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/study/errors.hpp>

namespace microslip::study {
namespace {

Measured measured() {
  Measured m;
  m.backbone.amplitude = {1e-6, 1e-5, 1e-4};
  m.backbone.frequency_hz = {180, 175, 170};
  m.backbone.damping_ratio = {1e-3, 2e-3, 1e-2};
  return m;
}

TEST(Errors, AreRootMeanSquaresOfRelativeFrequencyAndLogarithmOfDamping) {
  const Computed c{.frequency_hz = {180 * 1.01, 175, 170 * 0.98}, .damping_ratio = {1e-3, 4e-3, 1e-2}};
  const ErrorSums sums = compare(c, measured());
  EXPECT_NEAR(sums.errors()[0], std::sqrt((0.01 * 0.01 + 0.02 * 0.02) / 3), 1e-15);
  EXPECT_NEAR(sums.errors()[1], std::sqrt(1.0 / 3) * std::log(2) / -std::log(2e-3), 1e-15);
  EXPECT_NEAR(sums.objectives(false)[0], 2 * std::log10(sums.errors()[0]), 1e-14);
  EXPECT_NEAR(sums.objectives(false)[1], 2 * std::log10(sums.errors()[1]), 1e-14);
}

TEST(Errors, CountNegativeDampingAsAHundredPercent) {
  Computed c{.frequency_hz = {180, 175, 170}, .damping_ratio = {-1e-5, 2e-3, 0}};
  const ErrorSums sums = compare(c, measured());
  EXPECT_EQ(sums.squares[1], 2);
  EXPECT_EQ(sums.negative_damping, 2);
  EXPECT_EQ(sums.squares[0], 0);
}

TEST(Errors, PenaliseResidualsOnlyWhereAsked) {
  const Computed c{
      .frequency_hz = {181, 175, 170}, .damping_ratio = {1e-3, 3e-3, 1e-2}, .residual = {0.25, 1e-12, 0.5}};
  const ErrorSums sums = compare(c, measured());
  EXPECT_NEAR(sums.objectives(true)[0] - sums.objectives(false)[0], 0.75, 1e-11);
  EXPECT_NEAR(sums.objectives(true)[1] - sums.objectives(false)[1], 0.75, 1e-11);
}

TEST(Errors, CountAnAmplitudeWithoutASolution) {
  const double nan = std::nan("");
  const Computed c{.frequency_hz = {180, nan, 170}, .damping_ratio = {1e-3, nan, 1e-2}, .residual = {0, nan, 0}};
  const ErrorSums sums = compare(c, measured());
  EXPECT_EQ(sums.failed, 1);
  EXPECT_EQ(sums.squares, (Point{1, 1}));
  EXPECT_EQ(sums.residual, 1);
}

TEST(Errors, OfAPerfectFitAreZeroAndTheirObjectivesFinite) {
  const Measured m = measured();
  const ErrorSums sums =
      compare({.frequency_hz = m.backbone.frequency_hz, .damping_ratio = m.backbone.damping_ratio}, m);
  EXPECT_EQ(sums.errors(), (Point{0, 0}));
  EXPECT_TRUE(std::isfinite(sums.objectives(true)[0]));
}

TEST(Errors, SlopesEqualDifferences) {
  // A model with two parameters: f = f_m (1 + a + b q), zeta = zeta_m exp(b - a q), q = row.
  const Measured m = measured();
  const auto model = [&](double a, double b) {
    Computed c;
    c.frequency_slope.resize(3, 2);
    c.damping_slope.resize(3, 2);
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double f = m.backbone.frequency_hz[k], zeta = m.backbone.damping_ratio[k] * std::exp(b - a * i);
      c.frequency_hz.push_back(f * (1 + a + b * i));
      c.damping_ratio.push_back(zeta);
      c.frequency_slope.row(i) << f, f * i;
      c.damping_slope.row(i) << -i * zeta, zeta;
    }
    return c;
  };
  const double a = 0.03, b = -0.02, h = 1e-6;
  const ErrorSums at = compare(model(a, b), m);
  const Eigen::Matrix2Xd slopes = at.objective_slopes();
  for (int k = 0; k < 2; ++k) {
    const auto o = static_cast<std::size_t>(k);
    const double by_a =
        (compare(model(a + h, b), m).objectives(false)[o] - compare(model(a - h, b), m).objectives(false)[o]) / (2 * h);
    const double by_b =
        (compare(model(a, b + h), m).objectives(false)[o] - compare(model(a, b - h), m).objectives(false)[o]) / (2 * h);
    // Central differences: truncation h^2 and rounding eps/h, both about 1e-10 of slopes of order 10.
    EXPECT_NEAR(slopes(k, 0), by_a, 1e-7);
    EXPECT_NEAR(slopes(k, 1), by_b, 1e-7);
  }
}

TEST(Errors, OfSeveralModesAddUp) {
  const Measured m = measured();
  const Computed c{.frequency_hz = {181, 176, 171}, .damping_ratio = {2e-3, 2e-3, 2e-2}};
  ErrorSums twice = compare(c, m);
  twice.add(compare(c, m));
  EXPECT_DOUBLE_EQ(twice.errors()[0], compare(c, m).errors()[0]);
  EXPECT_EQ(twice.count, 6);
}

TEST(Variability, IsTheErrorOfTheBandsAndNaNWhereDampingTurnsNegative) {
  Measured m = measured();
  EXPECT_FALSE(variability(m));
  m.frequency_band = {1.8, 1.75, 1.7};  // 1 % everywhere
  m.damping_band = {5e-4, 1e-3, 5e-3};  // half
  const auto v = variability(m);
  ASSERT_TRUE(v);
  EXPECT_NEAR(v->upper[0], 0.01, 1e-15);
  EXPECT_NEAR(v->lower[0], 0.01, 1e-15);
  EXPECT_GT(v->lower[1], v->upper[1]);  // ln 1/2 is further away than ln 3/2 [Table 2]
  m.damping_band[0] = 2e-3;
  EXPECT_TRUE(std::isnan(variability(m)->lower[1]));
  EXPECT_FALSE(std::isnan(variability(m)->upper[1]));
}

TEST(Measured, IsRefusedWhereItCannotBeComparedWith) {
  const auto refused = [](auto spoil) {
    Measured m = measured();
    spoil(m);
    EXPECT_THROW(checked(m, "truth.csv"), InvalidInput);
  };
  EXPECT_NO_THROW(checked(measured(), "truth.csv"));
  refused([](Measured& m) { m.backbone.damping_ratio[1] = 0; });
  refused([](Measured& m) { m.backbone.damping_ratio[1] = 1; });
  refused([](Measured& m) { m.backbone.frequency_hz[1] = -1; });
  refused([](Measured& m) { m.backbone.frequency_hz[1] = std::nan(""); });
  refused([](Measured& m) { m.backbone.amplitude[1] = 1e-7; });
  refused([](Measured& m) { m.backbone.amplitude.pop_back(); });
  refused([](Measured& m) { m.frequency_band = {1}; });
  refused([](Measured& m) { m.damping_band = {1, -1, 1}; });
  refused([](Measured& m) { m.mode = 0; });
  refused([](Measured& m) { m.backbone = {}; });
}

}  // namespace
}  // namespace microslip::study
