// Harmonic balance against integration in time: two ways to the same steady motion.
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>
#include <support/two_beam_modes.hpp>

#include <microslip/dynamics/mode_run.hpp>
#include <microslip/dynamics/steady_response.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

struct Steady {
  double amplitude;  ///< half of peak to peak
  double first;      ///< of the first harmonic
  double phase;      ///< of the first harmonic [degrees]
  double third;      ///< of the third harmonic, over the first
};

/// The motion under force cos(omega t), over the last four periods. It starts at the motion to be checked with the
/// joint loaded from rest, and runs until what differs at the start has decayed to a thousandth.
Steady integrate(const JointedMode& mode, double force, const SteadyPoint& start, double damping_ratio) {
  const double hz = start.frequency_hz, phase = start.phase * pi / 180;
  // (omega h)^2 / 12 < 0.002 zeta: Newmark's error of frequency stays a small part of the half-power width.
  const auto n = static_cast<std::int64_t>(std::ceil(2 * pi / std::sqrt(12 * 0.0019 * damping_ratio)));
  const auto periods = static_cast<std::int64_t>(std::ceil(std::log(1e3) / (2 * pi * damping_ratio))) + 10;
  const TimePlan plan{static_cast<double>(periods) / hz, periods * n};
  const ModeStart at{start.amplitude * std::cos(phase), -2 * pi * hz * start.amplitude * std::sin(phase), 0};
  OutputPlan output;
  output.velocity = output.envelope = false;
  const ModeRun run = run_mode(mode, Load(Sine{force, hz, 0.5 * pi}), 1, at, plan, output, {});
  double low = INFINITY, high = -INFINITY;
  std::complex<double> first = 0, third = 0;
  const std::int64_t from = (periods - 4) * n;
  for (std::int64_t i = 0; i < 4 * n; ++i) {
    const double u = run.displacement[static_cast<std::size_t>(from + i)];
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(n);
    low = std::min(low, u);
    high = std::max(high, u);
    first += u * std::polar(1.0, -angle);
    third += u * std::polar(1.0, -3 * angle);
  }
  const double scale = 2.0 / static_cast<double>(4 * n);
  return {0.5 * (high - low), scale * std::abs(first), std::arg(first) * 180 / pi, std::abs(third) / std::abs(first)};
}

struct Worst {
  double amplitude = 0, phase = 0;
};

/// At the resonance and a half-power width to either side of it, where there is one answer alone.
Worst compare(const JointedMode& mode, double force) {
  const SteadyResponse response(mode);
  const auto resonance = response.resonance(force);
  EXPECT_TRUE(resonance);
  Worst worst;
  for (const double widths : {-1.5, 0.0, 1.5}) {
    const double hz = resonance->frequency_hz * (1 + widths * resonance->damping_ratio);
    const auto points = response.at(force, hz);
    if (points.size() > 1) continue;  // between folds both motions exist; which one is reached is history
    const Steady steady = integrate(mode, force, points[0], response.ridge(points[0].amplitude).damping_ratio);
    const double amplitude = std::abs(points[0].amplitude / steady.amplitude - 1);
    const double phase = std::abs(points[0].phase - steady.phase);
    worst.amplitude = std::max(worst.amplitude, amplitude);
    worst.phase = std::max(worst.phase, phase);
    EXPECT_LT(amplitude, 0.005) << hz << " Hz, " << force << " N";
    EXPECT_LT(phase, 0.5) << hz << " Hz, " << force << " N";
    // The estimate of the third harmonic is of the size of what the integration finds.
    const double estimate = response.third_harmonic(points[0].amplitude, hz);
    if (steady.third > 1e-5) {
      EXPECT_NEAR(std::log(estimate / steady.third), 0, std::log(1.25)) << hz << " " << force;
    }
  }
  return worst;
}

TEST(SteadyResponse, AgreesWithNewmarkOnTheTwoBeamModesAtSmallAndLargeForce) {
  int number = 0;
  for (const JointedMode& mode : test::two_beam_modes()) {
    ++number;
    const SteadyResponse response(mode);
    const double phi_max = std::get<Iwan4<double>>(*mode.joint).phi_max();
    for (const double r : {0.01, 0.5, 2.0}) {
      const double force = response.ridge(r * phi_max).force;
      const Worst worst = compare(mode, force);
      std::printf("mode %d, r = %-4g force %-8.4g zeta %.4f: amplitude %.3f %%, phase %.3f degrees\n", number, r, force,
                  response.ridge(r * phi_max).damping_ratio, 100 * worst.amplitude, worst.phase);
    }
  }
}

TEST(SteadyResponse, AgreesWithNewmarkOnOtherLaws) {
  const double phi = 2e-5;
  for (const AnyLaw& law : {AnyLaw(Iwan5<double>{2.0, 1e5, -0.4, 0.3, 0.8}), AnyLaw(Jenkins<double>{1e5, 2.0}),
                            AnyLaw(Valanis<double>{1e5, 1e5, 0.7, 1e3})}) {
    const JointedMode mode{1, 2.0, 5e5, law};
    const SteadyResponse response(mode);
    for (const double r : {0.2, 2.0}) {
      const double force = response.ridge(r * phi).force;
      const Worst worst = compare(mode, force);
      std::printf("%s, %g of the slip displacement: amplitude %.3f %%, phase %.3f degrees\n", law_name(law).c_str(), r,
                  100 * worst.amplitude, worst.phase);
    }
  }
}

}  // namespace
}  // namespace microslip
