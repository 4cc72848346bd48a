#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/laws.hpp>

#include "oscillator.hpp"

namespace microslip {
namespace {

using std::numbers::pi;
using test::joint_of;
using test::oscillator;
using test::spaced;

template <class L>
struct OscillatorProperty : ::testing::Test {};
using AllLaws =
    ::testing::Types<Iwan4<double>, Iwan5<double>, BoucWen<double>, BoucWen1<double>, BoucWen2<double>, Valanis<double>,
                     Jenkins<double>, ElasticDryFriction<double>, Prager<double>, JenkinsPrager<double>>;
TYPED_TEST_SUITE(OscillatorProperty, AllLaws);

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
      const double a = point.amplitude / root, omega_2 = (k + secant_stiffness(law, a, framework)) / mass;
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

}  // namespace
}  // namespace microslip
