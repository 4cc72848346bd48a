#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/averaging.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/joints/describing_function.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

JointedMode iwan_mode() { return {1.0, 0.1249, 1.4e5, AnyLaw(Iwan4<double>{4e4, 2.5e5, -0.5, 1.0})}; }

TEST(AmplitudeLaw, Iwan4FollowsTheDescribingFunctionAndTheEnergy) {
  const JointedMode mode = iwan_mode();
  const auto& law = std::get<Iwan4<double>>(*mode.joint);
  const AmplitudeLaw at(mode, Properties::exact);
  for (const double a : {1e-6, 1e-3, 0.1, 0.239, 0.3, 2.0}) {
    const double K = describing_function(law, a, Framework::masing).stiffness;
    EXPECT_NEAR(at(a).omega, std::sqrt(1.4e5 + K), 1e-12 * at(a).omega) << a;
    // decay A E'(A) = D omega/2 pi, with E' by central differences of the stored energy
    const double h = 1e-4 * a, slope = (at.energy(a + h) - at.energy(a - h)) / (2 * h);
    const double D = loop_dissipation(law, a, Framework::masing) + pi * mode.damping * at(a).omega * a * a;
    EXPECT_NEAR(at(a).decay * a * slope, D * at(a).omega / (2 * pi), 1e-6 * D * at(a).omega) << a;
  }
  EXPECT_DOUBLE_EQ(at(0).omega, std::sqrt(3.9e5));
  EXPECT_DOUBLE_EQ(at(0).decay, 0.5 * 0.1249);
}

TEST(AmplitudeLaw, LawsThatShakeDownUseTheirSteadyLoop) {
  const BoucWen1<double> law{.stiffness = 2.5e5, .alpha = 8, .beta = 2};
  const AmplitudeLaw at({1.0, 0.0, 1.4e5, AnyLaw(law)}, Properties::exact);
  const double a = 0.05, h = 1e-5, slope = (at.energy(a + h) - at.energy(a - h)) / (2 * h);
  const double D = loop_dissipation(law, a, Framework::reversal);
  EXPECT_NEAR(at(a).decay * a * slope, D * at(a).omega / (2 * pi), 1e-6 * D * at(a).omega);
}

TEST(AmplitudeLaw, PaperFormulasAreThoseOfThePaper) {
  const AmplitudeLaw paper(iwan_mode(), Properties::paper);
  const double a = 0.06, r = a / 0.24;                          // phi_max = 0.24
  const double K = 2.5e5 * (1 - std::pow(r, 0.5) / (1.5 * 2));  // Eq. 4
  EXPECT_NEAR(paper(a).omega, std::sqrt(1.4e5 + K), 1e-9 * paper(a).omega);
  const AmplitudeLaw jointless({1.0, 0.1, 1.0, std::nullopt}, Properties::exact);
  EXPECT_THROW(AmplitudeLaw({1.0, 0.1, 1.0, std::nullopt}, Properties::paper), InvalidInput);
  EXPECT_THROW(AmplitudeLaw({1.0, 0.1, 1.0, AnyLaw(Jenkins<double>{1, 1})}, Properties::paper), InvalidInput);
}

TEST(Averaging, AmplitudeAndPhaseReproduceTheMotion) {
  const AmplitudeLaw law(iwan_mode(), Properties::exact);
  for (const auto& [u, v] : {std::pair{0.01, 0.0}, {0.0, -3.0}, {-0.02, 5.0}, {0.1, 30.0}}) {
    const AmplitudePhase start = amplitude_and_phase(law, u, v);
    const FreeDecay decay(law, 0, 1, start);
    EXPECT_NEAR(decay.at(0).displacement, u, 1e-12);
    EXPECT_NEAR(decay.at(0).velocity, v, 1e-6 * (std::abs(v) + 1));
  }
  const AmplitudePhase top = amplitude_and_phase_at_extremum(law, -0.03);
  const FreeDecay decay(law, 0, 1, top);
  EXPECT_NEAR(decay.at(0).displacement, -0.03, 1e-12);
  EXPECT_NEAR(decay.at(0).velocity, 0, 1e-6);
}

