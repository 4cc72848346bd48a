#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <support/asadi.hpp>
#include <support/scratch.hpp>

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>
#include <microslip/identify/support_stiffness.hpp>

namespace microslip::identify {
namespace {

using test::asadi;

beam::Model guess() {
  beam::Model m = asadi();
  m.support.normal_stiffness = 3e8;  // five times too soft
  return m;
}

TEST(SupportStiffness, NormalIsRecoveredFromExactFrequencies) {
  const auto f = beam::StuckBeam(asadi()).natural_frequencies_hz(2);
  const StiffnessEstimate e = normal_stiffness(guess(), {{1, f[0]}, {2, f[1]}}, 1e-3);
  ASSERT_EQ(e.outcome, Outcome::converged);
  EXPECT_NEAR(e.value, 1.7e9, 1e-6 * 1.7e9);
  EXPECT_LT(e.iterations, 12);
}

TEST(SupportStiffness, NormalIntervalHoldsTheTruthAsOftenAsItSays) {
  const auto f = beam::StuckBeam(asadi()).natural_frequencies_hz(2);
  std::mt19937 rng(20260101);
  std::normal_distribution<double> noise(0, 1e-3);
  int held = 0;
  const int n = 60;
  for (int i = 0; i < n; ++i) {
    const StiffnessEstimate e =
        normal_stiffness(asadi(), {{1, f[0] * (1 + noise(rng))}, {2, f[1] * (1 + noise(rng))}}, 1e-3);
    ASSERT_TRUE(e.identifiable);
    if (e.lower < 1.7e9 && 1.7e9 < *e.upper) ++held;
    // sigma/(S sqrt 2) = 1e-3/(0.0257 * 1.414) = 2.75 %, times 1.96.
    EXPECT_NEAR(std::log(*e.upper / e.value), 0.054, 0.006);
  }
  // 57 expected of 60; fewer than 52 would happen once in 100 trials (binomial).
  EXPECT_GE(held, 52);
}

TEST(SupportStiffness, NormalWithoutUncertaintyTakesItFromTheMisfit) {
  const auto f = beam::StuckBeam(asadi()).natural_frequencies_hz(3);
  const StiffnessEstimate two = normal_stiffness(asadi(), {{1, f[0] * 1.001}, {2, f[1] * 0.999}}, 0);
  const StiffnessEstimate three = normal_stiffness(asadi(), {{1, f[0] * 1.001}, {2, f[1] * 0.999}, {3, f[2]}}, 0);
  EXPECT_LT(two.lower, 1.7e9);
  EXPECT_GT(*two.upper, 1.7e9);
  EXPECT_LT(std::log(*three.upper / three.lower), std::log(*two.upper / two.lower));  // Student's t eases
  EXPECT_THROW(normal_stiffness(asadi(), {{1, 35.4}}, 0), InvalidInput);
}

TEST(SupportStiffness, NormalIntervalEndsWhereTheFrequencyHasMovedByItsUncertainty) {
  // One frequency is met exactly, so an end lies where it has moved by 1.96 deviations. Near the clamped beam's 39.1 Hz
  // a line through the best would end elsewhere.
  const auto frequency_at = [](double kn) {
    beam::Model m = asadi();
    m.support.normal_stiffness = kn;
    return beam::StuckBeam(m).natural_frequencies_hz(1).front();
  };
  const StiffnessEstimate near = normal_stiffness(asadi(), {{1, 37.67}}, 0.01);
  ASSERT_TRUE(near.identifiable);
  EXPECT_NEAR(std::log(frequency_at(near.lower) / 37.67), -1.95996 * 0.01, 1e-6);
  EXPECT_NEAR(std::log(frequency_at(*near.upper) / 37.67), 1.95996 * 0.01, 1e-6);
}

TEST(SupportStiffness, NormalIntervalIsOpenWhereTheClampedBeamLiesWithinTheUncertainty) {
  beam::Model clamped = asadi();
  clamped.support.normal_stiffness = 1e20;
  const double limit = beam::StuckBeam(clamped).natural_frequencies_hz(1).front();
  ASSERT_LT(limit, 38.87 * (1 + 1.96 * 0.02));
  for (const double start : {1.7e9, 1e14, 1e20}) {  // far above, frequencies are rounding
    beam::Model model = asadi();
    model.support.normal_stiffness = start;
    const StiffnessEstimate e = normal_stiffness(model, {{1, 38.87}}, 0.02);
    ASSERT_EQ(e.outcome, Outcome::converged) << start;
    EXPECT_FALSE(e.upper.has_value()) << start;
    EXPECT_FALSE(e.identifiable);
    EXPECT_GT(e.lower, 1e9);
    EXPECT_LT(e.lower, e.value);
  }
}

TEST(SupportStiffness, NormalThatNoSupportGivesDoesNotConverge) {
  const StiffnessEstimate e = normal_stiffness(asadi(), {{1, 60.0}}, 1e-3);  // above the clamped beam
  EXPECT_NE(e.outcome, Outcome::converged);
  EXPECT_FALSE(e.identifiable);
}

TEST(SupportStiffness, TangentialIsRecoveredFromTheElasticSlope) {
  const beam::Model m = asadi();
  const double slope = 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
  beam::Model start = m;
  start.support.tangential_stiffness = 1e8;
  const StiffnessEstimate e = tangential_stiffness(start, slope, 1e-5);
  EXPECT_NEAR(e.value, 5.8e8, 1e-5 * 5.8e8);  // slope to 1e-10 over a sensitivity of some 0.005
  EXPECT_LT(e.lower, 5.8e8);
  EXPECT_GT(e.upper.value_or(INFINITY), 5.8e8);
}

TEST(SupportStiffness, TangentialIntervalIsOpenWhenTheSlopeIsPoor) {
  const beam::Model m = asadi();
  const double slope = 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
  const StiffnessEstimate e = tangential_stiffness(m, slope, 0.01);  // a good load cell and accelerometer
  EXPECT_FALSE(e.identifiable);
  EXPECT_EQ(e.lower, 0);
  EXPECT_LT(std::abs(e.sensitivity), 0.02);
}

TEST(SupportStiffness, TangentialIsRecoveredAlsoAboveTheFirstResonance) {
  const beam::Model m = asadi(40);  // the first resonance is at 35.4 Hz: force and displacement are opposed
  const double slope = 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
  ASSERT_LT(slope, 0);
  const StiffnessEstimate e = tangential_stiffness(m, slope, 5e-4);
  EXPECT_NEAR(e.value, 5.8e8, 1e-4 * 5.8e8);  // slope to 1e-7 over a sensitivity of 0.003
  ASSERT_TRUE(e.identifiable);
  EXPECT_LT(e.lower, 5.8e8);
  EXPECT_GT(*e.upper, 5.8e8);
}

TEST(SupportStiffness, TangentialRefusesASlopeOutOfReachWithTheRange) {
  const std::string message = test::message_of<InvalidInput>([] { tangential_stiffness(asadi(), 5.0, 0.01); });
  EXPECT_NE(message.find("the model reaches"), std::string::npos) << message;
}

TEST(SupportStiffness, TangentialThatIsFoundGivesTheSlope) {
  EXPECT_THROW(tangential_stiffness(asadi(), 25570, 0.01), InvalidInput);  // 0.3 % above the beam that does not slide
  for (const double kn : {1e6, 1.7e9})
    for (const double frequency_hz : {0.0, 31.0, 40.0, 66.0, 67.5, 96.0}) {
      beam::Model m = asadi(frequency_hz);
      m.support.normal_stiffness = kn;
      const auto slope = [&](double kt) {
        m.support.tangential_stiffness = kt;
        return 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
      };
      for (const double kt : {1e10, 1e12}) {
        const double measured = slope(kt);
        const StiffnessEstimate e = tangential_stiffness(m, measured, 1e-3);
        ASSERT_EQ(e.outcome, Outcome::converged) << kn << " " << frequency_hz << " " << kt;
        EXPECT_LT(e.residual, 1e-6);
        EXPECT_NEAR(slope(e.value) / measured, 1, 1e-6);
      }
    }
}

TEST(SupportStiffness, TangentialIsNotFoundWhereTheSlopeJumps) {
  // At some k_t the beam's load is held still, and the slope goes from + to - infinity.
  beam::Model m = asadi(68);
  const auto slope = [&](double kt) {
    m.support.tangential_stiffness = kt;
    return 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
  };
  ASSERT_GT(slope(1e7), 0);
  ASSERT_LT(slope(1e13), 0);
  for (const double between : {0.5 * slope(1e7), 0.5 * slope(1e13)}) {
    const StiffnessEstimate e = tangential_stiffness(m, between, 1e-3);
    EXPECT_NE(e.outcome, Outcome::converged) << between;
    EXPECT_FALSE(e.identifiable);
  }
}

TEST(SupportStiffness, ElasticSlopeOfAMarchedLoopIsTheStuckBeams) {
  const beam::Model m = asadi();
  const beam::FiniteElementBeam fe(m, beam::preload_pressure(m), {.support_elements = 60, .overhang_elements = 60});
  const double slope = 1 / beam::displacement_at_load(m, beam::StuckBeam(m).response(1));
  // Twice the onset force (5.3 N) may be unloaded before anything slips back: 0.2 of 2 * 20 N is within it.
  EXPECT_NEAR(elastic_slope(fe.march(20, 400).loop), slope, 1e-6 * slope);
  EXPECT_THROW(elastic_slope({.displacement = {1, 2}, .force = {1, 2}}), InvalidInput);
}

}  // namespace
}  // namespace microslip::identify
