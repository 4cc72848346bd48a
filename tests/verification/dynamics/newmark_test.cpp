#include <cmath>
#include <fstream>
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
  // [Shetty2019, Fig. 5]: with a residual tolerance in newtons, damping falls away at small amplitudes.
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
  // As omega dt grows, u_1 tends to alpha/(1 + alpha) u_0, and velocity and acceleration to a double root
  // -(1 + alpha)/(1 - alpha): 1/2 at alpha = -1/3, where all three agree [Hilber, Hughes & Taylor 1977]. So velocities
  // obey the recurrence with these roots, but for terms of the order 4/(omega dt)^2 of its own.
  const double omega_dt = 1e4;
  for (const double alpha : {0.0, -0.1, -0.2, -1.0 / 3}) {
    NewmarkOptions options;
    options.hht_alpha = alpha;
    Oscillator<NoJoint> oscillator(1.0, 0.0, omega_dt * omega_dt, {}, options);
    oscillator.start(0.01, 0, 0);
    std::vector<double> v;
    for (int i = 0; i < 12; ++i) {
      EXPECT_TRUE(oscillator.advance(NewmarkStep(1.0, alpha), 0));
      v.push_back(oscillator.velocity());
    }
    const double r = -(1 + alpha) / (1 - alpha), q = alpha / (1 + alpha);
    for (std::size_t i = 0; i + 3 < v.size(); ++i) {  // (E - r)^2 (E - q) v = 0
      const std::vector<double> terms{v[i + 3], -(2 * r + q) * v[i + 2], (r * r + 2 * r * q) * v[i + 1],
                                      -r * r * q * v[i]};
      double sum = 0, size = 0;
      for (const double term : terms) sum += term, size += std::abs(term);
      EXPECT_LT(std::abs(sum), 10 / (omega_dt * omega_dt) * size) << "alpha " << alpha << ", step " << i;
    }
  }
}

/// u'' + c u' + k u = F cos(p t) from rest.
double shaken_from_rest(double k, double c, double F, double p, double t) {
  const double d = k - p * p, n = d * d + c * c * p * p, X = F * d / n, Y = F * c * p / n;  // X cos + Y sin
  const double decay = c / 2, omega = std::sqrt(k - decay * decay);
  const double a = -X, b = (decay * a - Y * p) / omega;
  return X * std::cos(p * t) + Y * std::sin(p * t) +
         std::exp(-decay * t) * (a * std::cos(omega * t) + b * std::sin(omega * t));
}

TEST(Newmark, AutomaticStepsKeepTheirAccuracy) {
  // What the steps err by adds up to at most twice the accuracy times the path, the integral of |v|, which is below
  // 3 omega |u|max of this motion per unit of time.
  const double k = 900, c = 0.6, F = 9, p = 12, omega = 30, end = 4;
  const JointedMode mode{1.0, c, k, std::nullopt};
  const Load load(Sine{F, p / (2 * pi), pi / 2});
  double last = 0;
  for (const double accuracy : {1e-3, 1e-4, 1e-5}) {
    const TimePlan plan =
        plan_time(end, {.steps_per_period = {}, .step = {}, .accuracy = accuracy}, 2 * pi / omega, load);
    const ModeRun run = run_mode(mode, load, 1, {}, plan, {}, {});
    double error = 0, largest = 0;
    for (std::size_t j = 0; j < run.displacement.size(); ++j) {
      const double exact = shaken_from_rest(k, c, F, p, plan.time(static_cast<std::int64_t>(j)));
      error = std::max(error, std::abs(run.displacement[j] - exact));
      largest = std::max(largest, std::abs(exact));
    }
    EXPECT_LT(error, 2 * accuracy * 3 * omega * largest * end) << accuracy;
    if (last > 0) {  // proportional to what is asked for
      EXPECT_NEAR(last / error, 10, 1) << accuracy;
    }
    last = error;
  }
}

TEST(Newmark, AutomaticStepsAreHalvedOnlyWhereTheMotionIsRough) {
  // A free decay is what the plan was made for. A pulse begins with a velocity that vanishes faster than its change.
  const JointedMode mode = test::paper_mode(1.0);
  const Load load = test::paper_pulse(1e4);
  const TimePlan free = plan_time(0.5, {}, 2 * pi / mode.low_amplitude_omega(), {});
  EXPECT_EQ(run_mode(mode, {}, 1, {0.02, 0, 0}, free, {}, {}).n_refined, 0);
  const TimePlan hit = plan_time(0.5, {}, 2 * pi / mode.low_amplitude_omega(), load);
  const ModeRun run = run_mode(mode, load, 1, {}, hit, {}, {});
  EXPECT_GT(run.n_refined, 0);
  EXPECT_LT(run.n_refined, hit.n_steps / 4);
}

TEST(Newmark, TenMillionStepsKeepMemoryFlat) {
  // One series would take 80 MB. What grows is the law's memory of unclosed reversals, 24 bytes per half period, which
  // doubles its room as it grows: 1e5 of them need less than 8 MB at worst.
  const auto kilobytes = [](const std::string& what) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(what)) return std::stol(line.substr(what.size() + 1));
    return -1L;
  };
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
  const long before = kilobytes("VmRSS");
  if (before < 0 || kilobytes("VmHWM") > before + 1024) GTEST_SKIP() << "this system does not tell the peak of memory";
  const JointedMode mode = test::paper_mode(1.0);
  const Load load = test::paper_pulse(1e4);
  const TimePlan plan{1e7 * 2 * pi / mode.low_amplitude_omega() / 200, 10'000'000};
  const OutputPlan some{.displacement = true, .velocity = false, .envelope = false, .every = 10'000};
  EXPECT_EQ(run_mode(mode, load, 1, {}, plan, some, {}).displacement.size(), 1001U);
  EXPECT_LT(kilobytes("VmHWM") - before, 8 * 1024);
}

}  // namespace
}  // namespace microslip
