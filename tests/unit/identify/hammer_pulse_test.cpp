#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <microslip/identify/hammer_pulse.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

TEST(HammerPulse, BetweenItsSamplesItIsTheirSumOfSincFunctions) {
  std::mt19937 rng(3);
  std::normal_distribution<double> random(0, 1);
  std::vector<double> force(700);
  for (double& f : force) f = random(rng);
  const double rate = 1000;
  for (const auto& [from, to] :
       {std::pair<std::size_t, std::size_t>{300, 340}, {0, 699}, {5, 5}, {650, 699}, {100, 600}}) {
    const SampledLoad load = band_limited(force, from, to, rate);
    const std::size_t first = from > 16 ? from - 16 : 0, last = std::min<std::size_t>(699, to + 16);
    ASSERT_EQ(load.value.size(), 16 * (last - first) + 1);
    EXPECT_EQ(load.value.front(), 0);
    EXPECT_EQ(load.value.back(), 0);
    for (std::size_t i = 1; i + 1 < load.value.size(); i += 7) {
      const double x = static_cast<double>(first) + static_cast<double>(i) / 16;
      double sum = 0;
      for (std::size_t k = from; k <= to; ++k) {
        const double away = pi * (x - static_cast<double>(k));
        sum += force[k] * (away == 0 ? 1 : std::sin(away) / away);
      }
      EXPECT_NEAR(load.time[i], x / rate, 1e-12);
      // Rounding of a transform of some 1500 points, of samples of order 1; sin(pi x) is known to 1e-13 at x = 700.
      EXPECT_NEAR(load.value[i], sum, 1e-11);
    }
  }
}

TEST(HammerPulse, OfThreeSecondsIsInterpolatedAtOnce) {
  // 3 s at 8192 Hz: the sum itself is 1e10 sines, minutes; samples of a slow sine lie on it far from the ends.
  std::vector<double> force(24576);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = std::sin(0.01 * pi * static_cast<double>(i));
  const SampledLoad load = band_limited(force, 0, force.size() - 1, 8192);
  // What is missing beyond the ends alternates: half of its first term, 1/(pi 12000).
  for (std::size_t i = 16 * 12000; i < 16 * 12100; i += 5)
    EXPECT_NEAR(load.value[i], std::sin(0.01 * pi * static_cast<double>(i) / 16), 3e-5);
}

TEST(HammerPulse, AnOffsetOfItsChannelMovesNothing) {
  std::vector<double> force(4096, 0.0);
  for (std::size_t i = 100; i < 120; ++i) force[i] = 50 * (1 - std::cos(2 * pi * static_cast<double>(i - 100) / 20));
  const auto clean = pulse_of(force);
  std::vector<double> off = force;
  for (double& f : off) f += 10;
  const std::vector<double> again = without_rest(off);
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(again[i], force[i], 2e-14);  // the last digit of 110
  EXPECT_EQ(pulse_of(without_rest(off)), clean);
}

}  // namespace
}  // namespace microslip
