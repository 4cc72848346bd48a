// Deaner, Allen, Starr, Segalman and Sumali, Application of viscous and Iwan modal damping models to experimental
// measurements from bolted structures [Deaner2015], Table 6: optimised parameters of three modes at three torques.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <support/deaner.hpp>

#include <microslip/dynamics/simulation.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

using Column = test::DeanerColumn;
const auto& table_6 = test::deaner_table_6;

Mode mode_of(const Column& c) {
  return {
      .mass = 1,
      .linear_stiffness = c.linear_stiffness,
      .damping = c.damping,
      .joint = JointSpec{"iwan4",
                         {{"slip_force", c.slip_force}, {"stiffness", c.stiffness}, {"chi", c.chi}, {"beta", c.beta}},
                         false},
      .shape = {},
      .load_shape = 1};
}

/// Half a unit of the last of `digits` digits.
double half_unit(double x, int digits) { return 0.5 * std::pow(10.0, std::floor(std::log10(x)) - (digits - 1)); }

TEST(Deaner, Table6LowAmplitudeFrequencyAndDamping) {
  for (const Column& c : table_6) {
    const JointedMode mode = jointed_mode(mode_of(c), c.name);
    const double omega = mode.low_amplitude_omega(), stiffness = omega * omega;
    // Stiffnesses are printed with three digits, f_0 with one after the point.
    const double rounding = half_unit(c.stiffness, 3) + half_unit(c.linear_stiffness, 3);
    EXPECT_NEAR(omega / (2 * pi), c.frequency_hz, 0.5 * rounding / stiffness * c.frequency_hz + 0.05) << c.name;
    // C is printed with three digits or more, zeta with three after the point.
    const double zeta_percent = 100 * c.damping / (2 * omega);
    const double unsure = zeta_percent * (half_unit(c.damping, 3) / c.damping + 0.5 * rounding / stiffness) + 0.0005;
    if (c.misprinted())
      EXPECT_GT(std::abs(zeta_percent - c.damping_percent), unsure) << c.name;
    else
      EXPECT_NEAR(zeta_percent, c.damping_percent, unsure) << c.name;
  }
  // What is meant instead agrees.
  for (const Column& c : table_6)
    EXPECT_NEAR(100 * c.meant_damping / (2 * 2 * pi * c.frequency_hz), c.meant_damping_percent, 1e-3) << c.name;
}

/// The simulated ring-down of each mode ends at f_0 and zeta of the table: two routes to its last two rows.
TEST(Deaner, Table6ModesRingDownToTheirLowAmplitudeLimit) {
  for (const Column& c : table_6) {
    // A blow so weak that the joint adds less than 1e-3 to the damping.
    const ModalModel model{{mode_of(c)}, {}};
    const JointedMode mode = jointed_mode(model.modes[0], c.name);
    const double omega = mode.low_amplitude_omega(), period = 2 * pi / omega;
    const TimePlan plan = plan_time(40 * period, {.steps_per_period = 400, .step = {}}, period, {});
    const double tiny = 1e-9 * c.slip_force / c.stiffness;
    const Simulation run = simulate(model, {}, {{tiny, 0, 0}}, plan, {}, {});
    const std::size_t middle = run.time.size() / 2;
    EXPECT_NEAR(run.envelopes[0].frequency_hz[middle], omega / (2 * pi), 1e-4 * omega / (2 * pi)) << c.name;
    EXPECT_NEAR(run.envelopes[0].damping_ratio[middle], c.damping / (2 * omega), 0.01 * c.damping / (2 * omega))
        << c.name;
  }
}

/// Section 7: three modes at a torque, superposed; each keeps its own ledger.
TEST(Deaner, ThreeModesSuperposeAtEachTorque) {
  for (std::size_t torque = 0; torque < 3; ++torque) {
    ModalModel model;
    for (std::size_t m = 0; m < 3; ++m) {
      model.modes.push_back(mode_of(table_6[3 * m + torque]));
      model.modes.back().shape = Eigen::VectorXd::Constant(1, 0.8 + 0.1 * static_cast<double>(m));
    }
    const Excitation hit{Load(HalfSine{5, 2e-3}), false};
    const TimePlan plan = plan_time(0.5, {}, shortest_period(model), hit.load);
    const Simulation all = simulate(model, hit, {}, plan, {}, {});
    EXPECT_LT(std::abs(all.energy.imbalance()), 1e-3) << torque;
    std::vector<double> sum(all.time.size(), 0.0);
    for (const Mode& mode : model.modes) {
      const Simulation one = simulate(ModalModel{{mode}, {}}, hit, {}, plan, {}, {});
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += one.displacement[0][j];
    }
    for (std::size_t j = 0; j < sum.size(); j += 37) EXPECT_NEAR(all.displacement[0][j], sum[j], 1e-18);
  }
}

}  // namespace
}  // namespace microslip
