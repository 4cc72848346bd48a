#include <gtest/gtest.h>

#include "support.hpp"

namespace microslip {
namespace {

using namespace contact_test;

const ElasticDryFriction<double> law{.friction_coefficient = 0.5, .stiffness = 2e7, .normal_force = 300.0};
const double slip_force = 150.0, u_slip = slip_force / law.stiffness;

TEST(ElasticDryFriction, AtConstantNormalForceItIsAJenkinsElement) {
  ElasticDryFriction<double>::State s;
  const auto stuck = law.advance(s, 0.5 * u_slip);
  EXPECT_DOUBLE_EQ(stuck.force, 0.5 * slip_force);
  EXPECT_EQ(stuck.tangent, law.stiffness);
  EXPECT_EQ(stuck.dissipated, 0.0);
  const auto slips = law.advance(s, 3 * u_slip);
  EXPECT_DOUBLE_EQ(slips.force, slip_force);
  EXPECT_EQ(slips.tangent, 0.0);
  EXPECT_DOUBLE_EQ(slips.dissipated, slip_force * 2 * u_slip);
  const auto back = law.advance(s, 2 * u_slip);
  EXPECT_NEAR(back.force, 0.0, roundoff(4, slip_force));
  EXPECT_EQ(back.dissipated, 0.0);
}

TEST(ElasticDryFriction, LoopLossEqualsClosedFormForAnyStepCount) {
  const double a = 3 * u_slip, exact = 4 * slip_force * (a - u_slip);
  for (const int n : {1, 2, 7, 1000}) {
    ElasticDryFriction<double>::State s;
    law.advance(s, a);
    double lost = 0;
    for (int i = 1; i <= n; ++i) lost += law.advance(s, a - 2 * a * i / n).dissipated;
    for (int i = 1; i <= n; ++i) lost += law.advance(s, -a + 2 * a * i / n).dissipated;
    EXPECT_NEAR(lost, exact, roundoff(4 * n, exact)) << "n = " << n;
  }
}

TEST(ElasticDryFriction, AFallingNormalForceReleasesTheSpringAtRest) {
  ElasticDryFriction<double>::State s;
  law.advance(s, 0.8 * u_slip, 300.0);                              // 120 N of 150 N
  EXPECT_EQ(law.evaluate(s, 0.8 * u_slip, 260.0).dissipated, 0.0);  // limit 130 N: still stuck
  const auto r = law.evaluate(s, 0.8 * u_slip, 100.0);
  EXPECT_DOUBLE_EQ(r.force, 50.0);
  EXPECT_DOUBLE_EQ(r.tangent_normal, 0.5);
  EXPECT_NEAR(r.dissipated, (120.0 * 120.0 - 50.0 * 50.0) / (2 * law.stiffness), roundoff(8, r.dissipated));
}

TEST(ElasticDryFriction, SlipUnderARisingNormalForce) {
  // From 100 N of normal force, spring at rest, to 300 N while u moves by 3 u_slip: f = 450 tau meets 50 + 100 tau at
  // tau = 1/7; from there the slider moves by (450 - 150)/kt under limits from 450/7 to 150.
  ElasticDryFriction<double>::State s{.normal = 100.0};
  const auto r = law.evaluate(s, 3 * u_slip, 300.0);
  EXPECT_DOUBLE_EQ(r.force, 150.0);
  EXPECT_NEAR(r.dissipated, 0.5 * (450.0 / 7 + 150.0) * 300.0 / law.stiffness, roundoff(8, r.dissipated));
}

TEST(ElasticDryFriction, SignOfSlipIsThatOfTheTrialEvenIfTheForceCrossesZero) {
  // f falls from 150 to -30 while the limit falls from 150 to 15: the spring unloads faster than the limit and slips
  // backwards only near the end.
  ElasticDryFriction<double>::State s{.u = 0, .slider = 150, .normal = 300};
  const auto r = law.evaluate(s, -180.0 / law.stiffness, 30.0);
  EXPECT_DOUBLE_EQ(r.force, -15.0);
  const double tau = 300.0 / (180 + 135), fs = 150 - 135 * tau;  // -(150 - 180 tau) = 150 - 135 tau
  EXPECT_NEAR(r.dissipated, 0.5 * (fs + 15) * 15 / law.stiffness, roundoff(16, 15 * 15 / law.stiffness));
}

TEST(ElasticDryFriction, SeparationAndContactRegainedWithinOneStep) {
  auto with_spring = law;
  with_spring.post_slip_stiffness = 1e6;
  ElasticDryFriction<double>::State s;
  with_spring.advance(s, 0.5 * u_slip, 300.0);
  // Normal force 300 -> -300 while u stays: the limit reaches the 75 N at normal 150, everything is lost by zero.
  const double u = 0.5 * u_slip, held = 75.0 * 75.0 / (2 * law.stiffness) + 0.5 * 1e6 * u * u;
  const auto open = with_spring.advance(s, u, -300.0);
  EXPECT_EQ(open.force, 0.0);
  EXPECT_EQ(open.tangent, 0.0);
  EXPECT_NEAR(open.dissipated, held, roundoff(8, held));
  EXPECT_EQ(with_spring.stored(s), 0.0);
  // Back to +100 with a move of 4e-6: contact at three quarters of the way, 1e-6 left, 20 N + 1 N, within 50 N.
  const auto closed = with_spring.advance(s, u + 4e-6, 100.0);
  EXPECT_NEAR(closed.force, 21.0, roundoff(16, 21.0));
  EXPECT_NEAR(s.reference, u + 3e-6, roundoff(4, 5e-6));
  EXPECT_EQ(closed.dissipated, 0.0);
  // df/dN: the share of the move in contact is N/(N + 300).
  EXPECT_NEAR(closed.tangent_normal, 2.1e7 * 4e-6 * 300.0 / (400.0 * 400.0), roundoff(16, 1.0));
  EXPECT_NEAR(closed.tangent, 2.1e7 / 4, roundoff(8, 2.1e7));
}

TEST(ElasticDryFriction, RegainedContactSlipsAtOnceWhenTheNormalForceGrowsSlowly) {
  ElasticDryFriction<double>::State s{.u = 0, .slider = 0, .normal = -50};
  const auto r = law.evaluate(s, 8e-6, 50.0);  // 4e-6 in contact would give 80 N, the limit is 25 N
  EXPECT_DOUBLE_EQ(r.force, 25.0);
  EXPECT_NEAR(r.dissipated, 0.5 * 25 * (80.0 - 25) / law.stiffness, roundoff(8, r.dissipated));
}

TEST(ElasticDryFriction, DerivativesEqualTheDuals) {
  const auto dual_law = law.cast<DualN<2>>();
  Walk walk(29);
  ElasticDryFriction<double>::State s;
  for (int i = 0; i < 2000; ++i) {
    const auto w = walk.next();
    const double u = w.x / reach * 3 * u_slip, fn = w.n / press * 200;
    const auto r = law.evaluate(s, u, fn);
    const auto d = dual_law.evaluate(cast<DualN<2>>(s), DualN<2>::variable(u, 0), DualN<2>::variable(fn, 1));
    ASSERT_NEAR(r.tangent, d.force.grad[0], roundoff(8, law.stiffness));
    ASSERT_NEAR(r.tangent_normal, d.force.grad[1], roundoff(64, 1 + std::abs(r.tangent_normal))) << "step " << i;
    law.advance(s, u, fn);
  }
}

TEST(ElasticDryFriction, RefusesUnphysicalParameters) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(checked(law));
  for (const double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(checked(ElasticDryFriction<double>{bad, 1, 1, 0}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction<double>{1, bad, 1, 0}), InvalidInput);
  }
  for (const double bad : {-1.0, nan, inf}) {
    EXPECT_THROW(checked(ElasticDryFriction<double>{1, 1, bad, 0}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction<double>{1, 1, 1, bad}), InvalidInput);
  }
  try {
    checked(ElasticDryFriction<double>{-0.3, 1, 1, 0});
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("elastic_dry_friction.friction_coefficient"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("-0.3"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace microslip
