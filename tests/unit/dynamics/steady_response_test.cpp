#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>
#include <support/laws.hpp>
#include <support/two_beam_modes.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/steady_response.hpp>
#include <microslip/joints/describing_function.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

std::vector<double> grid(double from, double to, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(from + (to - from) * i / (count - 1));
  return values;
}

TEST(SteadyResponse, WithoutJointItIsTheTextbookOscillator) {
  const JointedMode mode{.mass = 2, .damping = 0.3, .linear_stiffness = 50, .joint = {}};
  const SteadyResponse response(mode);
  for (const double hz : {0.0, 0.3, 0.7957747, 1.4, 20.0}) {
    const double omega = 2 * pi * hz, real = 50 - 2 * omega * omega, imaginary = 0.3 * omega;
    const auto points = response.at(4.0, hz);
    ASSERT_EQ(points.size(), 1U) << hz;
    EXPECT_NEAR(points[0].amplitude, 4 / std::hypot(real, imaginary), 1e-13 * points[0].amplitude);
    EXPECT_NEAR(points[0].phase, -std::atan2(imaginary, real) * 180 / pi, 1e-11);
    EXPECT_TRUE(points[0].stable);
  }
  const auto resonance = response.resonance(4.0);
  ASSERT_TRUE(resonance);
  EXPECT_NEAR(resonance->frequency_hz, 5 / (2 * pi), 1e-14);
  EXPECT_NEAR(resonance->amplitude, 4 / (0.3 * 5), 1e-13);
  EXPECT_NEAR(resonance->damping_ratio, 0.3 / (2 * std::sqrt(100.0)), 1e-15);
  EXPECT_EQ(response.third_harmonic(1.0, 0.8), 0);
}

TEST(SteadyResponse, JenkinsRidgeHasAClosedForm) {
  // No damper: F = 4 fs (1 - x/A)/pi with x = fs/kt, so A = x / (1 - pi F / (4 fs)); beyond 4 fs/pi nothing holds it.
  const double fs = 3, kt = 2e4, x = fs / kt;
  const SteadyResponse response({1, 0, 1e5, AnyLaw(Jenkins<double>{kt, fs})});
  for (const double force : {0.1, 1.0, 3.0, 3.8}) {
    const auto found = response.resonance(force);
    ASSERT_TRUE(found) << force;
    const double a = x / (1 - pi * force / (4 * fs));
    EXPECT_NEAR(found->amplitude, a, 1e-12 * a / (1 - pi * force / (4 * fs)));
    EXPECT_NEAR(found->force, force, 1e-12 * force);
  }
  EXPECT_FALSE(response.resonance(4 * fs / pi * 1.001));
  EXPECT_TRUE(response.bounded(4 * fs / pi * 0.999));
  EXPECT_FALSE(response.bounded(4 * fs / pi * 1.001));
  // Off the frequency of the linear spring the response is bounded all the same.
  EXPECT_EQ(response.at(5.0, 1.1 * std::sqrt(1e5) / (2 * pi)).size(), 1U);
  EXPECT_FALSE(response.curve(5.0, grid(30, 45, 5)).resonance);
}

TEST(SteadyResponse, WorkOfTheForceEqualsTheLoopsAndTheDampersLoss) {
  for (const JointedMode& mode : test::two_beam_modes()) {
    const SteadyResponse response(mode);
    const auto& law = std::get<Iwan4<double>>(*mode.joint);
    for (const double r : {1e-3, 0.1, 0.9, 1.5, 30.0})
      for (const double ratio : {0.5, 0.95, 1.0, 1.3}) {
        const double a = r * law.phi_max(), hz = ratio * mode.low_amplitude_omega() / (2 * pi), omega = 2 * pi * hz;
        const HeldForce held = response.force_for(a, hz);
        const double work = pi * held.force * a * std::sin(-held.phase * pi / 180);
        const double loss = loop_dissipation(law, a, Framework::masing) + pi * mode.damping * omega * a * a;
        // The phase near 0 or 180 degrees keeps 1e-16 of a half turn, not of itself.
        EXPECT_NEAR(work, loss, 1e-12 * pi * held.force * a) << r << " " << ratio;
      }
  }
}

