#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <support/observed_order.hpp>
#include <verification/dynamics/paper_case.hpp>

#include <microslip/dynamics/oscillator.hpp>

namespace microslip {
namespace {

using std::numbers::pi;
using test::observed_order;

/// Displacement at the end of `end` seconds of ringing from u = 1 cm.
template <class Law>
double ring(const Law& law, double k, double c, double dt, double end, double alpha) {
  NewmarkOptions options;
  options.hht_alpha = alpha;
  Oscillator<Law> oscillator(1.0, c, k, law, options);
  oscillator.start(0.01, 0, 0);
  const auto n = std::lround(end / dt);
  const NewmarkStep step(end / static_cast<double>(n), alpha);
  for (long i = 0; i < n; ++i) EXPECT_TRUE(oscillator.advance(step, 0));
  return oscillator.displacement();
}

TEST(Newmark, IsSecondOrderOnTheLinearOscillator) {
  const double k = 9, c = 0.3, end = 20, decay = c / 2, omega = std::sqrt(k - decay * decay);
  const double exact = 0.01 * std::exp(-decay * end) * (std::cos(omega * end) + decay / omega * std::sin(omega * end));
  for (const double alpha : {0.0, -0.1, -1.0 / 3}) {
    const auto error = [&](double dt) { return ring(NoJoint{}, k, c, dt, end, alpha) - exact; };
    EXPECT_NEAR(observed_order(error, 0.01), 2.0, 0.05) << "alpha " << alpha;
  }
}

TEST(Newmark, IsSecondOrderOnASmoothLaw) {
  // Forces of Bouc-Wen type are smooth between reversals; those fall where the velocity vanishes, so that what their
  // kink adds is of fourth order. The reference is the same method at a sixteenth of the step.
  const BoucWen1<double> law{.stiffness = 4.0, .alpha = 60, .beta = 20};
  const double end = 12, reference = ring(law, 5.0, 0.05, 0.01 / 16, end, 0);
  const auto error = [&](double dt) { return ring(law, 5.0, 0.05, dt, end, 0) - reference; };
  EXPECT_NEAR(observed_order(error, 0.02), 2.0, 0.1);
}

TEST(Newmark, EnergyImbalanceOfThePaperCaseIsSmallAndOfSecondOrder) {
  for (const double mass : {1.0, 98.85}) {
    const double end = mass > 10 ? 40 : 5;  // the imbalance is that of the first cycles
    const auto imbalance = [&](double steps) { return test::run_paper(mass, 1e4, end, steps).energy.imbalance(); };
    const double at_200 = imbalance(200), at_800 = imbalance(800);
    EXPECT_LT(std::abs(at_200), 2e-4) << mass;
    EXPECT_LT(std::abs(at_800), 1.5e-5) << mass;
    EXPECT_NEAR(std::log(at_200 / at_800) / std::log(4.0), 2.0, 0.05) << mass;
  }
}

TEST(Newmark, ToleranceMeansTheSameAtEveryAmplitude) {
  // Everything scales when slip force, load and displacement do: the same number of Newton iterations must do.
  long long iterations = -1;
  double first = 0;
  for (const double scale : {1.0, 0x1p-40, 0x1p-200, 0x1p60}) {
    const JointedMode mode{1.0, 0.1249, 1.4e5, AnyLaw(Iwan4<double>{4e4 * scale, 2.5e5, -0.5, 1.0})};
    const TimePlan plan = plan_time(0.5, {}, 2 * pi / mode.low_amplitude_omega(), test::paper_pulse(1));
    const ModeRun run = run_mode(mode, test::paper_pulse(1e4 * scale), 1, {}, plan, {}, {});
    if (iterations < 0) iterations = run.n_iterations, first = run.displacement.back();
    EXPECT_EQ(run.n_iterations, iterations) << scale;
    EXPECT_EQ(run.displacement.back(), first * scale) << scale;  // powers of two: bit for bit
  }
}

TEST(Newmark, AnAbsoluteToleranceSpoilsSmallAmplitudes) {
  // [Shetty2017, Fig. 5]: with a residual tolerance in newtons, damping falls away at small amplitudes.
  SimulationOptions coarse;
  coarse.newmark.absolute = true;
  coarse.newmark.tolerance = 1;
  const Envelope loose = test::run_paper(1.0, 1e3, 10, 200, coarse).extrema;
  const Envelope exact = test::run_paper(1.0, 1e3, 10, 200).extrema;
  const std::size_t late = exact.time.size() - 20;
  EXPECT_GT(std::abs(loose.damping_ratio[late] / exact.damping_ratio[late] - 1), 0.1);
  EXPECT_LT(std::abs(loose.damping_ratio[0] / exact.damping_ratio[0] - 1), 0.01);
}

TEST(Newmark, HilberHughesTaylorDampsWhatTheStepDoesNotResolve) {
  // Far beyond the step's reach amplitudes shrink by (1 + alpha)/(1 - alpha) per step [Hilber, Hughes & Taylor 1977]:
  // by a half at alpha = -1/3, where the root is threefold, so that n steps shrink by 2^-n times a quadratic in n; not
  // at all at alpha = 0.
  const auto shrinks = [](double alpha) {
    NewmarkOptions options;
    options.hht_alpha = alpha;
    Oscillator<NoJoint> oscillator(1.0, 0.0, 1e8, {}, options);
    oscillator.start(0.01, 0, 0);
    const NewmarkStep step(1.0, alpha);  // omega dt = 1e4
    double early = 0;
    for (int i = 1; i <= 60; ++i) {
      EXPECT_TRUE(oscillator.advance(step, 0));
      if (i == 40) early = oscillator.stored() + oscillator.kinetic();
    }
    return std::pow((oscillator.stored() + oscillator.kinetic()) / early, 0.5 / 20);
  };
  EXPECT_NEAR(shrinks(0), 1, 1e8 * std::numeric_limits<double>::epsilon());  // rounding of u in a = -omega^2 u
  EXPECT_GT(shrinks(-1.0 / 3), 0.5);
  EXPECT_LT(shrinks(-1.0 / 3), 0.5 * std::pow(58.0 / 38, 2.0 / 20));  // a quadratic like (n - 2)^2
}

}  // namespace
}  // namespace microslip
