#include <cmath>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/harmonic_balance.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

FiniteElementBeam mesh(const Model& m) {
  return {m, preload_pressure(m), {.support_elements = 60, .overhang_elements = 40}};
}

TEST(SuperHarmonics, OfAStuckBeamIsTheLinearResponse) {
  const Model m = asadi();
  const SuperHarmonics h = super_harmonics(mesh(m), 1, 5);
  ASSERT_EQ(h.outcome, Outcome::converged);
  EXPECT_NEAR(h.displacement.sine[0], displacement_at_load(m, StuckBeam(m).response(1)),
              1e-6 * std::abs(h.displacement.sine[0]));
  EXPECT_EQ(h.displacement.amplitude(3), 0);
}

TEST(SuperHarmonics, AreOddUnderConstantPressureAndAllUnderDynamic) {
  const Model m = asadi(38);
  const FiniteElementBeam fe = mesh(m);
  const SuperHarmonics still = super_harmonics(fe, 60, 7), moving = super_harmonics(fe, 60, 7, NormalForce::dynamic);
  ASSERT_EQ(still.outcome, Outcome::converged);
  ASSERT_EQ(moving.outcome, Outcome::converged);
  const double first = still.acceleration.amplitude(1);
  EXPECT_GT(still.acceleration.amplitude(3), 1e-5 * first);
  for (std::size_t even : {2U, 4U, 6U}) EXPECT_LT(still.acceleration.amplitude(even), 1e-10 * first);
  EXPECT_GT(moving.acceleration.amplitude(2), 1e-5 * first);
}

TEST(SuperHarmonics, LoseWhatTheMarchedCycleLosesWhileTheyAreSmall) {
  const Model m = asadi();
  const FiniteElementBeam fe = mesh(m);
  const SuperHarmonics h = super_harmonics(fe, 60, 7);
  // Harmonics stand at 1e-3 of the first: the two cycles differ by as little.
  EXPECT_NEAR(h.dissipation, fe.march(60, 400).dissipation, 2e-3 * h.dissipation);
}

TEST(SuperHarmonics, NeedAFrequencyAndAForce) {
  const FiniteElementBeam fe = mesh(asadi(0));
  EXPECT_THROW(super_harmonics(fe, 1, 3), InvalidInput);
  const FiniteElementBeam running = mesh(asadi());
  EXPECT_THROW(super_harmonics(running, -1, 3), InvalidInput);
  EXPECT_THROW(super_harmonics(running, 1, 0), InvalidInput);
}

}  // namespace
}  // namespace microslip::beam