TEST(SteadyResponse, EveryLawIsAnsweredByTheForceThatHoldsIt) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> exponent(-2, 1.2), frequency(0.6, 1.3);
  for (const AnyLaw& law : {AnyLaw(Iwan4<double>{2.0, 1e5, -0.4, 0.3}), AnyLaw(Iwan5<double>{2.0, 1e5, -0.4, 0.3, 0.8}),
                            AnyLaw(Jenkins<double>{1e5, 2.0}), AnyLaw(JenkinsPrager<double>{1e5, 2.0, 1e4})}) {
    const JointedMode mode{1, 2.0, 4e5, law};
    const SteadyResponse response(mode);
    for (int i = 0; i < 40; ++i) {
      const double a = 2e-5 * std::pow(10, exponent(rng));
      const double hz = frequency(rng) * mode.low_amplitude_omega() / (2 * pi);
      const double force = response.force_for(a, hz).force;
      const auto points = response.at(force, hz);
      ASSERT_EQ(points.size() % 2, 1U);
      EXPECT_TRUE(std::any_of(points.begin(), points.end(),
                              [&](const SteadyPoint& p) {
                                return std::abs(p.amplitude - a) <
                                       1e-9 * a;  // near a fold an amplitude keeps half the digits of the force
                              }))
          << law_name(law) << " at " << a << " m, " << hz << " Hz";
    }
  }
}

/// Sliders whose grip falls when they slip: the joint's force drops at phi_max. Where force never falls on loading,
/// there is one answer (Caughey 1960 for the bilinear loop).
JointedMode folding_mode() { return {1, 0.05, 1e5, AnyLaw(Iwan5<double>{1.0, 1e5, 0.0, 5.0, 0.5})}; }

TEST(SteadyResponse, LossesThatFallWithAmplitudeHideNoAnswer) {
  // W > theta F_S phi_max: past phi_max D/A falls towards 4 theta F_S, and the largest answers lie far beyond where the
  // losses first take the force. They are found about the linear spring's frequency, where the spring takes least.
  const Iwan5<double> law{1.0, 1e5, 0.0, 5.0, 0.3};
  const SteadyResponse response({1, 0.05, 1e5, AnyLaw(law)});
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> exponent(-1, 2.5), frequency(0.99, 1.01);
  for (int i = 0; i < 100; ++i) {
    const double a = law.phi_max() * std::pow(10, exponent(rng));
    const double hz = frequency(rng) * std::sqrt(1e5) / (2 * pi);
    const auto points = response.at(response.force_for(a, hz).force, hz);
    EXPECT_TRUE(std::any_of(points.begin(), points.end(),
                            [&](const SteadyPoint& p) { return std::abs(p.amplitude - a) < 1e-9 * a; }))
        << a << " m, " << hz << " Hz";
  }
}

TEST(SteadyResponse, AResonanceTakesTheForceThatItIsSaidToTake) {
  struct Case {
    JointedMode mode;
    std::vector<double> none;  ///< forces over which the ridge jumps
    std::vector<double> some;
  };
  const std::vector<Case> cases{
      {{1, 2.0, 4e5, AnyLaw(Iwan5<double>{2.0, 1e5, -0.4, 0.3, 0.8})}, {0.7, 0.75, 0.85}, {0.01, 0.5, 0.66, 0.9, 5.0}},
      {{1, 2.0, 4e5, AnyLaw(Iwan4<double>{2.0, 1e5, -0.4, 0.3})}, {}, {0.01, 0.7, 0.75, 0.85, 5.0}},
      {{1, 2.0, 4e5, AnyLaw(Jenkins<double>{1e5, 2.0})}, {}, {0.01, 0.7, 0.75, 0.85, 5.0}},
      {{1, 2.0, 4e5, AnyLaw(BoucWen1<double>{1e5, 2e4, 1e3})}, {}, {0.01, 0.7, 5.0}},
  };
  for (const Case& c : cases) {
    const SteadyResponse response(c.mode);
    for (const double force : c.none) {
      EXPECT_FALSE(response.resonance(force)) << force;
      EXPECT_TRUE(response.bounded(force)) << force;
    }
    for (const double force : c.some) {
      const auto found = response.resonance(force);
      ASSERT_TRUE(found) << law_name(*c.mode.joint) << " " << force;
      EXPECT_NEAR(found->force, force, 1e-9 * force);
      EXPECT_GT(response.ridge(found->amplitude * (1 + 1e-6)).force, found->force) << "stable";
    }
  }
}

TEST(SteadyResponse, BeyondAJumpOfTheRidgeTheDamperMayHoldAResonance) {
  // At phi_max the ridge jumps from 0.05 to 0.9 N, falls with D/A to 0.4005 N and rises again with the damper.
  const Iwan5<double> law{1.0, 1e5, 0.0, 5.0, 0.3};
  const SteadyResponse response({1, 0.05, 1e5, AnyLaw(law)});
  const double below = response.ridge(law.phi_max() * (1 - 1e-12)).force;
  const double above = response.ridge(law.phi_max() * (1 + 1e-12)).force;
  ASSERT_LT(below, 0.1);
  ASSERT_GT(above, 0.8);
  for (const double force : {0.2, 0.4}) EXPECT_FALSE(response.resonance(force)) << force;
  for (const double force : {0.4006, 0.41, 0.5, 0.8, 2.0}) {
    const auto found = response.resonance(force);
    ASSERT_TRUE(found) << force;
    EXPECT_GT(found->amplitude, 10 * law.phi_max());
    EXPECT_NEAR(found->force, force, 1e-9 * force);
  }
}

