// Laws in three directions against values worked out by hand.
#include <gtest/gtest.h>

#include "support.hpp"

namespace microslip {
namespace {

using namespace contact_test;

/// Unit law: kt = 1, ts = 1, kn = 2.
const Jenkins2d<double> unit{.stiffness = 1, .slip_force = 1, .normal = {2}};

TEST(Jenkins2d, OneRadialReturnIsNotTheExactPath) {
  // Slipping along x, then a move along y by one elastic length. Exact: the traction's angle to the move goes from
  // 90 degrees to 2 atan(e^-1) = 40.40 degrees, t_y = tanh(1). [Porter2022, Eq. 20] returns the trial (1, 1)
  // radially: 45.
  Jenkins2d<double>::State s;
  unit.advance(s, {3, 0, 1});
  const auto r = unit.evaluate(s, {3, 1, 1});
  EXPECT_NEAR(r.force[0], 1 / std::cosh(1.0), roundoff(8, 1));
  EXPECT_NEAR(r.force[1], std::tanh(1.0), roundoff(8, 1));
  const double paper = std::sqrt(0.5);
  EXPECT_GT(r.force[1] - paper, 0.05);
  EXPECT_EQ(r.force[2], 2.0);
  // Loss: int ts cos(psi) dy = ln cosh(1) times ts^2/kt.
  EXPECT_NEAR(r.dissipated, std::log(std::cosh(1.0)), roundoff(8, 1));
  // Along the direction of the traction both agree: there is nothing to turn.
  const auto straight = unit.evaluate(s, {4, 0, 1});
  EXPECT_DOUBLE_EQ(straight.force[0], 1.0);
  EXPECT_EQ(straight.force[1], 0.0);
  EXPECT_NEAR(straight.dissipated, 1.0, roundoff(8, 1));
}

TEST(Jenkins2d, Eq20InManyStepsComesToTheExactPathAtFirstOrder) {
  // The paper's rule as printed: stuck prediction from the last traction, scaled back when it is too long.
  const auto paper = [](int n) {
    double x = 1, y = 0;
    for (int i = 0; i < n; ++i) {
      y += 1.0 / n;
      const double length = std::hypot(x, y);
      if (length >= 1) x /= length, y /= length;
    }
    return y;
  };
  const auto error = [&](int n) { return std::abs(paper(n) - std::tanh(1.0)); };
  EXPECT_NEAR(error(1), std::tanh(1.0) - std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(std::log2(error(1000) / error(2000)), 1.0, 0.01);
}

TEST(Jenkins2d, OnAStraightLineItIsTheOneDimensionalElement) {
  const ElasticDryFriction<double> one{.friction_coefficient = 1, .stiffness = 1, .normal_force = 1};
  const double c = std::cos(0.7), sn = std::sin(0.7);
  std::mt19937 rng(37);
  std::uniform_real_distribution<double> random_u(-4, 4);
  Jenkins2d<double>::State s;
  ElasticDryFriction<double>::State s_1;
  for (int i = 0; i < 2000; ++i) {
    const double u = random_u(rng);
    const auto r = unit.advance(s, {c * u, sn * u, 0.5});
    const auto r_1 = one.advance(s_1, u);
    ASSERT_NEAR(r.force[0], c * r_1.force, roundoff(64, 4)) << "step " << i;
    ASSERT_NEAR(r.force[1], sn * r_1.force, roundoff(64, 4)) << "step " << i;
    ASSERT_NEAR(r.dissipated, r_1.dissipated, roundoff(64, 8)) << "step " << i;
    // tangent along the line
    const double along =
        c * (c * r.tangent[0][0] + sn * r.tangent[0][1]) + sn * (c * r.tangent[1][0] + sn * r.tangent[1][1]);
    ASSERT_NEAR(along, r_1.tangent, roundoff(256, 1)) << "step " << i;
  }
}

TEST(Jenkins2d, ASteadyCircleLagsByItsClosedForm) {
  // Steady circular motion of radius a > ts/kt: the slider runs on a circle of radius sqrt(a^2 - (ts/kt)^2), its
  // velocity along the traction, so that the loss per turn is 2 pi ts sqrt(a^2 - (ts/kt)^2).
  const double a = 3, exact = 2 * 3.141592653589793 * std::sqrt(a * a - 1);
  const auto loss = [&](int n) {
    Jenkins2d<double>::State s;
    double lost = 0;
    for (int i = 0; i <= 3 * n; ++i) {
      const double phi = 2 * 3.141592653589793 * i / n;
      const double d = unit.advance(s, {a * std::cos(phi), a * std::sin(phi), 1}).dissipated;
      if (i > 2 * n) lost += d;
    }
    return lost;
  };
  // A polygon of n sides is shorter than its circle by (pi/n)^2/6: second order.
  const auto error = [&](int n) { return std::abs(loss(n) - exact); };
  EXPECT_NEAR(std::log2(error(200) / error(400)), 2.0, 0.02);
  EXPECT_LT(error(3200), 1e-5 * exact);
}

TEST(JenkinsPrager2d, AddsItsSpringInBothDirections) {
  const JenkinsPrager2d<double> law{.stiffness = 1, .slip_force = 1, .post_slip_stiffness = 0.25, .normal = {2}};
  JenkinsPrager2d<double>::State s;
  Jenkins2d<double>::State s_j;
  Walk walk(41);
  for (int i = 0; i < 500; ++i) {
    auto u = walk.next();
    u = {u.x / reach * 4, u.y / reach * 4, u.n / press};
    const auto r = law.advance(s, u), j = unit.advance(s_j, u);
    ASSERT_NEAR(r.force[0], j.force[0] + 0.25 * u.x, roundoff(4, 4));
    ASSERT_NEAR(r.force[1], j.force[1] + 0.25 * u.y, roundoff(4, 4));
    ASSERT_EQ(r.tangent[0][1], j.tangent[0][1]);
    ASSERT_EQ(r.dissipated, j.dissipated);
  }
}

TEST(JenkinsPrager2d, SpringContactNeverOpens) {
  const JenkinsPrager2d<double> law{.stiffness = 1, .slip_force = 1, .post_slip_stiffness = 0.25, .normal = {2}};
  JenkinsPrager2d<double>::State s;
  const auto pulled = law.advance(s, {0.5, 0, -3});
  EXPECT_DOUBLE_EQ(pulled.force[0], 0.625);
  EXPECT_DOUBLE_EQ(pulled.force[2], -6.0);
  EXPECT_DOUBLE_EQ(pulled.tangent[2][2], 2.0);
}

TEST(JenkinsPrager2d, PenaltyContactLetsGoOfEverythingAndStartsAnew) {
  const JenkinsPrager2d<double, NormalPenalty> law{
      .stiffness = 1, .slip_force = 1, .post_slip_stiffness = 0.25, .normal = {2}};
  JenkinsPrager2d<double, NormalPenalty>::State s;
  law.advance(s, {0.6, 0.8, 1});  // |t| = 1 at the end: on the edge of slip
  // n from 1 to -1 while y moves back by 0.4: contact is lost half-way, at (0.6, 0.6), still stuck.
  const auto open = law.advance(s, {0.6, 0.4, -1});
  const double held = 0.5 * 1.25 * (0.36 + 0.36);
  EXPECT_NEAR(open.dissipated, held, roundoff(16, held));
  for (const double f : open.force) EXPECT_EQ(f, 0.0);
  for (const auto& row : open.tangent)
    for (const double k : row) EXPECT_EQ(k, 0.0);
  EXPECT_EQ(law.stored(s), 0.0);
  // apart, it may go anywhere
  EXPECT_EQ(law.advance(s, {-5, 7, -1}).dissipated, 0.0);
  // back: n from -1 to 3, u_x by 0.8, u_y by 2: contact at a quarter [Porter2022, Eq. 5], at (-4.8, 7.5).
  const auto closed = law.advance(s, {-4.2, 9, 3});
  EXPECT_NEAR(s.reference.x, -4.8, roundoff(8, 8));
  EXPECT_NEAR(s.reference.y, 7.5, roundoff(8, 8));
  // from there a move of (0.6, 1.5): straight from zero, beyond the limit
  const double length = std::hypot(0.6, 1.5);
  EXPECT_NEAR(closed.force[0], 0.6 / length + 0.25 * 0.6, roundoff(32, 8));
  EXPECT_NEAR(closed.force[1], 1.5 / length + 0.25 * 1.5, roundoff(32, 8));
  EXPECT_NEAR(closed.dissipated, length - 1, roundoff(32, 8));
  EXPECT_DOUBLE_EQ(closed.force[2], 6.0);
}

TEST(ElasticDryFriction2d, ConeIsEnteredAtItsTip) {
  // mu kn = 1: from nothing straight to (3, 4) and n = 2: limit 2 below |u| = 5, slip from the start.
  const ElasticDryFriction2d<double> law{.friction_coefficient = 0.5, .stiffness = 1, .normal_stiffness = 2};
  ElasticDryFriction2d<double>::State s;
  const auto r = law.advance(s, {3, 4, 2});
  EXPECT_NEAR(r.force[0], 1.2, roundoff(4, 1));
  EXPECT_NEAR(r.force[1], 1.6, roundoff(4, 1));
  EXPECT_DOUBLE_EQ(r.force[2], 4.0);
  EXPECT_NEAR(r.dissipated, 0.5 * 2 * (5 - 2), roundoff(8, 3));
  EXPECT_NEAR(r.tangent[0][2], 0.6, roundoff(4, 1));
  EXPECT_NEAR(r.tangent[1][2], 0.8, roundoff(4, 1));
  // relieved to half: shrinks along itself, and the difference of the springs' energy is lost
  const auto relieved = law.advance(s, {3, 4, 1});
  EXPECT_NEAR(relieved.force[0], 0.6, roundoff(8, 1));
  EXPECT_NEAR(relieved.force[1], 0.8, roundoff(8, 1));
  EXPECT_NEAR(relieved.dissipated, (4.0 - 1.0) / 2, roundoff(8, 2));
}

TEST(ElasticDryFriction2d, AtConstantNormalForceItIsTheJenkinsTraction) {
  const ElasticDryFriction2d<double> law{.friction_coefficient = 0.5, .stiffness = 1, .normal_stiffness = 2};
  ElasticDryFriction2d<double>::State s;
  Jenkins2d<double>::State s_j;
  law.advance(s, {0, 0, 1});
  unit.advance(s_j, {0, 0, 1});
  Walk walk(43);
  for (int i = 0; i < 2000; ++i) {
    const auto u = walk.next();
    const ContactMotion<double> v{u.x / reach * 4, u.y / reach * 4, 1};
    const auto r = law.advance(s, v), j = unit.advance(s_j, v);
    ASSERT_EQ(r.force, j.force);
    ASSERT_EQ(r.dissipated, j.dissipated);
    for (std::size_t a : {0, 1})
      for (std::size_t b : {0, 1}) ASSERT_EQ(r.tangent[a][b], j.tangent[a][b]);
  }
}

TEST(Prager2d, ItsPenaltyDoesNotTakePart) {
  // A micrometre is 1.6e6 times the elastic deflection: the traction lies along the last move, and neither force nor
  // loss knows the penalty beyond that ratio.
  const double fs = 2e6;
  const auto law = prager_2d(fs, kp, NormalSpring<double>{kn}),
             stiffer = prager_2d(fs, kp, NormalSpring<double>{kn}, 1e19);
  SurfaceState<double> s, s_stiffer;
  const std::vector<ContactMotion<double>> path{{1e-6, 0, 0}, {1e-6, 1e-6, 0}, {-1e-6, 2e-6, 0}};
  double lost = 0;
  for (const auto& u : path) {
    const auto r = law.advance(s, u), r_stiffer = stiffer.advance(s_stiffer, u);
    lost += r.dissipated;
    const double elastic = fs / law.stiffness / 1e-6;
    for (std::size_t k : {0, 1}) EXPECT_NEAR(r.force[k], r_stiffer.force[k], 4 * elastic * fs);
    EXPECT_NEAR(r.dissipated, r_stiffer.dissipated, 8 * elastic * fs * 1e-6);
  }
  EXPECT_NEAR(lost, fs * (1e-6 + 1e-6 + std::sqrt(5.0) * 1e-6), 1e-5 * lost);
  const double e_y = 1 / std::sqrt(5.0);
  EXPECT_NEAR(law.evaluate(s, {-1e-6, 2e-6, 0}).force[1], fs * e_y + kp * 2e-6, 1e-5 * fs);
}

TEST(PatchContact, DirectionsAreIndependentOfEachOther) {
  const auto patch = Sample<PatchContact<ElasticDryFriction<double>>>::law();
  const auto& one = patch.tangential;
  std::remove_cvref_t<decltype(patch)>::State s;
  ElasticDryFriction<double>::State x, y;
  Walk walk(47);
  for (int i = 0; i < 500; ++i) {
    const auto u = walk.next();
    const auto r = patch.advance(s, u);
    const auto r_x = one.advance(x, u.x), r_y = one.advance(y, u.y);
    ASSERT_EQ(r.force[0], r_x.force);
    ASSERT_EQ(r.force[1], r_y.force);
    ASSERT_EQ(r.force[2], kn * u.n);
    ASSERT_EQ(r.tangent[0][0], r_x.tangent);
    ASSERT_EQ(r.tangent[0][1], 0.0);
    ASSERT_EQ(r.tangent[0][2], 0.0);
    ASSERT_EQ(r.dissipated, r_x.dissipated + r_y.dissipated);
  }
}

TEST(NormalContact, SpringPullsAndPenaltyOpens) {
  const NormalSpring<double> spring{3};
  const NormalPenalty<double> penalty{3};
  EXPECT_EQ(spring.force(-2), -6);
  EXPECT_EQ(spring.stored(-2), 6);
  EXPECT_EQ(penalty.force(2), 6);
  EXPECT_EQ(penalty.stored(2), 6);
  for (const double un : {0.0, -2.0}) {
    EXPECT_EQ(penalty.force(un), 0);
    EXPECT_EQ(penalty.tangent(un), 0);
    EXPECT_EQ(penalty.stored(un), 0);
  }
}

TEST(ContactLaws, RefuseUnphysicalParameters) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(checked(unit));
  EXPECT_NO_THROW(checked(Sample<ElasticDryFriction2d<double>>::law()));
  EXPECT_NO_THROW(checked(Sample<PatchContact<ElasticDryFriction<double>, NormalPenalty>>::law()));
  for (const double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(checked(Jenkins2d<double>{bad, 1, {1}}), InvalidInput);
    EXPECT_THROW(checked(Jenkins2d<double>{1, bad, {1}}), InvalidInput);
    EXPECT_THROW(checked(Jenkins2d<double, NormalPenalty>{1, 1, {bad}}), InvalidInput);
    EXPECT_THROW(checked(JenkinsPrager2d<double>{bad, 1, 1, {1}}), InvalidInput);
    EXPECT_THROW(checked(JenkinsPrager2d<double>{1, bad, 1, {1}}), InvalidInput);
    EXPECT_THROW(checked(JenkinsPrager2d<double>{1, 1, 1, {bad}}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction2d<double>{bad, 1, 1}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction2d<double>{1, bad, 1}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction2d<double>{1, 1, bad}), InvalidInput);
    EXPECT_THROW(prager_2d(bad, 1, NormalSpring<double>{1}), InvalidInput);
    EXPECT_THROW(prager_2d(1, 1, NormalSpring<double>{1}, bad), InvalidInput);
  }
  for (const double bad : {-1.0, nan, inf}) {
    EXPECT_THROW(checked(JenkinsPrager2d<double>{1, 1, bad, {1}}), InvalidInput);
    EXPECT_THROW(checked(ElasticDryFriction2d<double>{1, 1, 1, bad}), InvalidInput);
    EXPECT_THROW(prager_2d(1, bad, NormalSpring<double>{1}), InvalidInput);
  }
  EXPECT_THROW(checked(PatchContact<ElasticDryFriction<double>>{{-1, 1, 1, 0}, {1}}), InvalidInput);
  EXPECT_THROW(checked(PatchContact<ElasticDryFriction<double>>{{1, 1, 1, 0}, {0}}), InvalidInput);
}

}  // namespace
}  // namespace microslip
