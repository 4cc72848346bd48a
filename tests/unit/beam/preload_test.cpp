#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>
#include <support/asadi.hpp>
#include <support/given_pressure.hpp>

#include <microslip/beam/preload.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

using test::asadi;
using test::given_pressure;

/// Integral of g(x) q(x) over the support, split at the pressure's breaks.
template <class G>
double moment(const Pressure& p, G&& g) {
  double sum = 0;
  const auto breaks = p.density.breaks();
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i)
    sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate([&](double x) { return g(x) * p.at(x); },
                                                                         breaks[i], breaks[i + 1], 0);
  return sum;
}

TEST(Preload, BalancesTheBoltInForceAndMoment) {
  for (bool unilateral : {false, true})
    for (double head : {0.0, 0.02})
      for (double position : {0.025, 0.015}) {
        Model m = asadi();
        m.support.unilateral = unilateral;
        m.bolt.head_diameter = head;
        m.bolt.position = position;
        const Pressure p = preload_pressure(m);
        EXPECT_NEAR(moment(p, [](double) { return 1.0; }), m.bolt.preload, 1e-9 * m.bolt.preload);
        EXPECT_NEAR(moment(p, [&](double x) { return x - position; }), 0, 1e-9 * m.bolt.preload * m.support.length);
      }
}

TEST(Preload, WavesThatHaveDecayedIntoRoundingPressNowhere) {  // each wave is exp(-2 pi) of the one before
  Model m = asadi();
  m.support.unilateral = false;
  for (const double kn : {1e13, 1e15, 1e17}) {
    m.support.normal_stiffness = kn;
    EXPECT_LE(preload_pressure(m).pressed.size(), 13U) << kn;
  }
}

TEST(Preload, OfAPointLoadOnAStiffSupportTouchesByAQuarterWave) {
  // A free end of the contact at c from the bolt leaves cos(c (k_n/4EI)^(1/4)) = 0: the support's ends are out of
  // reach.
  Model leaf = asadi(), rig = asadi();
  leaf.beam = {.length = 1, .width = 0.03, .height = 0.0005, .youngs_modulus = 2e11, .density = 7850};
  leaf.support.length = 0.6;
  leaf.bolt.position = 0.3;
  rig.support.tangential_stiffness = leaf.support.tangential_stiffness = 1e6;
  for (Model m : {leaf, rig}) {
    m.bolt.head_diameter = 0;
    const double EI = m.beam.bending_stiffness(), most = EI * std::pow(4999 / m.support.length, 4);
    for (double kn = m.support.length == 0.6 ? 1e8 : 1e13; kn < 10 * most; kn *= 10) {
      m.support.normal_stiffness = std::min(kn, most);
      EXPECT_NO_THROW(check_resolution(m));
      const Pressure p = preload_pressure(m);
      const double quarter = std::numbers::pi / 2 * std::pow(4 * EI / m.support.normal_stiffness, 0.25);
      EXPECT_NEAR(p.to - m.bolt.position, quarter, 1e-9 * quarter) << m.support.normal_stiffness;
      EXPECT_NEAR(m.bolt.position - p.from, quarter, 1e-9 * quarter) << m.support.normal_stiffness;
    }
  }
}

TEST(Preload, OfALongSupportIsHetenyisInfiniteBeam) {
  Model m = asadi();
  m.support = {.length = 0.3,
               .normal_stiffness = 1.7e10,
               .tangential_stiffness = 0,
               .friction_coefficient = 0.2,
               .unilateral = false};
  m.bolt.position = 0.15;
  m.bolt.head_diameter = 0;
  const Pressure p = preload_pressure(m);
  const double b = std::pow(m.support.normal_stiffness / (4 * m.beam.bending_stiffness()), 0.25);
  const double peak = m.bolt.preload * b / 2;
  // The ends, exp(-b * 0.15) = 2e-9 away, are the only difference.
  for (double r : {0.0, 0.003, 0.01, 0.03, 0.06})
    EXPECT_NEAR(p.at(0.15 + r), peak * std::exp(-b * r) * (std::cos(b * r) + std::sin(b * r)), 1e-8 * peak) << r;
}

TEST(Preload, OfAHeadAsWideAsTheSupportIsUniform) {
  Model m = asadi();
  m.bolt.head_diameter = m.support.length;
  const Pressure p = preload_pressure(m);
  for (double x : {0.0, 0.01, 0.0333, 0.05}) EXPECT_NEAR(p.at(x), m.bolt.preload / m.support.length, 1e-9 * 2e5);
}

