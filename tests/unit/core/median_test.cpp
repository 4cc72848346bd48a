#include <gtest/gtest.h>

#include <microslip/core/median.hpp>

namespace microslip {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({2.5, 1}), 1.75);
  EXPECT_EQ(median({2.25, 1, 2.25, 1}), 1.625);
  EXPECT_EQ(median({9, -1, 4, 2, 7, 0}), 3);
  EXPECT_THROW((void)median({}), InvalidInput);
}

}  // namespace
}  // namespace microslip
