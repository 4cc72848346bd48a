#include <cmath>

#include <gtest/gtest.h>
#include <verification/dynamics/paper_case.hpp>

#include <microslip/dynamics/averaging.hpp>

namespace microslip {
namespace {

struct Worst {
  double frequency = 0, damping = 0;
};

/// Largest relative differences between a simulated ring-down and an amplitude law over `decades` of amplitude.
Worst compare(const Envelope& simulated, const AmplitudeLaw& law, double decades) {
  Worst worst;
  for (std::size_t i = 0; i < simulated.time.size(); ++i) {
    if (simulated.amplitude[i] < simulated.amplitude[0] * std::pow(10, -decades)) return worst;
    const AtAmplitude at = law(simulated.amplitude[i]);
    worst.frequency = std::max(worst.frequency, std::abs(at.omega / (2 * M_PI) / simulated.frequency_hz[i] - 1));
    worst.damping = std::max(worst.damping, std::abs(at.decay / at.omega / simulated.damping_ratio[i] - 1));
  }
  ADD_FAILURE() << "the simulation does not span " << decades << " decades";
  return worst;
}

TEST(Averaging, AgreesWithNewmarkOnThePaperCase) {
  // Forces with energy ratio up to 1. Newmark at 200 steps per period lengthens a period by (omega dt)^2/12 = 8e-5:
  // that is most of the difference in frequency.
  for (const auto& [mass, force] : {std::pair{1.0, 1e3}, {1.0, 1.03e4}, {98.85, 1e4}, {98.85, 1e5}}) {
    ASSERT_LE(test::energy_ratio(mass, force), 1.0);
    const Envelope newmark = test::run_paper(mass, force, mass > 10 ? 120 : 15, 200).extrema;
    const Worst exact = compare(newmark, AmplitudeLaw(test::paper_mode(mass), Properties::exact), 2);
    const Worst paper = compare(newmark, AmplitudeLaw(test::paper_mode(mass), Properties::paper), 2);
    RecordProperty("frequency", std::to_string(exact.frequency));
    EXPECT_LT(exact.frequency, 4e-4) << mass << " kg, " << force << " N";
    EXPECT_LT(exact.damping, 0.01) << mass << " kg, " << force << " N";
    EXPECT_LT(exact.damping, paper.damping);
    EXPECT_LT(paper.damping, 0.2);
  }
}

TEST(Averaging, DifferenceFromNewmarkFallsWithTheStep) {
  // Four times the steps: what Newmark's period error leaves is the higher-order part of averaging alone.
  const AmplitudeLaw law(test::paper_mode(1.0), Properties::exact);
  const Worst coarse = compare(test::run_paper(1.0, 1e3, 15, 200).extrema, law, 2);
  const Worst fine = compare(test::run_paper(1.0, 1e3, 15, 800).extrema, law, 2);
  EXPECT_NEAR(coarse.frequency / fine.frequency, 16, 1);
  EXPECT_LT(fine.damping, 1e-4);
}

/// Through macro-slip and for laws of every kind the decay by averaging follows Newmark's.
TEST(Averaging, EveryLawRingsDownAsNewmarkSays) {
  const std::vector<AnyLaw> laws{
      Iwan4<double>{4e4, 2.5e5, 0.3, 0.2},
      Iwan4<double>{40, 2.5e5, -0.5, 1.0},
      Jenkins<double>{.stiffness = 4e4, .slip_force = 400},
      JenkinsPrager<double>{.stiffness = 4e4, .slip_force = 400, .post_slip_stiffness = 2e4},
      BoucWen1<double>{.stiffness = 1e5, .alpha = 20, .beta = 5},
      BoucWen2<double>{.stiffness = 1e5, .alpha = 0.01, .beta = 0.002},
      Valanis<double>{.stiffness = 1e5, .lambda = 20, .kappa = 0.4, .post_slip_stiffness = 2e4}};
  for (const AnyLaw& law : laws) {
    const JointedMode mode{1.0, 1.0, 1.4e5, law};
    const TimePlan plan =
        plan_time(3.0, {.steps_per_period = 400, .step = {}}, 2 * M_PI / mode.low_amplitude_omega(), {});
    const ModeStart start{0.02, 0, 0};
    const ModeRun newmark = run_mode(mode, {}, 1, start, plan, {}, {});
    const AmplitudeLaw at(mode, Properties::exact);
    // First-order averaging leaves an error of the order of what changes in a cycle: the damping ratio.
    const std::size_t first = 6;
    const double from = newmark.extrema.time[first], small = newmark.extrema.damping_ratio[first];
    EXPECT_LT(small, 0.1);
    const FreeDecay decay(at, from, 3.0, {newmark.extrema.amplitude[first], 0});
    for (std::size_t i = first; i < newmark.extrema.time.size(); i += 10)
      EXPECT_NEAR(decay.amplitude_and_phase_at(newmark.extrema.time[i]).amplitude / newmark.extrema.amplitude[i], 1,
                  small)
          << law_name(law) << " at " << newmark.extrema.time[i] << " s";
  }
}

TEST(Hybrid, HandsOverAmplitudePhaseAndOffset) {
  // After the hand-over the motion must be the one that Newmark would have gone on to compute: the phase drifts only
  // by Newmark's own period error, (omega dt)^2/24 per radian.
  SimulationOptions hybrid;
  hybrid.method = Method::hybrid;
  for (const auto& [mass, force] : {std::pair{1.0, 1e4}, {98.85, 1e4}}) {
    const double end = mass > 10 ? 4 : 0.4, steps = 1600;
    const ModeRun stepped = test::run_paper(mass, force, end, steps);
    const ModeRun handed = test::run_paper(mass, force, end, steps, hybrid);
    ASSERT_TRUE(handed.hand_over);
    EXPECT_LT(handed.n_steps, stepped.n_steps / 10);
    double worst = 0;
    for (std::size_t j = 0; j < stepped.displacement.size(); ++j)
      worst = std::max(worst, std::abs(handed.displacement[j] - stepped.displacement[j]));
    EXPECT_LT(worst, 0.02 * handed.hand_over->amplitude) << mass;
    EXPECT_NEAR(handed.energy.imbalance(), 0, 1e-4);
    EXPECT_NEAR(handed.energy.dissipated, stepped.energy.dissipated, 0.01 * stepped.energy.dissipated);
  }
}

TEST(Hybrid, IsExactForALinearMode) {
  const JointedMode mode{1.0, 0.4, 900, std::nullopt};
  const Load load(Haversine{10, 0.05});
  const TimePlan plan = plan_time(5, {.steps_per_period = 2000, .step = {}}, 2 * M_PI / 30, load);
  SimulationOptions hybrid;
  hybrid.method = Method::hybrid;
  const ModeRun stepped = run_mode(mode, load, 1, {}, plan, {}, {}),
                handed = run_mode(mode, load, 1, {}, plan, {}, hybrid);
  const double phase_error = 30 * 5 * std::pow(2 * M_PI / 2000, 2) / 24;  // Newmark's, over the whole run
  for (std::size_t j = 0; j < stepped.displacement.size(); j += 100)
    EXPECT_NEAR(handed.displacement[j], stepped.displacement[j], 3 * phase_error * 0.01);
}

}  // namespace
}  // namespace microslip