TEST(SteadyResponse, WhereAJointPushesAMassNothingAnswers) {
  // No spring beside a joint whose first harmonic turns negative past phi_max: the mode has no frequency there.
  const SteadyResponse response({1, 0.05, 0, AnyLaw(Iwan5<double>{1.0, 1e5, 0.0, 5.0, 0.3})});
  EXPECT_TRUE(response.resonance(0.01));
  EXPECT_FALSE(response.resonance(5.0));
  for (const double hz : {20.0, 50.0, 80.0})
    for (const SteadyPoint& point : response.at(5.0, hz))
      EXPECT_NEAR(response.force_for(point.amplitude, hz).force, 5.0, 5e-6) << hz;
}

TEST(SteadyResponse, FoldsAreWhereTheForceIsStationary) {
  const SteadyResponse response(folding_mode());
  const RidgePoint ridge = response.ridge(1.6e-5);
  const double force = ridge.force;
  const SteadyCurve curve = response.curve(force, grid(0.8 * ridge.frequency_hz, 1.3 * ridge.frequency_hz, 201));
  ASSERT_FALSE(curve.folds.empty());  // the other end of the branches is where the force drops
  ASSERT_FALSE(curve.branches.empty());
  EXPECT_FALSE(curve.branches.front().stable);
  for (const Fold& fold : curve.folds) {
    const double h = 1e-4 * fold.amplitude;
    const double slope = (response.force_for(fold.amplitude + h, fold.frequency_hz).force -
                          response.force_for(fold.amplitude - h, fold.frequency_hz).force) /
                         (2 * h);
    EXPECT_NEAR(response.force_for(fold.amplitude, fold.frequency_hz).force, force, 1e-7 * force);
    // An extremum is found to half the digits, hence the force to 1e-8 or so and the amplitude to 1e-4.
    EXPECT_NEAR(slope * fold.amplitude / force, 0, 2e-4);
  }
  for (const SteadyBranch& branch : curve.branches)
    for (std::size_t i = 0; i < branch.frequency_hz.size(); ++i) {
      const HeldForce held = response.force_for(branch.amplitude[i], branch.frequency_hz[i]);
      EXPECT_NEAR(held.force, force, 1e-10 * force);
      EXPECT_NEAR(held.phase, branch.phase[i], 1e-9);
      const double more = response.force_for(branch.amplitude[i] * (1 + 1e-6), branch.frequency_hz[i]).force;
      EXPECT_EQ(more > held.force, branch.stable) << branch.frequency_hz[i];
    }
}

TEST(SteadyResponse, ScalesWithUnits) {
  // Lengths in mm and forces in mN (kg, s kept): amplitudes scale, frequencies and damping do not.
  const JointedMode metres = test::two_beam_modes()[0];
  JointedMode millimetres = metres;
  std::get<Iwan4<double>>(*millimetres.joint).slip_force *= 1e3;
  const auto a = SteadyResponse(metres).resonance(1.0), b = SteadyResponse(millimetres).resonance(1e3);
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(b->amplitude, 1e3 * a->amplitude, 1e-11 * b->amplitude);
  EXPECT_NEAR(b->frequency_hz, a->frequency_hz, 1e-12 * a->frequency_hz);
  EXPECT_NEAR(b->damping_ratio, a->damping_ratio, 1e-11 * a->damping_ratio);
}

TEST(SteadyResponse, WrongInputIsRefused) {
  const SteadyResponse response(test::two_beam_modes()[0]);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)response.resonance(bad), InvalidInput);
    EXPECT_THROW((void)response.at(bad, 100), InvalidInput);
    EXPECT_THROW((void)response.ridge(bad), InvalidInput);
    EXPECT_THROW((void)response.force_for(bad, 100), InvalidInput);
  }
  EXPECT_THROW((void)response.at(1, -1), InvalidInput);
  EXPECT_THROW((void)response.at(1, nan), InvalidInput);
  EXPECT_THROW((void)response.curve(1, {}), InvalidInput);
  EXPECT_THROW((void)response.curve(1, std::vector<double>{100, 100}), InvalidInput);
  EXPECT_THROW((void)response.curve(1, std::vector<double>{100, 90}), InvalidInput);
  EXPECT_THROW(SteadyResponse({0, 0, 1, {}}), InvalidInput);
  // An undamped spring at its own frequency: no number is the answer.
  EXPECT_THROW((void)SteadyResponse({1, 0, 4 * pi * pi, {}}).at(1, 1), NotConverged);
}

}  // namespace
}  // namespace microslip
