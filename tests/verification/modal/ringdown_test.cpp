// RQNMA against a simulated ring-down: two answers that differ by a known amount.
//
// A peak decays with the energy stored there, E' = A (K_inf + K_t) with K_t the tangent of first loading, while RQNMA
// refers the loss to the secant K_s [Porter2022, Eq. 39]:
//   zeta_decay/zeta_rqnma = (K_inf + K_s)/(K_inf + K_t)                                                          (1)
// A period sees the first harmonic K_1 of the loop. Its middle line m(u) = g((A+u)/2) - g((A-u)/2), g the curve of
// first loading, has m(A) = K_s A and m'(0) = g'(A/2) >= g'(A) = K_t; it is convex for u > 0 where g'' rises (iwan4
// with chi <= 0, and a corner below A/2). Then K_t <= m(u)/u <= K_s, and so does K_1, which is a mean of m(u)/u:
//   0 <= 1 - (omega_decay/omega_rqnma)^2 <= (K_s - K_t)/(K_inf + K_s)                                            (2)
// What is left is of the order of the square of the damping ratio, from one peak to the next.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <unit/modal/oscillator.hpp>

#include <microslip/dynamics/mode_run.hpp>
#include <microslip/joints/describing_function.hpp>
#include <microslip/modal/rqnma.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

constexpr double mass = 2.5, steps_per_period = 400;

/// Ring-down from displacement `start`, and what RQNMA says at each of its peaks between `low` and `high`.
template <class Law>
void expect_known_differences(const Law& law, double K_inf, double start, double low, double high, int least) {
  const JointedMode mode{mass, 0, K_inf, AnyLaw(law)};
  const double period = 2 * pi / mode.low_amplitude_omega();
  const Load none;
  const TimePlan plan = plan_time(400 * period, {.steps_per_period = steps_per_period, .step = {}}, period, none);
  const Envelope rings = run_mode(mode, none, 1, {.displacement = start}, plan, {}, {}).extrema;
  const JointedSystem oscillator = test::oscillator(mass, K_inf);
  const double newmark = std::pow(2 * pi / steps_per_period, 2) / 12;  // of a period
  int compared = 0;
  for (std::size_t i = 0; i < rings.time.size(); ++i) {
    const double a = rings.amplitude[i];
    if (!(a > low && a < high)) continue;
    ++compared;
    const std::vector<double> q{a * std::sqrt(mass)};
    const BackbonePoint point = rqnma(oscillator, test::joint_of(law), 1, q).points.front();
    ASSERT_TRUE(point.converged) << point.flag;
    const Curve<double> curve = law.curve(a);
    const double K_s = curve.force / a + law.post_slip_stiffness, K_t = curve.tangent + law.post_slip_stiffness;
    // (1): what a cycle loses changes the amplitude by 2 pi zeta; peaks on both sides leave its square
    const double ratio = rings.damping_ratio[i] / point.damping_ratio, zeta = point.damping_ratio;
    EXPECT_NEAR(ratio, (K_inf + K_s) / (K_inf + K_t), std::pow(2 * pi * zeta, 2) + 1e-4) << Law::name << " at " << a;
    // (2), and the first harmonic itself, Newmark's lengthening of the period taken off
    const double left = 1 - std::pow(rings.frequency_hz[i] / point.frequency_hz, 2) - 2 * newmark;
    const double allowance = 4 * zeta * zeta + 2e-6;
    EXPECT_GE(left, -allowance) << Law::name << " at " << a;
    EXPECT_LE(left, (K_s - K_t) / (K_inf + K_s) + allowance) << Law::name << " at " << a;
    const double K_1 = describing_function(law, a, Framework::masing).stiffness;
    EXPECT_NEAR(left, (K_s - K_1) / (K_inf + K_s), allowance) << Law::name << " at " << a;
  }
  EXPECT_GE(compared, least) << Law::name;
}

TEST(RingDown, DiffersFromRqnmaByTangentForSecant) {
  // The difference in damping is 0.7 to 5 % here, that in frequency up to 0.1 %.
  for (const double chi : {-0.7, -0.4, 0.0}) {
    const Iwan4<double> law{.slip_force = 100, .stiffness = 1e5, .chi = chi, .beta = 0.5};
    const double phi = law.phi_max();
    expect_known_differences(law, 4e5, 0.9 * phi, 0.1 * phi, 0.8 * phi, 20);
  }
}

TEST(RingDown, OfASlippingJointDiffersMost) {
  // Jenkins beyond its corner has no tangent at all; above two slip displacements (2) holds.
  const Jenkins<double> law{.stiffness = 1e5, .slip_force = 100, .post_slip_stiffness = 0};
  expect_known_differences(law, 2e6, 12e-3, 2.2e-3, 10e-3, 10);
}

}  // namespace
}  // namespace microslip
