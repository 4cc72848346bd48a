#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <microslip/report/thin.hpp>

namespace microslip::report {
namespace {

std::vector<double> ramp(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i);
  return x;
}

TEST(Thin, KeepsEverythingUpToTheLimit) {
  const auto x = ramp(100);
  EXPECT_EQ(thin(x, x, 100).size(), 100U);
  EXPECT_TRUE(thin({}, {}, 100).empty());
}

TEST(Thin, KeepsEndsAndEverySingleSpike) {
  constexpr std::size_t n = 100'000, limit = 2000;
  const auto x = ramp(n);
  std::vector<double> y(n, 0.0);
  std::mt19937 rng(20260101);
  std::vector<std::size_t> spikes;
  for (int k = 0; k < 50; ++k) spikes.push_back(static_cast<std::size_t>(k) * 2000 + rng() % 2000);
  for (const std::size_t i : spikes) y[i] = rng() % 2 == 0 ? 1.0 : -1.0;
  const auto kept = thin(x, y, limit);
  EXPECT_LE(kept.size(), limit);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), n - 1);
  for (const std::size_t i : spikes) EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), i)) << i;
}

TEST(Thin, KeepsTheExtremesOfALoopThatTurnsBack) {
  constexpr std::size_t n = 50'000;
  std::vector<double> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = 40 * 3.14159 * static_cast<double>(i) / n;
    x[i] = std::cos(t), y[i] = std::sin(t + 0.4);
  }
  double low = 1, high = -1, left = 1, right = -1;
  for (const std::size_t i : thin(x, y, 1000)) {
    low = std::min(low, y[i]), high = std::max(high, y[i]);
    left = std::min(left, x[i]), right = std::max(right, x[i]);
  }
  EXPECT_EQ(high, *std::max_element(y.begin(), y.end()));
  EXPECT_EQ(low, *std::min_element(y.begin(), y.end()));
  EXPECT_EQ(left, *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(right, *std::max_element(x.begin(), x.end()));
}

TEST(Thin, GapsStayGaps) {
  constexpr std::size_t n = 10'000;
  const auto x = ramp(n);
  std::vector<double> y(n, 1.0);
  for (std::size_t i = 4000; i < 4100; ++i) y[i] = std::numeric_limits<double>::quiet_NaN();
  const auto kept = thin(x, y, 500);
  EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), [&](std::size_t i) { return std::isnan(y[i]); }));
}

}  // namespace
}  // namespace microslip::report
