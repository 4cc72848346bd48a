#include <gtest/gtest.h>

#include <microslip/study/area_fraction.hpp>

namespace microslip::study {
namespace {

// [Porter2022, section 4.5]: the experimental variability taken for a front of one point has area fractions of 0.2406,
// 0.0656 and exactly 0 for modes 1 to 3. Points from Table 2 (upper bounds), boxes from Table 4, both printed with
// three digits: rounding a height of 0.109 by 5e-5 moves the fraction by 1e-4, hence 3e-4.
TEST(PublishedAreaFraction, OfTheExperimentalPoint) {
  const auto of_point = [](Point point, ErrorBox box) { return area_fraction({{point}}, box); };
  EXPECT_NEAR(of_point({3.55e-3, 1.29e-1}, {{7.12e-4, 1.98e-2}, {0.17, 0.5}}), 0.2406, 3e-4);
  EXPECT_NEAR(of_point({6.62e-4, 5.34e-2}, {{6.62e-4, 2.20e-2}, {0.17, 0.5}}), 0.0656, 3e-4);
  EXPECT_EQ(of_point({3.36e-4, 1.89e-2}, {{3.36e-4, 1.89e-2}, {0.17, 0.5}}), 0);
}

}  // namespace
}  // namespace microslip::study