TEST(Preload, PullsAtTheEdgesWhenTiedAndLiftsOffWhenFree) {
  Model m = asadi();
  m.bolt.head_diameter = 0;
  m.support.unilateral = false;
  const Pressure tied = preload_pressure(m);
  EXPECT_LT(tied.at(0), 0);
  // A free end allows F_1 = cosh cos and F_2 = cosh sin + sinh cos of x (k_n/4EI)^(1/4); no slope under the bolt in the
  // middle fixes their ratio. Where their sum is zero the pressure ends.
  const double lambda = std::pow(m.support.normal_stiffness / (4 * m.beam.bending_stiffness()), 0.25);
  const double c = lambda * m.support.length / 2, a = lambda * tied.lift_off[0];
  const double f_1 = 2 * std::cosh(c) * std::cos(c) * std::cosh(a) * std::cos(a);
  const double f_2 = (std::cosh(c) * std::sin(c) - std::sinh(c) * std::cos(c)) *
                     (std::cosh(a) * std::sin(a) + std::sinh(a) * std::cos(a));
  EXPECT_GT(a, 0);
  EXPECT_NEAR(f_1 + f_2, 0, 1e-10 * std::abs(f_2));
  EXPECT_NEAR(tied.lift_off[0], tied.lift_off[1], 1e-12);

  m.support.unilateral = true;
  const Pressure free = preload_pressure(m);
  EXPECT_GT(free.lift_off[0], tied.lift_off[0]);  // nothing pulls the ends down any more
  EXPECT_NEAR(free.at(free.from), 0, 1e-8 * free.at(0.025));
  EXPECT_NEAR(free.at(free.to), 0, 1e-8 * free.at(0.025));
  for (int i = 1; i < 100; ++i) EXPECT_GT(free.at(free.from + (free.to - free.from) * i / 100), 0) << i;
  EXPECT_EQ(free.at(free.from / 2), 0);
}

TEST(Preload, IsProportionalToTheBoltForce) {
  Model m = asadi();
  m.bolt.head_diameter = 0;
  const Pressure one = preload_pressure(m);
  m.bolt.preload *= 7;
  const Pressure seven = preload_pressure(m);
  EXPECT_NEAR(one.from, seven.from, 1e-12);
  EXPECT_NEAR(seven.at(0.03), 7 * one.at(0.03), 1e-9 * seven.at(0.03));
}

TEST(Preload, NeedsSomethingToRestOn) {
  Model m = asadi();
  m.support.normal_stiffness = 0;
  EXPECT_THROW(preload_pressure(m), InvalidInput);
  m.bolt.preload = 0;
  EXPECT_EQ(preload_pressure(m).at(0.02), 0);
}

TEST(GivenPressure, IsTheFunction) {
  const Model m = asadi();
  const Pressure p = given_pressure(m, [](double x) { return 1e5 * std::cos(20 * x) + (x > 0.02 ? 3e4 : 0); }, {0.02});
  for (double x : {0.0, 0.0111, 0.0199, 0.0201, 0.05})
    EXPECT_NEAR(p.at(x), 1e5 * std::cos(20 * x) + (x > 0.02 ? 3e4 : 0), 1e-6) << x;
  EXPECT_NEAR(p.total, 1e5 * std::sin(1.0) / 20 + 3e4 * 0.03, 1e-6);
  EXPECT_THROW(given_pressure(m, [](double) { return NAN; }, {}), InvalidInput);
}

TEST(Preload, AtAnEndOfASupportThatOnlyPressesIsRefused) {
  Model m = asadi();
  m.bolt.head_diameter = 0;
  for (const double end : {0.0, m.support.length}) {
    m.bolt.position = end;
    m.support.unilateral = true;
    EXPECT_THROW((void)preload_pressure(m), InvalidInput);
    m.support.unilateral = false;
    EXPECT_NO_THROW((void)preload_pressure(m));
  }
}

TEST(Preload, IsHeldOrNotClaimed) {  // micrometres from an end the beam tips: what presses there is lost in rounding
  Model m = asadi();
  m.bolt.head_diameter = 0;
  int held = 0;
  for (double x = 1e-13; x < 0.02; x *= 1.5) {
    m.bolt.position = x;
    try {
      EXPECT_NEAR(preload_pressure(m).density.integral(), m.bolt.preload, 1e-6 * m.bolt.preload) << x;
      ++held;
    } catch (const NotConverged&) {
      EXPECT_LT(x, 1e-3);
    }
  }
  EXPECT_GE(held, 6);
}

TEST(Preload, IsThatOfTheEdgeAlsoWhereRoundingLeavesTheSupport) {
  Model m = asadi();
  m.support.length = 0.028;  // 0.028 * 200 / 200 is more than it
  m.bolt.position = 0.014;
  m.bolt.head_diameter = 0.0275;
  const Pressure p = preload_pressure(m);
  ASSERT_GT(p.at(0), 0);
  EXPECT_NEAR(p.at(m.support.length * 200 / 200), p.at(0), 1e-9 * p.at(0));
  EXPECT_EQ(p.at(1.001 * m.support.length), 0);
}

}  // namespace
}  // namespace microslip::beam
