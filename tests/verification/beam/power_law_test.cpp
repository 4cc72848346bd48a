// Micro-slip from an edge where the pressure falls to zero as distance^p: the front stands where k_t s = mu q, a
// distance ~ F^(1/p) in, and D ~ F * F * distance ~ F^(2 + 1/p). With pressure at the edge there is an onset instead.
#include <cmath>

#include <gtest/gtest.h>
#include <support/asadi.hpp>
#include <support/given_pressure.hpp>

#include <microslip/beam/partial_slip.hpp>

namespace microslip::beam {
namespace {

using test::asadi;
using test::given_pressure;

/// q = 4e5 N/m * (distance from the right edge / support length)^p, cut into halves towards the edge.
Pressure falling(const Model& m, double p) {
  const double length = m.support.length;
  std::vector<double> breaks;
  for (double d = length / 2; d > 1e-9 * length; d /= 2) breaks.push_back(length - d);
  return given_pressure(
      m, [=](double x) { return 4e5 * std::pow((length - x) / length, p); }, breaks);
}

TEST(MicroSlip, DissipationFollowsTheForceToThePowerTwoPlusOneOverP) {
  const Model m = asadi();
  for (double p : {0.5, 1.0, 2.0, 3.0}) {
    const PartialSlip beam(m, falling(m, p));
    const auto slope = [&](double force, auto&& quantity) {
      const SlipState one = beam.at(force), more = beam.at(1.1 * force);
      EXPECT_EQ(one.outcome, Outcome::converged) << p;
      EXPECT_EQ(more.outcome, Outcome::converged) << p;
      return std::log(quantity(more) / quantity(one)) / std::log(1.1);
    };
    // The slope departs from its limit in proportion to the slip length, F^(1/p), over the some 7 mm in which s varies.
    // A force that halves the length halves the departure: one step of extrapolation leaves its square.
    const double force = p < 1 ? 1.0 : std::pow(10.0, 1.5 * (1 - p)), less = force / std::pow(2.0, p);
    const double ratio = beam.at(force).slip_length / 0.007, tolerance = ratio * ratio + 1e-4;
    const auto loss = [](const SlipState& s) { return s.dissipation; };
    const auto length = [](const SlipState& s) { return s.slip_length; };
    EXPECT_NEAR(2 * slope(less, loss) - slope(force, loss), 2 + 1 / p, tolerance) << p;
    EXPECT_NEAR(2 * slope(less, length) - slope(force, length), 1 / p, tolerance) << p;
    EXPECT_LT(tolerance, 0.02) << p;
  }
}

TEST(MicroSlip, LiftedEdgesGiveTheCubicLaw) {  // where the beam lifts off, the pressure falls linearly: p = 1
  Model m = asadi();
  m.bolt.head_diameter = 0;
  const PartialSlip beam(m, preload_pressure(m));
  EXPECT_EQ(beam.onset().force, 0);
  const double a = beam.at(0.1).dissipation, b = beam.at(0.2).dissipation;
  EXPECT_NEAR(std::log2(b / a), 3, 0.01);
}

TEST(MicroSlip, WithPressureAtTheEdgeThereIsAnOnsetAndNoPowerLaw) {
  const Model m = asadi();
  const PartialSlip beam(m, preload_pressure(m));
  const double onset = beam.onset().force;
  EXPECT_GT(onset, 1);
  EXPECT_EQ(beam.at(0.999 * onset).dissipation, 0);
  const auto slope = [&](double f) {
    return std::log(beam.at(1.01 * f).dissipation / beam.at(f / 1.01).dissipation) / (2 * std::log(1.01));
  };
  EXPECT_GT(slope(1.1 * onset), 15);  // (F - onset)^2 has the local slope 2 F/(F - onset)
  EXPECT_LT(slope(10 * onset), 3);
}

}  // namespace
}  // namespace microslip::beam