TEST(Averaging, EveryMotionNearTheCornerOfMacroSlipHasAnAmplitude) {
  // The decay jumps there: an amplitude agrees with its own properties, or none does and it is the corner's.
  const AmplitudeLaw law(iwan_mode(), Properties::exact);
  const double corner = 0.24, omega = law(corner).omega;
  EXPECT_DOUBLE_EQ(law.corner(), corner);
  ASSERT_GT(law(corner * 1.001).decay, 1.8 * law(corner).decay);
  int on_corner = 0, off_corner = 0;
  for (double size = 0.9; size < 1.1; size += 0.002)
    for (int i = 0; i < 48; ++i) {
      const double angle = 2 * pi * i / 48, u = size * corner * std::cos(angle),
                   v = -size * corner * omega * std::sin(angle);
      const double a = amplitude_and_phase(law, u, v).amplitude;
      const double own = std::hypot(u, (v + law(a).decay * u) / damped_omega(law(a)));
      if (std::abs(own - a) <= 1e-12 * a) {
        ++off_corner;
      } else {
        EXPECT_NEAR(a, corner, 1e-12 * corner) << size << ", " << i;
        ++on_corner;
      }
    }
  EXPECT_GT(on_corner, 100);
  EXPECT_GT(off_corner, 4000);
}

TEST(Averaging, IsExactForALinearMode) {
  const double m = 2, k = 800, c = 0.5, x_0 = 0.1, v_0 = -1;
  const JointedMode mode{m, c, k, std::nullopt};
  const AmplitudeLaw law(mode, Properties::exact);
  const FreeDecay decay(law, 0, 30, amplitude_and_phase(law, x_0, v_0));
  const double alpha = c / (2 * m), omega = std::sqrt(k / m - alpha * alpha);
  for (const double t : {0.3, 5.0, 29.9}) {
    const double exact =
        std::exp(-alpha * t) * (x_0 * std::cos(omega * t) + (v_0 + alpha * x_0) / omega * std::sin(omega * t));
    EXPECT_NEAR(decay.at(t).displacement, exact, 1e-9);
  }
}

TEST(Averaging, LosesInTheJointWhatThePeaksLose) {
  // Loss and amplitude are integrated side by side, to 1e-8 and 2e-10 of the energy per step.
  const JointedMode iwan = iwan_mode();
  JointedMode bouc_wen = iwan;
  bouc_wen.joint = BoucWen1<double>{.stiffness = 2.5e5, .alpha = 8, .beta = 2};
  JointedMode linear = iwan;
  linear.joint = {};
  for (const JointedMode& mode : {iwan, bouc_wen, linear}) {
    const AmplitudeLaw law(mode, Properties::exact);
    const FreeDecay decay(law, 0, 5, {0.06, 0});
    const double energy = law.energy(0.06);
    for (const double t : {0.1, 1.0, 5.0}) {
      const double fallen = energy - law.energy(decay.amplitude_and_phase_at(t).amplitude);
      EXPECT_GT(fallen, 0.01 * energy);
      EXPECT_NEAR(decay.dissipated(t), fallen, 1.02e-8 * static_cast<double>(decay.n_steps()) * energy) << t;
      EXPECT_NE(decay.dissipated(t), fallen) << t;  // two integrals, not one and its remainder
    }
  }
}

