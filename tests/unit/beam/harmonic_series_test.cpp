#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <microslip/beam/harmonic_series.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

constexpr double pi = std::numbers::pi;

TEST(HarmonicSeries, RecoversItsOwnCoefficientsFromAnOddPieceOfRecord) {
  const HarmonicSeries truth{.frequency_hz = 31, .mean = 0.4, .sine = {3, -0.2, 0.7}, .cosine = {1, 0.05, -0.3}};
  std::vector<double> samples;
  for (int i = 0; i < 3333; ++i) samples.push_back(truth.at(i / 5120.0));
  const HarmonicSeries fit = fit_harmonic_series(samples, 5120, 31, 3);
  EXPECT_NEAR(fit.mean, 0.4, 1e-11);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(fit.sine[m], truth.sine[m], 1e-11);
    EXPECT_NEAR(fit.cosine[m], truth.cosine[m], 1e-11);
  }
  EXPECT_LT(fit.residual, 1e-11);
}

TEST(HarmonicSeries, AveragesNoiseAway) {
  std::mt19937 rng(20260101);
  std::normal_distribution<double> noise(0, 0.1);
  std::vector<double> samples;
  const int n = 20000;
  for (int i = 0; i < n; ++i) samples.push_back(2 * std::sin(2 * pi * 31 * i / 5120.0) + noise(rng));
  const HarmonicSeries fit = fit_harmonic_series(samples, 5120, 31, 5);
  EXPECT_NEAR(fit.sine[0], 2, 5 * 0.1 * std::sqrt(2.0 / n));  // five standard errors
  EXPECT_NEAR(fit.residual, 0.1, 0.002);
}

TEST(HarmonicSeries, TwiceIntegratedAccelerationIsTheDisplacement) {
  const HarmonicSeries w{.frequency_hz = 25, .mean = 0, .sine = {2e-3, 1e-5}, .cosine = {0, 3e-5}};
  HarmonicSeries a = w;
  a.mean = 9.81;  // an accelerometer's offset must not become a parabola
  for (std::size_t i = 0; i < 2; ++i) {
    const double omega = 2 * pi * 25 * static_cast<double>(i + 1);
    a.sine[i] *= -omega * omega;
    a.cosine[i] *= -omega * omega;
  }
  const HarmonicSeries back = integrated_twice(a);
  EXPECT_EQ(back.mean, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(back.sine[i], w.sine[i], 1e-17);
    EXPECT_NEAR(back.cosine[i], w.cosine[i], 1e-17);
  }
}

TEST(HarmonicSeries, LoopOfAnEllipseHasItsArea) {
  const HarmonicSeries f{.frequency_hz = 31, .mean = 0, .sine = {10}, .cosine = {0}};
  const double lag = 0.3, w = 2e-3;
  const HarmonicSeries x{.frequency_hz = 31, .mean = 0, .sine = {w * std::cos(lag)}, .cosine = {-w * std::sin(lag)}};
  const LoopCurve loop = loop_of(f, x, 64);
  EXPECT_NEAR(loop.dissipation, pi * 10 * w * std::sin(lag), 1e-16);
  EXPECT_EQ(loop.force.size(), 65U);
}

TEST(HarmonicSeries, RefusesWhatItCannotResolve) {
  const std::vector<double> ramp(100, 1.0);
  EXPECT_THROW(fit_harmonic_series(ramp, 1000, 100, 5), InvalidInput);  // the fifth harmonic sits at Nyquist
  EXPECT_THROW(fit_harmonic_series(ramp, 1000, 5, 1), InvalidInput);    // half a period
  EXPECT_THROW(fit_harmonic_series(ramp, 1000, 0, 1), InvalidInput);
  EXPECT_THROW(fit_harmonic_series({1, NAN, 2}, 3, 1, 1), InvalidInput);
  HarmonicSeries a{.frequency_hz = 31, .mean = 0, .sine = {1}, .cosine = {0}}, b = a;
  b.frequency_hz = 32;
  EXPECT_THROW(loop_of(a, b, 10), InvalidInput);
}

}  // namespace
}  // namespace microslip::beam
