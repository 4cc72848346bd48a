#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/laws.hpp>
#include <support/scratch.hpp>

#include "oscillator.hpp"
#include "two_patches.hpp"

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;
using test::joint_of;
using test::oscillator;
using test::spaced;
using test::two_patches;

template <class L>
struct OscillatorProperty : ::testing::Test {};
TYPED_TEST_SUITE(OscillatorProperty, test::AllLaws);

/// lambda = (k + secant)/m and Eq. 39 at a = q/sqrt(m), for either framework.
template <class Law>
void expect_closed_forms(Framework framework, double tolerance) {
  test::Random random(20260401);
  for (int i = 0; i < 5; ++i) {
    const auto [law, reach, force] = test::sample_law<Law>(random);
    const double mass = 2.5, k = 3 * force / reach;
    RqnmaOptions options;
    options.framework = framework;
    options.damping_ratio = 0.001;
    const double root = std::sqrt(mass);
    // iwan5 drops to its kinetic force at phi_max: no secant is single-valued beyond, so it stays below.
    const double far = std::same_as<Law, Iwan5<double>> ? 0.45 : 1.0;
    const auto amplitudes = spaced(0.02 * reach * root, far * reach * root, 9);
    const Rqnma result = rqnma(oscillator(mass, k), joint_of(law), 1, amplitudes, options);
    ASSERT_EQ(result.points.size(), 9U);
    const double stiff = law.curve(0.0).tangent + law.post_slip_stiffness;
    EXPECT_NEAR(result.linear_frequency_hz, std::sqrt((k + stiff) / mass) / (2 * pi),
                1e-12 * result.linear_frequency_hz);
    for (const BackbonePoint& point : result.points) {
      ASSERT_TRUE(point.converged) << Law::name << " at " << point.amplitude << ": " << point.flag;
      const double a = point.amplitude / root, omega_2 = (k + loop_force(law, a, framework) / a) / mass;
      const double D = loop_dissipation(law, a, framework);
      EXPECT_NEAR(point.frequency_hz, std::sqrt(omega_2) / (2 * pi), tolerance * point.frequency_hz) << Law::name;
      EXPECT_NEAR(point.dissipation, D, tolerance * force * reach) << Law::name;
      EXPECT_NEAR(point.damping_ratio, D / (2 * pi * omega_2 * point.amplitude * point.amplitude) + 0.001, tolerance);
      EXPECT_LT(point.residual, 1e-9);
    }
  }
}

TYPED_TEST(OscillatorProperty, MasingFrameworkEqualsTheSecantAndEquation39) {
  expect_closed_forms<TypeParam>(Framework::masing, 1e-10);
}

TYPED_TEST(OscillatorProperty, ReversalFrameworkFindsTheSteadyLoop) {
  // Laws that shake down are as good as the closing of their loop, 1e-8.
  expect_closed_forms<TypeParam>(Framework::reversal, TypeParam::masing ? 1e-10 : 1e-7);
}

TEST(Rqnma, SolutionsSatisfyTheEquationsOfTheFullMatrices) {
  for (const bool floats : {false, true}) {
    const JointedSystem system = two_patches(Contact::spring, floats);
    const Iwan4<double> law{.slip_force = 100, .stiffness = 2e5, .chi = -0.4, .beta = 0.3};
    const Joint joint{law, 3e5, Tangential::separate, true};
    const std::vector<double> amplitudes{1e-4, 5e-4, 2e-3};
    const Rqnma result = rqnma(system, joint, 2, amplitudes);
    const MatrixXd &K = system.system().stiffness, &M = system.system().mass, &map = system.interface().map;
    for (const BackbonePoint& point : result.points) {
      ASSERT_TRUE(point.converged) << point.flag;
      const VectorXd u = point.amplitude * point.shape, w = map * u;
      VectorXd f(w.size());
      for (Eigen::Index i = 0; i < w.size(); ++i) {
        const double area = system.interface().areas(i / 3);
        f(i) = area * (i % 3 == 2 ? 3e5 * w(i) : std::copysign(law.curve(std::abs(w(i))).force, w(i)));
      }
      const double lambda = std::pow(2 * std::numbers::pi * point.frequency_hz, 2);
      EXPECT_LT((K * u + map.transpose() * f - lambda * (M * u)).norm(), 1e-9 * lambda * (M * u).norm());
      EXPECT_NEAR(u.dot(M * u), point.amplitude * point.amplitude, 1e-10 * point.amplitude * point.amplitude);
      EXPECT_LT((point.relative - w).norm(), 1e-12 * w.norm());
      EXPECT_LT((point.force - f).norm(), 1e-9 * f.norm());
    }
  }
}

