#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/time_plan.hpp>

namespace microslip {
namespace {

TEST(TimePlan, EndsOnAStep) {
  const TimePlan plan = plan_time(1.0, {.steps_per_period = 30, .step = {}}, 0.1, Load{});
  EXPECT_EQ(plan.n_steps, 300);
  EXPECT_DOUBLE_EQ(plan.time(300), 1.0);
  EXPECT_EQ(plan_time(1.0, {.steps_per_period = {}, .step = 0.3e-2}, 0.1, Load{}).n_steps, 334);
}

TEST(TimePlan, AutomaticStepsResolveModesAndLoad) {
  // Newmark's relative error of a period is (2 pi/n)^2/12 at n steps.
  const double n = 2 * std::numbers::pi / std::sqrt(12 * 1e-4);
  EXPECT_EQ(plan_time(1.0, {}, 0.1, Load{}).n_steps, std::ceil(10 * n));
  EXPECT_EQ(plan_time(1.0, {}, 0.1, Load(HalfSine{1, 1e-3})).n_steps, std::ceil(500 * n));
  const StepChoice careful{.steps_per_period = {}, .step = {}, .accuracy = 1e-6};
  EXPECT_EQ(plan_time(1.0, careful, 0.1, Load{}).n_steps, std::ceil(100 * n));
  EXPECT_EQ(plan_time(1.0, careful, 0.1, Load{}).accuracy, 1e-6);
  EXPECT_EQ(plan_time(1.0, {.steps_per_period = 30, .step = {}}, 0.1, Load{}).accuracy, 0);  // fixed steps stay
}

TEST(TimePlan, RefusesStepsThatMissTheMotionOrTheLoad) {
  EXPECT_THROW(plan_time(1, {.steps_per_period = 9.0, .step = {}}, 0.1, Load{}), InvalidInput);
  EXPECT_NO_THROW(plan_time(1, {.steps_per_period = 10.0, .step = {}}, 0.1, Load{}));
  EXPECT_THROW(plan_time(1, {.steps_per_period = {}, .step = 0.011}, 0.1, Load{}), InvalidInput);
  EXPECT_THROW(plan_time(1, {.steps_per_period = 20.0, .step = {}}, 0.1, Load(HalfSine{1, 1e-3})), InvalidInput);
  EXPECT_THROW(plan_time(1, {.steps_per_period = 20.0, .step = 0.1}, 0.1, Load{}), InvalidInput);
  EXPECT_THROW(plan_time(-1, {}, 0.1, Load{}), InvalidInput);
  EXPECT_THROW(plan_time(1, {.steps_per_period = -5.0, .step = {}}, 0.1, Load{}), InvalidInput);
  EXPECT_THROW(plan_time(1e12, {}, 0.1, Load{}), InvalidInput);
  for (const double accuracy : {0.0, -1e-4, 0.1, std::nan("")})
    EXPECT_THROW(plan_time(1, {.steps_per_period = {}, .step = {}, .accuracy = accuracy}, 0.1, Load{}), InvalidInput);
  EXPECT_THROW(plan_time(1, {.steps_per_period = 50, .step = {}, .accuracy = 1e-4}, 0.1, Load{}), InvalidInput);
}

TEST(TimePlan, KeepsEverySoManySteps) {
  EXPECT_EQ(output_times({1.0, 10}, {.every = 3}).size(), 4U);
  EXPECT_THROW(output_times({1.0, 10}, {.every = 0}), InvalidInput);
}

}  // namespace
}  // namespace microslip
