#include <gtest/gtest.h>

#include <microslip/core/time_left.hpp>

namespace microslip {
namespace {

constexpr double step = 0.01;  // seconds between two reports

TEST(TimeLeft, OfEvenWorkIsExactOnceItIsTold) {
  for (const double length : {10.0, 600.0}) {
    TimeLeft left;
    double first_told = 0;
    for (int i = 0; i * step < length; ++i) {
      const double t = i * step;
      const auto told = left.at(t, t / length);
      if (!told) continue;
      if (first_told == 0) first_told = t;
      ASSERT_NEAR(*told, length - t, 1e-6 * length) << "at " << t;
    }
    EXPECT_NEAR(first_told, length == 10 ? 2 : 18, 3 * step);  // 2 s, or 3 %
  }
}

TEST(TimeLeft, OfDaysIsToldAfterHalfAMinute) {
  TimeLeft left;
  const double length = 2e5;
  EXPECT_FALSE(left.at(0, 0));
  for (int i = 1; i <= 40; ++i) {
    const auto told = left.at(i, i / length);
    ASSERT_EQ(told.has_value(), i > 30) << "at " << i;
    if (told) {
      EXPECT_NEAR(*told, length - i, 1e-6 * length);
    }
  }
}

TEST(TimeLeft, LeavesOutWhatCameBeforeTheFirstStep) {
  // 20 s of search, then 10 s of work: at 3 %, the time so far over the fraction would say 656 s.
  TimeLeft left;
  for (int i = 0; i <= 2000; ++i) ASSERT_FALSE(left.at(i * step, 0));
  for (int i = 2001; i < 3000; ++i) {
    const auto told = left.at(i * step, (i - 2000) / 1000.0);
    ASSERT_EQ(told.has_value(), i > 2200) << "at " << i * step;
    if (told) {
      ASSERT_NEAR(*told, 30 - i * step, 1e-6) << "at " << i * step;
    }
  }
}

TEST(TimeLeft, FollowsTheRateOfTheLaterHalf) {
  // 1 % in the first 10 s, 3 % in each second that follows. From 20 s on, the later half knows the new rate only, but
  // for a mark of 1 % before it.
  TimeLeft left;
  for (int i = 0; i < 1000; ++i) (void)left.at(i * step, 1e-3 * i * step);
  for (int i = 1000; i < 4300; ++i) {
    const double fraction = 0.01 + 0.03 * (i * step - 10);
    const auto told = left.at(i * step, fraction);
    if (i * step > 20.5) {
      ASSERT_NEAR(told.value_or(0), (1 - fraction) / 0.03, 1e-6) << "at " << i * step;
    }
  }
}

TEST(TimeLeft, SaysNothingWhileNothingMovesAndGoesOnAfterAStepBack) {
  TimeLeft left;
  for (int i = 0; i <= 10; ++i) (void)left.at(i, 0.05 * i);
  EXPECT_TRUE(left.at(10.5, 0.52));
  EXPECT_TRUE(left.at(12, 0.3));  // done once more, and slower for it
  EXPECT_GT(*left.at(13, 0.35), 13);
  for (int i = 14; i <= 40; ++i) (void)left.at(i, 0.35);
  EXPECT_FALSE(left.at(41, 0.35));
}

}  // namespace
}  // namespace microslip
