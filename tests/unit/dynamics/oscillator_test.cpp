#include <cmath>

#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/dynamics/oscillator.hpp>

namespace microslip {
namespace {

template <class L>
struct OscillatorWith : ::testing::Test {};
TYPED_TEST_SUITE(OscillatorWith, test::AllLaws);

/// The equation of motion holds after every step to the tolerance, whatever the law and however wild the load.
TYPED_TEST(OscillatorWith, EveryStepSolvesTheEquationOfMotion) {
  test::Random random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, force] = test::sample_law<TypeParam>(random);
    const double k = 0.3 * law.stiffness, m = 1.7, c = 0.01 * std::sqrt(k * m);
    const double period = 2 * M_PI / std::sqrt((k + law.stiffness) / m);
    Oscillator<TypeParam> oscillator(m, c, k, law, {});
    typename TypeParam::State shadow{};
    oscillator.start(0.3 * reach, 0, 0);
    law.advance(shadow, 0.3 * reach);
    const NewmarkStep step(period / 30, 0);
    for (int i = 0; i < 500; ++i) {
      const double load = 2 * (force + k * reach) * random.uniform(-1, 1);
      ASSERT_TRUE(oscillator.advance(step, load)) << "step " << i;
      const double u = oscillator.displacement(), v = oscillator.velocity(), a = oscillator.acceleration();
      const double joint = law.advance(shadow, u).force;
      const double scale = std::abs(m * a) + std::abs(c * v) + std::abs(k * u) + std::abs(joint) + std::abs(load) +
                           (k + law.stiffness) * step.dt * std::abs(v);
      if constexpr (!std::same_as<TypeParam, Iwan5<double>>) {  // its force jumps, and the root may lie in the jump
        EXPECT_NEAR(m * a + c * v + k * u + joint, load, 4e-12 * scale) << "step " << i;
      }
    }
    EXPECT_EQ(oscillator.n_halved(), 0);
  }
}

TYPED_TEST(OscillatorWith, RestsUnderAStaticForce) {
  test::Random random(6);
  const auto [law, reach, force] = test::sample_law<TypeParam>(random);
  const double k = 0.3 * law.stiffness, load = 0.8 * (force + k * reach);
  Oscillator<TypeParam> oscillator(1.0, 0.0, k, law, {});
  ASSERT_TRUE(oscillator.rest_under(load));
  EXPECT_NEAR(oscillator.acceleration(), 0, 1e-12 * load);
  const double rest = oscillator.displacement();
  const NewmarkStep step(0.01 / std::sqrt(law.stiffness), 0);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(oscillator.advance(step, load));
  EXPECT_NEAR(oscillator.displacement(), rest, 1e-10 * std::abs(rest));
}

TEST(Oscillator, SlipsThroughWithoutASpring) {
  Oscillator<Jenkins<double>> oscillator(1.0, 0.0, 0.0, {.stiffness = 1e6, .slip_force = 10}, {});
  EXPECT_FALSE(oscillator.rest_under(11));
  EXPECT_TRUE(oscillator.rest_under(9));
}

TEST(Oscillator, HalvesAStepWhenNewtonStalls) {
  // With two iterations instead of 25, some of the coarse steps are halved. Each part solves the equation of motion to
  // the same tolerance, so that the motion is nearer to that with fine steps than the one with coarse steps.
  const Iwan4<double> law{4e4, 2.5e5, -0.5, 1.0};
  const double period = 2 * M_PI / std::sqrt(3.9e5);
  NewmarkOptions impatient;
  impatient.max_iterations = 2;
  const auto ring = [&](const NewmarkOptions& options, int steps_per_period, long long& halved) {
    Oscillator<Iwan4<double>> oscillator(1.0, 0.1, 1.4e5, law, options);
    oscillator.start(0.1, 0, 0);
    const NewmarkStep step(period / steps_per_period, 0);
    for (int i = 0; i < 3 * steps_per_period; ++i) EXPECT_TRUE(oscillator.advance(step, 0)) << i;
    halved = oscillator.n_halved();
    return oscillator.displacement();
  };
  long long in_hurry = 0, patiently = 0, finely = 0;
  const double hurried = ring(impatient, 25, in_hurry), patient = ring({}, 25, patiently),
               fine = ring({}, 1600, finely);
  EXPECT_GT(in_hurry, 0);
  EXPECT_EQ(patiently, 0);
  EXPECT_LT(std::abs(hurried - fine), std::abs(patient - fine));
}

TEST(Oscillator, SaysSoWhereItCannotConverge) {
  NewmarkOptions impossible;
  impossible.max_iterations = 1;
  impossible.max_halvings = 0;
  impossible.tolerance = 1e-300;
  Oscillator<Iwan4<double>> oscillator(1.0, 0.1, 1.4e5, {4e4, 2.5e5, -0.5, 1.0}, impossible);
  oscillator.start(0.1, 0, 0);
  const NewmarkStep step(1e-4, 0);
  EXPECT_FALSE(oscillator.advance(step, 0));
}

}  // namespace
}  // namespace microslip
