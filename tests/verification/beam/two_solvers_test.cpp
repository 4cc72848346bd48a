// The exact piecewise solution against the finite-element beam with Jenkins points: neither knows of the other.
#include <cmath>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/stuck_beam.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

Model point_loaded() {
  Model m = asadi();
  m.bolt.head_diameter = 0;  // lifts off at the ends: slips from the smallest force on
  return m;
}

TEST(TwoSolvers, AgreeOnFrequenciesAtFourthOrder) {
  const Model m = asadi();
  const Pressure p = preload_pressure(m);
  const auto exact = StuckBeam(m, p).natural_frequencies_hz(4);
  const auto fine =
      FiniteElementBeam(m, p, {.support_elements = 100, .overhang_elements = 100}).natural_frequencies_hz(4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(fine[i], exact[i], 1e-6 * exact[i]) << i;
  const auto error = [&](int n) {
    const auto f = FiniteElementBeam(m, p, {.support_elements = n, .overhang_elements = n}).natural_frequencies_hz(4);
    return std::abs(f[3] / exact[3] - 1);
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.2);  // cubic elements
}

TEST(TwoSolvers, AgreeOnFrequenciesOfATiedBeamPressedInSeveralPlaces) {
  Model m = asadi();
  m.beam.length = 0.5;
  m.support = {.length = 0.2,
               .normal_stiffness = 1.7e9,
               .tangential_stiffness = 5.8e8,
               .friction_coefficient = 0.2,
               .unilateral = false};
  m.bolt.position = 0.1;
  m.load.position = 0.3;
  const Pressure p = preload_pressure(m);
  ASSERT_GE(p.pressed.size(), 3U);  // a beam tied to springs swings about zero: exp(-b x) (cos(b x) + sin(b x))
  EXPECT_GT(p.at(0.001), 0);
  EXPECT_EQ(p.lift_off, (std::vector<double>{0, 0}));
  for (std::size_t i = 0; i < p.pressed.size(); ++i) {
    const auto [from, to] = p.pressed[i];
    EXPECT_GT(p.at((from + to) / 2), 0);
    if (i == 0) continue;
    EXPECT_LT(p.at((p.pressed[i - 1].to + from) / 2), 0);
  }
  const auto exact = StuckBeam(m, p).natural_frequencies_hz(4);
  const auto fine =
      FiniteElementBeam(m, p, {.support_elements = 300, .overhang_elements = 100}).natural_frequencies_hz(4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(fine[i], exact[i], 1e-6 * exact[i]) << i;
  // Before anything slips, partial slip is the stuck beam; where the pressure vanishes something always slips a little.
  const double slipping = PartialSlip(m, p).at(1e-3).displacement,
               stuck = displacement_at_load(m, StuckBeam(m, p).response(1e-3));
  EXPECT_NEAR(slipping, stuck, 1e-4 * std::abs(stuck));
}

/// Root mean square, over forces from 10 to 300 N, of the relative error in slip length and loss.
struct Errors {
  double length = 0, loss = 0, worst_length = 0, worst_loss = 0;
};
Errors errors(const Model& m, int n) {
  const Pressure p = preload_pressure(m);
  const PartialSlip exact(m, p);
  const FiniteElementBeam fe(m, p, {.support_elements = n, .overhang_elements = 100});
  Errors e;
  const int count = 24;
  for (int i = 0; i < count; ++i) {
    const double force = 10 * std::pow(30, i / (count - 1.0));
    const SlipState a = exact.at(force), b = fe.at(force);
    EXPECT_EQ(a.outcome, Outcome::converged);
    const double length = b.slip_length / a.slip_length - 1, loss = b.dissipation / a.dissipation - 1;
    e.length += length * length / count;
    e.loss += loss * loss / count;
    e.worst_length = std::max(e.worst_length, std::abs(length));
    e.worst_loss = std::max(e.worst_loss, std::abs(loss));
  }
  e.length = std::sqrt(e.length);
  e.loss = std::sqrt(e.loss);
  return e;
}

TEST(TwoSolvers, AgreeOnFrontsAndLossAndConverge) {
  for (const Model& m : {asadi(31), point_loaded()}) {
    const Errors coarse = errors(m, 50), middle = errors(m, 100), fine = errors(m, 200);
    EXPECT_LT(fine.worst_length, 0.01);
    EXPECT_LT(fine.worst_loss, 0.02);
    // A front inside an element leaves at most one Gauss point on the wrong side, with an excess that vanishes there:
    // second order on average over the place where it falls.
    const double order = std::log2(coarse.loss / fine.loss) / 2;
    EXPECT_GT(order, 1.5) << coarse.loss << " " << middle.loss << " " << fine.loss;
    EXPECT_LT(order, 3) << coarse.loss << " " << middle.loss << " " << fine.loss;
    RecordProperty("loss_order", std::to_string(order));
  }
}

TEST(TwoSolvers, AgreeAboveResonanceWhereTheOperatorIsIndefinite) {
  const Model m = asadi(45);
  const Pressure p = preload_pressure(m);
  const SlipState a = PartialSlip(m, p).at(300), b = FiniteElementBeam(m, p).at(300);
  EXPECT_LT(a.displacement, 0);  // out of phase
  EXPECT_NEAR(b.displacement, a.displacement, 1e-5 * std::abs(a.displacement));
  EXPECT_NEAR(b.slip_length, a.slip_length, 0.01 * a.slip_length);
  EXPECT_NEAR(b.dissipation, a.dissipation, 0.02 * a.dissipation);
}

TEST(TwoSolvers, MasingsLoopIsTheMarchedOne) {
  const Model m = asadi();
  const Pressure p = preload_pressure(m);
  const double force = 150;
  const CycleResult marched = FiniteElementBeam(m, p).march(force, 400);
  const PartialSlip exact(m, p);
  const double most = exact.at(force).displacement, gap = exact.at(force).dissipation / force;
  for (std::size_t i = 0; i <= 200; i += 10) {  // the way down
    const double f = marched.loop.force[i];
    const double virgin = (force - f) / 2 > 0 ? exact.at((force - f) / 2).displacement : 0;
    EXPECT_NEAR(marched.loop.displacement[i], most - 2 * virgin, 0.02 * gap) << f;  // of the loop's own width
  }
  EXPECT_NEAR(marched.dissipation, exact.at(force).dissipation, 0.02 * marched.dissipation);
}

TEST(TwoSolvers, AgreeWithDynamicPressureInBothHalfCycles) {
  const Model m = asadi();
  const Pressure p = preload_pressure(m);
  const PartialSlip exact(m, p, NormalForce::dynamic);
  const FiniteElementBeam fe(m, p);
  for (double force : {40.0, -40.0}) {
    const SlipState a = exact.at(force), b = fe.at(force, NormalForce::dynamic);
    ASSERT_EQ(a.outcome, Outcome::converged);
    EXPECT_NEAR(b.displacement, a.displacement, 1e-5 * std::abs(a.displacement)) << force;
    EXPECT_NEAR(b.slip_length, a.slip_length, 0.25e-3 / 3) << force;  // a Gauss point's share of an element
  }
}

}  // namespace
}  // namespace microslip::beam
