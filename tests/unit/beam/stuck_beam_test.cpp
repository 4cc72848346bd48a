#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/stuck_beam.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

TEST(StuckBeam, SensitivitiesAreTheSlopesOfTheFrequencies) {
  Model m = asadi();
  m.bolt.rotary_inertia = 1e-5;
  m.bolt.tangential_stiffness = 1e7;
  const auto modes = StuckBeam(m).modes(5);
  const double step = 1e-3;
  const auto slope = [&](auto&& set, std::size_t i) {
    Model up = m, down = m;
    set(up, std::exp(step));
    set(down, std::exp(-step));
    return std::log(StuckBeam(up).natural_frequencies_hz(5)[i] / StuckBeam(down).natural_frequencies_hz(5)[i]) /
           (2 * step);
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    // Central differences: error of order step^2 = 1e-6 of the slope, and round-off 1e-13/step.
    const double kn = slope([](Model& x, double r) { x.support.normal_stiffness *= r; }, i);
    const double kt = slope([](Model& x, double r) { x.support.tangential_stiffness *= r; }, i);
    EXPECT_NEAR(modes[i].normal_sensitivity, kn, 1e-5 * kn + 1e-9) << i;
    EXPECT_NEAR(modes[i].shear_sensitivity, kt, 1e-5 * kt + 1e-9) << i;
  }
}

TEST(StuckBeam, BoltMassInertiaAndSpringMoveTheFrequenciesTheRightWay) {
  const Model plain = asadi();
  const auto f = StuckBeam(plain).natural_frequencies_hz(5);
  const auto with = [&](auto&& change) {
    Model m = plain;
    change(m);
    return StuckBeam(m).natural_frequencies_hz(5);
  };
  const auto heavy = with([](Model& m) { m.bolt.mass *= 3; });
  const auto turning = with([](Model& m) { m.bolt.rotary_inertia = 1e-4; });
  const auto held = with([](Model& m) { m.bolt.tangential_stiffness = 1e8; });
  const auto slim = with([](Model& m) { m.beam.rotary_inertia = false; });
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_LT(heavy[i], f[i]);
    EXPECT_LT(turning[i], f[i]);
    EXPECT_GT(held[i], f[i] * (1 - 1e-12));
    EXPECT_GT(slim[i], f[i] * (1 - 1e-12));
  }
  EXPECT_GT(held[4], 1.1 * f[4]);  // the fifth mode is the beam sliding along its support
}

TEST(StuckBeam, ResponseIsTheSumOfItsModes) {
  const Model m = asadi(60);
  const auto modes = StuckBeam(m).modes(25);
  double sum = 0;
  for (const Mode& mode : modes) {
    const double w = mode.shape.at(m.load.position, Component::w), omega = 2 * std::numbers::pi * mode.frequency_hz;
    sum += w * w / (omega * omega - m.load.omega() * m.load.omega());
  }
  const double exact = displacement_at_load(m, StuckBeam(m).response(1));
  // What 25 modes leave out: about 25/3 * 4/(mass * omega_25^2) = 7e-10 m/N, positive.
  EXPECT_GT(exact - sum, 0);
  EXPECT_LT(exact - sum, 1e-9);
}

TEST(StuckBeam, FrequencyResponseChangesSignAtResonancesAndAntiresonances) {
  const Model m = asadi();
  const auto f = StuckBeam(m).natural_frequencies_hz(2);
  const auto r = StuckBeam(m).frequency_response({f[0] * 0.999, f[0] * 1.001, f[1] * 0.999, f[1] * 1.001}).receptance;
  EXPECT_GT(r[0], 0);
  EXPECT_LT(r[1], 0);
  EXPECT_GT(r[2], 0);
  EXPECT_LT(r[3], 0);
}

TEST(StuckBeam, DoesNotDependOnTheUnits) {  // mm, t, s, N instead of m, kg, s, N
  const Model si = asadi();
  Model mm = si;
  for (double* length : {&mm.beam.length, &mm.beam.width, &mm.beam.height, &mm.support.length, &mm.bolt.position,
                         &mm.bolt.head_diameter, &mm.load.position})
    *length *= 1e3;
  mm.beam.youngs_modulus *= 1e-6;
  mm.beam.density *= 1e-12;
  mm.support.normal_stiffness *= 1e-6;
  mm.support.tangential_stiffness *= 1e-6;
  mm.bolt.mass *= 1e-3;
  const auto a = StuckBeam(si).natural_frequencies_hz(4), b = StuckBeam(mm).natural_frequencies_hz(4);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * a[i]);
}

}  // namespace
}  // namespace microslip::beam
