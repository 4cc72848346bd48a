#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

TEST(FiniteElementBeam, MarchedCycleClosesAndItsLossIsItsArea) {
  const Model m = asadi();
  const FiniteElementBeam fe(m, preload_pressure(m), {.support_elements = 60, .overhang_elements = 40});
  const CycleResult cycle = fe.march(120, 800);
  EXPECT_EQ(cycle.cycles, 1);
  EXPECT_LE(cycle.closure, 1e-9);
  double area = 0;
  for (std::size_t i = 1; i < cycle.loop.force.size(); ++i)
    area += (cycle.loop.force[i] + cycle.loop.force[i - 1]) / 2 *
            (cycle.loop.displacement[i] - cycle.loop.displacement[i - 1]);
  EXPECT_NEAR(std::abs(area), cycle.dissipation, 1e-3 * cycle.dissipation);  // trapezoids over 800 steps
}

TEST(FiniteElementBeam, LossDoesNotDependOnTheSteps) {  // the law is rate-independent and the load monotonic
  const Model m = asadi();
  const FiniteElementBeam fe(m, preload_pressure(m), {.support_elements = 60, .overhang_elements = 40});
  const double coarse = fe.march(120, 8).dissipation, fine = fe.march(120, 400).dissipation;
  EXPECT_NEAR(coarse, fine, 1e-6 * fine);
  EXPECT_NEAR(fe.at(120).dissipation, fine, 1e-6 * fine);  // Masing's factor four
}

TEST(FiniteElementBeam, LossWithDynamicPressureConvergesAsTheSquareOfTheStep) {
  // Sliding and normal force are taken as straight over a step, within which points open, close and begin to slip: each
  // event costs the square of the step, at random where in it the event falls. Some 60 points do so, so that the error
  // scatters by an eighth, and two of them the order by a quarter.
  for (const double head : {0.027, 0.0}) {
    Model m = asadi();
    m.bolt.head_diameter = head;
    const FiniteElementBeam fe(m, preload_pressure(m));
    const auto loss = [&](int steps) { return fe.march(100, steps, NormalForce::dynamic, 2).dissipation; };
    const double coarse = loss(50), middle = loss(100), fine = loss(200);
    EXPECT_NEAR(std::log2((middle - coarse) / (fine - middle)), 2, 0.25) << head;
    EXPECT_NEAR(coarse, fine, 1e-3 * fine)
        << head;  // (2 pi/50)^2/4 of the sine between two steps is not straight: 0.4 %
  }
}

TEST(FiniteElementBeam, AStepThatFindsNoStateIsTakenByHalves) {  // at 200 steps this preload has some
  Model m = asadi();
  m.bolt.preload = 2000;
  const FiniteElementBeam fe(m, preload_pressure(m));
  const CycleResult cycle = fe.march(100, 200, NormalForce::dynamic, 20, true);
  ASSERT_EQ(cycle.loop.force.size(), 201U);  // places on the way are no points of the loop
  EXPECT_EQ(cycle.interface.size(), 201U);
  for (int i = 0; i <= 200; ++i)
    EXPECT_NEAR(cycle.loop.force[static_cast<std::size_t>(i)], 100 * std::cos(2 * std::numbers::pi * i / 200), 1e-12);
  const double coarse = fe.march(100, 50, NormalForce::dynamic, 20).dissipation;
  EXPECT_NEAR(coarse, cycle.dissipation, 4e-3 * cycle.dissipation);  // (2 pi/50)^2/4, as above
}

TEST(FiniteElementBeam, KeepsTheInterfaceAtEveryPointWhenAsked) {
  const Model m = asadi();
  const FiniteElementBeam fe(m, preload_pressure(m), {.support_elements = 60, .overhang_elements = 40});
  const CycleResult cycle = fe.march(120, 40, NormalForce::constant, 1, true);
  ASSERT_EQ(cycle.interface.size(), cycle.loop.force.size());
  for (const auto& regions : cycle.interface) {
    ASSERT_FALSE(regions.empty());
    EXPECT_EQ(regions.front().from, 0);
    EXPECT_EQ(regions.back().to, m.support.length);
    for (std::size_t i = 1; i < regions.size(); ++i) EXPECT_EQ(regions[i].from, regions[i - 1].to);
  }
  // Just after the reversal everything sticks; half a cycle on, the ends slip.
  EXPECT_EQ(cycle.interface[1].size(), 1U);
  EXPECT_GT(cycle.interface[20].size(), 1U);
}

TEST(FiniteElementBeam, RefusesNoMeshNoStepsNoForce) {
  const Model m = asadi();
  const Pressure p = preload_pressure(m);
  EXPECT_THROW(FiniteElementBeam(m, p, {.support_elements = 0, .overhang_elements = 10}), InvalidInput);
  const FiniteElementBeam fe(m, p, {.support_elements = 10, .overhang_elements = 10});
  EXPECT_THROW((void)fe.march(-1, 100), InvalidInput);
  EXPECT_THROW((void)fe.march(1, 4), InvalidInput);
  EXPECT_THROW((void)fe.march(1, 40, NormalForce::constant, 0), InvalidInput);
}

}  // namespace
}  // namespace microslip::beam