TEST(Rqnma, AFarAmplitudeIsOfTheSameModeAsNearOnes) {
  // Newton's method from a shape too far away finds another mode's solution, in first loading and at the loop's ends.
  const std::vector<AnyLaw> laws{Iwan4<double>{.slip_force = 300, .stiffness = 2e5, .chi = -0.3, .beta = 0.1},
                                 Jenkins<double>{.stiffness = 2e5, .slip_force = 200},
                                 BoucWen1<double>{.stiffness = 2e5, .alpha = 400, .beta = 100}};
  const JointedSystem system = two_patches();
  RqnmaOptions options;
  options.prestress.preload = 0;
  int compared = 0;
  for (const AnyLaw& law : laws)
    for (const int mode : {1, 2, 3})
      for (const Framework framework : {Framework::masing, Framework::reversal})
        for (const double q : {3e-3, 1e-2, 3e-2}) {
          const Joint joint{law, 3e5, Tangential::separate, true};
          options.framework = framework;
          const auto last_of = [&](const std::vector<double>& amplitudes) {
            return rqnma(system, joint, mode, amplitudes, options).points.back();
          };
          const BackbonePoint near = last_of(spaced(1e-4, q, 60));
          if (!near.converged) continue;  // no spring beside the joint: some have no answer in macro-slip
          ++compared;
          for (const BackbonePoint& far : {last_of({q}), last_of({1e-4, q})}) {
            ASSERT_TRUE(far.converged) << far.flag;
            EXPECT_NEAR(far.frequency_hz, near.frequency_hz, 1e-7 * near.frequency_hz)
                << law_name(law) << ", mode " << mode << " at " << q;
          }
        }
  EXPECT_EQ(compared, 48);
}

TEST(Rqnma, ALoopAboutARestThatHasMovedIsOfItsMode) {
  // Friction lets go of the prestress along x, and the rest moves by 1.9e-4 whatever the amplitude: the smaller it is,
  // the less alike are the loop's ends. There are none below sqrt(2) times as much.
  const Joint joint{Valanis<double>{.stiffness = 2e5, .lambda = 2e3, .kappa = 0.4, .post_slip_stiffness = 1e4}, 3e5,
                    Tangential::separate, true};
  RqnmaOptions options;
  options.framework = Framework::reversal;
  options.prestress.preload = 300;
  options.prestress.law = PrestressLaw::full;
  for (const double q : {1e-4, 2.5e-4, 2.9e-4, 3.2e-4, 4e-4, 6e-4, 1e-3}) {
    const Rqnma run = rqnma(two_patches(), joint, 1, std::vector{q}, options);
    const BackbonePoint& point = run.points.front();
    if (q > 2.6e-4) {
      EXPECT_TRUE(point.converged) << q << ": " << point.flag;
      EXPECT_TRUE(std::any_of(run.notes.begin(), run.notes.end(), [](const std::string& note) {
        return note.find("the middle of the loop lies") != std::string::npos;
      })) << q;
    } else {
      EXPECT_NE(point.flag.find("its rest has moved further than the amplitude"), std::string::npos) << point.flag;
    }
  }
}

