#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/decay_window.hpp>
#include <microslip/signal/smooth_decay.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

TEST(SmoothDecay, DerivativesOfTheBentPolynomialAreThoseOfItsValue) {
  const SmoothDecay smooth({0.2, 5.0, 30}, {1, -2, 0.3, -0.1}, {3, 400, 2, -0.5, 0.2});
  const double h = 1e-5;
  for (const double t : {0.1, 0.2001, 0.5, 2.0, 4.9}) {
    const LogDecay p = smooth.at(t), before = smooth.at(t - h), after = smooth.at(t + h);
    EXPECT_NEAR(std::abs((after.value - before.value) / (2 * h) - p.rate), 0, 1e-6 * std::abs(p.rate));
    EXPECT_NEAR(std::abs((after.rate - before.rate) / (2 * h) - p.change), 0, 1e-5 * std::abs(p.change));
  }
}

TEST(SmoothDecay, CrossValidationTakesALineForALineAndMoreForACurve) {
  LogSamples s;
  const auto noise = test::white_noise(1000, 1e-3, 7);
  for (std::size_t i = 0; i < 1000; ++i) {
    const double t = 0.005 * static_cast<double>(i);
    s.time.push_back(t);
    s.log_amplitude.push_back(-1.2 * t + noise[i]);
    s.phase.push_back(500 * t + 3 * std::exp(-2 * t) + noise[999 - i]);
    s.weight.push_back(1);
  }
  const SmoothDecay smooth = smooth_decay(s);
  EXPECT_LE(smooth.amplitude_degree(), 2);
  EXPECT_GE(smooth.phase_degree(), 3);
  const std::vector<double> times = {0.5, 2.0, 4.0};
  const auto deviations = rate_deviations(s, smooth, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i];
    EXPECT_NEAR(smooth.at(t).rate.real(), -1.2, 4 * deviations[i].whole().real());
    EXPECT_NEAR(smooth.at(t).rate.imag(), 500 - 6 * std::exp(-2 * t), 0.02);
  }
  EXPECT_THROW((void)fit_decay(s, {0, 1, 0}, 0, 1), InvalidInput);
  s.time.resize(3);
  EXPECT_THROW((void)smooth_decay(s), InvalidInput);
}

TEST(Unwrapped, FollowsAnyPathWhoseStepsStayBelowHalfATurn) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> step(-0.999 * pi, 0.999 * pi), size(0.1, 3);
  std::vector<double> angle{0.5};
  std::vector<Complex> values{std::polar(1.0, 0.5)};
  while (values.size() < 5000) {
    angle.push_back(angle.back() + step(rng));
    values.push_back(std::polar(size(rng), angle.back()));
  }
  const auto all = unwrapped(values), seventh = unwrapped(values, 7);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(all[i], angle[i], 1e-9) << i;
  ASSERT_EQ(seventh.size(), (values.size() + 6) / 7);
  for (std::size_t i = 0; i < seventh.size(); ++i) ASSERT_EQ(seventh[i], all[7 * i]) << i;
}

TEST(NoiseAmplitude, IsTheScatterAboutTheGeometricMeanOfNeighbours) {
  std::mt19937 rng(6);
  std::normal_distribution<double> normal(0, 0.01 / std::numbers::sqrt2);
  std::vector<Complex> values;
  for (int i = 0; i < 4000; ++i)
    values.push_back(std::exp(Complex(-1e-4, 0.4) * static_cast<double>(i)) + Complex(normal(rng), normal(rng)));
  const std::size_t lag = 5, first = (values.size() - 2 * lag) * 2 / 3;
  std::vector<double> scatter;  // by the definition, root by root
  for (std::size_t i = first; i + 2 * lag < values.size(); ++i) {
    const Complex root = std::sqrt(values[i] * values[i + 2 * lag]), middle = values[i + lag];
    scatter.push_back(std::min(std::abs(middle - root), std::abs(middle + root)));
  }
  std::nth_element(scatter.begin(), scatter.begin() + static_cast<std::ptrdiff_t>(scatter.size() / 2), scatter.end());
  const double found = noise_amplitude(values, lag);
  EXPECT_NEAR(found, scatter[scatter.size() / 2] / std::sqrt(1.5 * std::log(2.0)), 1e-12);
  EXPECT_NEAR(found, 0.01, 5e-4);  // the median of 1300 values: 3 % at two standard deviations
}

}  // namespace
}  // namespace microslip::signal