TEST(Averaging, TheLedgerShowsWhatThePapersDampingMisses) {
  // With zeta = D/(2 pi m omega^2 A^2) the peaks' energy falls by D times tangent over secant: 6 % too slowly at 0.06.
  JointedMode mode = iwan_mode();
  mode.damping = 0;
  SimulationOptions options{.method = Method::averaging, .properties = Properties::exact};
  const TimePlan plan{2, 10'000};
  const ModeRun exact = run_mode(mode, Load{}, 1, {0.06, 0, 0}, plan, {}, options);
  options.properties = Properties::paper;
  const ModeRun paper = run_mode(mode, Load{}, 1, {0.06, 0, 0}, plan, {}, options);
  EXPECT_NE(exact.energy.imbalance(), 0);
  EXPECT_NEAR(exact.energy.imbalance(), 0, 1.02e-8 * static_cast<double>(exact.n_steps));
  const double p = std::sqrt(0.06 / 0.24) / 2, tangent = 1.4e5 + 2.5e5 * (1 - p),
               secant = 1.4e5 + 2.5e5 * (1 - p / 1.5);
  EXPECT_LT(paper.energy.imbalance(), -0.2 * (secant / tangent - 1));
  EXPECT_GT(paper.energy.imbalance(), -(secant / tangent - 1));
}

TEST(Averaging, ForcedPhaseOfALinearModeIsItsExactResponse) {
  const double m = 2, k = 800, c = 0.5, F = 10, T = 0.2, p = pi / T;
  const AmplitudeLaw law({m, c, k, std::nullopt}, Properties::exact);
  const ForcedAveraging forced(law, Load(HalfSine{F, T}), 1, 0, T, 0, 0);
  // particular solution X sin(pt) + Y cos(pt), plus the free motion that cancels it at t = 0
  const double d = k - m * p * p, X = F * d / (d * d + c * c * p * p), Y = -F * c * p / (d * d + c * c * p * p);
  const double alpha = c / (2 * m), omega = std::sqrt(k / m - alpha * alpha);
  const double a = -Y, b = (-X * p + alpha * a) / omega;
  for (const double t : {0.03, 0.1, T}) {
    const double exact = X * std::sin(p * t) + Y * std::cos(p * t) +
                         std::exp(-alpha * t) * (a * std::cos(omega * t) + b * std::sin(omega * t));
    EXPECT_NEAR(forced.at(t).displacement, exact, 1e-9 * F / k) << t;
  }
}

TEST(Averaging, ALateLoadDoesWhatItDoesAtOnce) {
  // From rest nothing tells the time but its rounding, 4e-15 s of the 1e-4 s between kinks; the steps may err by 1e-10
  // each.
  const AmplitudeLaw law(iwan_mode(), Properties::exact);
  const SampledLoad table{{0, 5e-4, 1e-3}, {0, 1e3, 0}};
  for (const Load::Kind& kind : {Load::Kind(HalfSine{1e3, 1e-3}), Load::Kind(Haversine{1e3, 1e-3}), Load::Kind(table),
                                 Load::Kind(Sine{1e3, 2000, 0, 2e-3}), Load::Kind(noise(1e3, 1e4, 2e-3, 1))}) {
    const Load now(kind);
    const ForcedAveraging at_once(law, now, 1, 0, now.end(), 0, 0);
    const auto size = amplitude_and_phase(law, at_once.end().displacement, at_once.end().velocity).amplitude;
    EXPECT_GT(size, 1e-5);
    for (const double start : {1.0, 20.0}) {
      const Load later(kind, start);
      const ForcedAveraging late(law, later, 1, 0, later.end(), 0, 0);
      EXPECT_NEAR(late.end().displacement, at_once.end().displacement, 1e-8 * size) << kind.index() << ", " << start;
      EXPECT_NEAR(late.end().velocity, at_once.end().velocity, 1e-8 * size * 620) << kind.index() << ", " << start;
    }
  }
}

TEST(Averaging, ATableWithSilenceBeforeAHitIsNoTrouble) {
  // A hit of a millisecond at 1 s in a record of 3 s at 10 kHz.
  SampledLoad record;
  for (int i = 0; i <= 30'000; ++i) {
    record.time.push_back(i * 1e-4);
    record.value.push_back(i > 10'000 && i < 10'010 ? 1e3 * std::sin(pi * (i - 10'000) / 10) : 0);
  }
  const auto amplitude = [&](Method method) {
    SimulationOptions options;
    options.method = method;
    const ModeRun run = run_mode(iwan_mode(), Load(record), 1, {}, {4, 160'000}, {}, options);
    return run.series.amplitude[140'000];  // at 3.5 s
  };
  EXPECT_NEAR(amplitude(Method::averaging) / amplitude(Method::newmark), 1, 0.01);
}

TEST(Averaging, StepsThatLeadNowhereEnd) {
  std::size_t kept = 0;
  const auto decay = [](double /*t*/, const std::array<double, 1>& y) { return std::array<double, 1>{-y[0]}; };
  const auto keep = [&](const DenseStep<1>& /*step*/) { ++kept; };
  EXPECT_THROW(runge_kutta<1>(decay, 0, 1, {1}, {1e-40}, 0.1, 1, 1000, keep), NotConverged);
  EXPECT_LE(kept, 1000U);
}

TEST(Averaging, RefusesAnOverdampedMode) {
  const AmplitudeLaw law({1.0, 100.0, 10.0, std::nullopt}, Properties::exact);
  EXPECT_THROW(FreeDecay(law, 0, 1, {1, 0}), InvalidInput);
}

}  // namespace
}  // namespace microslip
