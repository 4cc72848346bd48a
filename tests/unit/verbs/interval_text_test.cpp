#include <cmath>

#include <gtest/gtest.h>

#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {
namespace {

TEST(IntervalText, EndsCanBeToldApart) {
  EXPECT_EQ(interval_text(121.00124, 121.00346), "[121.0012, 121.0035]");
  EXPECT_EQ(interval_text(-0.54338, -0.15514), "[-0.5434, -0.1551]");
  EXPECT_EQ(interval_text(5779991.2, 5780009.9), "[5779991, 5780010]");
  EXPECT_EQ(interval_text(1 - 1e-12, 1 + 1e-12), "[0.999999999999, 1.000000000001]");
}

TEST(IntervalText, TheWidthShowsToTwoFigures) {
  for (const double centre : {9.9999, 121.0, 3.3e-7, 4.41e5})
    for (const double relative : {0.3, 0.02, 1.7e-4, 9.7e-6, 1.1e-9}) {
      const double lower = centre * (1 - relative / 2), upper = centre * (1 + relative / 2);
      const std::string text = interval_text(lower, upper);
      double a = 0, b = 0;
      ASSERT_EQ(std::sscanf(text.c_str(), "[%lf, %lf]", &a, &b), 2) << text;
      // Each end is rounded by half a unit of the second figure of the width: 5 % of it at most.
      EXPECT_NEAR((b - a) / (upper - lower), 1, 0.1 + 1e-6) << text;
    }
}

TEST(IntervalText, OpenAndEmptyOnesKeepTheLeastDigits) {
  EXPECT_EQ(interval_text(std::nullopt, -0.504731), "[open, -0.5047]");
  EXPECT_EQ(interval_text(93.84123e-6, std::nullopt, 5), "[9.3841e-05, open]");
  EXPECT_EQ(interval_text(0.0, 0.0), "[0, 0]");
}

}  // namespace
}  // namespace microslip::verbs
