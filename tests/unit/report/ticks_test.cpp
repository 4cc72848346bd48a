#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <microslip/report/ticks.hpp>

namespace microslip::report {
namespace {

std::vector<std::string> labels(const AxisScale& scale) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks(scale))
    if (!tick.label.empty()) out.push_back(tick.label);
  return out;
}

TEST(Ticks, LinearOnesAreRound) {
  EXPECT_EQ(labels({.low = -0.05, .high = 1.05}), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({.low = -3, .high = 3}), (std::vector<std::string>{"-3", "-2", "-1", "0", "1", "2", "3"}));
}

TEST(Ticks, AreLabelledApartHoweverNarrowTheAxis) {
  for (const Scale scale : {Scale::linear, Scale::log}) {
    const std::vector<std::string> text = labels({.scale = scale, .low = 100.64800, .high = 100.64808});
    EXPECT_GE(text.size(), 4U);
    EXPECT_EQ(std::set<std::string>(text.begin(), text.end()).size(), text.size());
  }
  EXPECT_EQ(labels({.low = 0.5, .high = 1.5e9}).back(), "1.5e+09");  // six digits where they suffice
}

TEST(Ticks, LogOnesAreDecadesAndNarrowOnesHaveTwoAndFive) {
  EXPECT_EQ(labels({.scale = Scale::log, .low = 0.5, .high = 2000}),
            (std::vector<std::string>{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels({.scale = Scale::log, .low = 0.9, .high = 11}), (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_EQ(labels({.scale = Scale::log, .low = 9e-8, .high = 2e-5}),
            (std::vector<std::string>{"10⁻⁷", "10⁻⁶", "10⁻⁵"}));
  EXPECT_FALSE(labels({.scale = Scale::log, .low = 0.31, .high = 0.34}).empty());
  EXPECT_LE(labels({.scale = Scale::log, .low = 1e-30, .high = 1e30}).size(), 9U);
}

TEST(AxisScale, HoldsAllValuesAndSaysWhereNoneFits) {
  const AxisScale linear = fitted({.title = "", .unit = "1"}, {3, -1, NAN, 7});
  EXPECT_LT(linear.position(-1), linear.position(7));
  EXPECT_GT(linear.position(-1), 0);
  EXPECT_LT(linear.position(7), 1);
  const AxisScale log = fitted({.title = "", .unit = "1", .scale = Scale::log}, {0, -5, 1, 100});
  EXPECT_GT(log.position(1), 0);
  EXPECT_NEAR(log.position(10), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(log.position(0)));
  EXPECT_TRUE(std::isnan(log.position(-5)));
}

TEST(AxisScale, OneValueOrNoneStillMakesAnAxis) {
  for (const Scale scale : {Scale::linear, Scale::log})
    for (const std::vector<double>& values : {std::vector<double>{}, {5.0}, {0.0}, {NAN}}) {
      const AxisScale axis = fitted({.title = "", .unit = "1", .scale = scale}, values);
      EXPECT_LT(axis.low, axis.high);
      EXPECT_LT(ticks(axis).size(), 100U);
    }
  EXPECT_EQ(labels(fitted({.title = "", .unit = "1"}, {0, 0})),
            (std::vector<std::string>{"-1", "-0.5", "0", "0.5", "1"}));
}

TEST(AxisScale, ValuesThatDifferByRoundingMakeAnAxisWithTicks) {
  for (const Scale scale : {Scale::linear, Scale::log})
    for (const double x : {100.0, 3e6, 1.5}) {
      double next = x;
      for (int ulps = 1; ulps <= 8; ++ulps) {
        next = std::nextafter(next, HUGE_VAL);
        const AxisScale axis = fitted({.title = "", .unit = "1", .scale = scale}, {x, next});
        EXPECT_LT(axis.low, axis.high);
        EXPECT_FALSE(labels(axis).empty());
        EXPECT_LT(ticks(axis).size(), 20U) << x << " and " << ulps << " ulp";
      }
    }
  // Neither end of what doubles can hold leaves the loop over decades without an end.
  const double least = std::numeric_limits<double>::denorm_min();
  for (const Scale scale : {Scale::linear, Scale::log})
    EXPECT_LT(ticks(fitted({.title = "", .unit = "1", .scale = scale}, {least, 3 * least})).size(), 100U);
}

}  // namespace
}  // namespace microslip::report