TEST(Rqnma, ALoopThatDoesNotCloseHasNoDerivatives) {
  RqnmaOptions options;
  options.framework = Framework::reversal;
  options.prestress.preload = 0;
  options.sensitivities = true;
  const Joint joint{BoucWen1<double>{.stiffness = 2e5, .alpha = 400, .beta = 100}, 3e5, Tangential::separate, true};
  for (const int rounds : {2, 100}) {
    options.max_loops = rounds;
    const BackbonePoint point = rqnma(two_patches(), joint, 1, std::vector{3e-3}, options).points.front();
    EXPECT_EQ(point.converged, rounds == 100) << point.flag;
    EXPECT_EQ(point.d_frequency_hz.size() > 0, rounds == 100);
    EXPECT_EQ(point.d_damping_ratio.size() > 0, rounds == 100);
  }
}

TEST(Rqnma, BadCallsAreRefusedInOneLine) {
  const JointedSystem spring = two_patches(), penalty = two_patches(Contact::penalty);
  const std::vector<double> good{1e-4, 2e-4}, down{2e-4, 1e-4}, zero{0.0}, nan{std::nan("")};
  const Joint joint{Jenkins<double>{1e5, 10, 0}, 1e5};
  const auto message = [&](const JointedSystem& system, const Joint& with, int mode, const std::vector<double>& q,
                           const RqnmaOptions& options = {}) {
    return test::message_of<InvalidInput>([&] { rqnma(system, with, mode, q, options); });
  };
  EXPECT_EQ(message(spring, joint, 1, good), "");
  EXPECT_NE(message(spring, joint, 1, down).find("ascend"), std::string::npos);
  EXPECT_NE(message(spring, joint, 1, zero).find("amplitude 1 must be > 0"), std::string::npos);
  EXPECT_NE(message(spring, joint, 1, nan).find("amplitude 1"), std::string::npos);
  EXPECT_NE(message(spring, joint, 0, good).find("counted from 1"), std::string::npos);
  EXPECT_NE(message(spring, joint, 11, good).find("mode 11"), std::string::npos);
  EXPECT_NE(message(penalty, joint, 1, good).find("needs a preload"), std::string::npos);
  EXPECT_NE(message(spring, {ElasticDryFriction<double>{0.3, 1e5, 0, 0}, 1e5}, 1, good).find("penalty"),
            std::string::npos);
  EXPECT_NE(message(spring, {Iwan4<double>{10, 1e5, -0.5, 1, 0}, 1e5, Tangential::coupled}, 1, good).find("iwan4"),
            std::string::npos);
  EXPECT_NE(message(spring, {Jenkins<double>{1e5, 10, 0}, -1}, 1, good).find("normal_stiffness"), std::string::npos);
  RqnmaOptions options;
  options.damping_ratio = -0.1;
  EXPECT_NE(message(spring, joint, 1, good, options).find("damping_ratio"), std::string::npos);
}

TEST(Rqnma, SystemsThatCannotBeAreRefused) {
  const JointedSystem good = two_patches();
  const auto message = [&](auto&& spoil) {
    System system = good.system();
    Interface interface = good.interface();
    spoil(system, interface);
    return test::message_of<InvalidInput>([&] { JointedSystem(system, interface, "spoilt"); });
  };
  EXPECT_EQ(message([](System&, Interface&) {}), "");
  EXPECT_NE(message([](System& s, Interface&) { s.stiffness.resize(9, 10); }).find("9 x 10"), std::string::npos);
  EXPECT_NE(message([](System& s, Interface&) { s.mass(3, 3) = -1; }).find("positive definite"), std::string::npos);
  EXPECT_NE(message([](System& s, Interface&) { s.stiffness(1, 4) *= 1.001; }).find("not symmetric"),
            std::string::npos);
  EXPECT_NE(message([](System&, Interface& i) { i.areas.conservativeResize(1); }).find("areas"), std::string::npos);
  EXPECT_NE(message([](System&, Interface& i) { i.map.row(3) = i.map.row(0); }).find("deficient rank"),
            std::string::npos);
  EXPECT_NE(message([](System& s, Interface&) { s.stiffness(9, 9) -= 1e6; }).find("stiffness is negative"),
            std::string::npos);
}

}  // namespace
}  // namespace microslip
