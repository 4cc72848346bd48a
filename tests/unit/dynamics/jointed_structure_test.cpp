#include <cmath>
#include <numbers>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/jointed_structure.hpp>

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Iwan4<double> iwan{4e4, 2.5e5, -0.5, 1.0};
const Load pulse(HalfSine{1e4, 0.02});

/// Uncoupled modes seen in rotated coordinates: u = Q q with Q orthogonal, M = 1.
struct Rotated {
  ModalModel modal;
  JointedStructure structure;
};

Rotated rotated() {
  const Eigen::Index n = 4;
  std::srand(3);  // Eigen's Random
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(MatrixXd::Random(n, n)).householderQ();
  VectorXd k(n), c(n);
  k << 1.4e5, 2e5, 5e5, 9e5;
  c << 0.3, 1, 2, 3;
  const VectorXd load = Eigen::Vector4d(1, -0.5, 0.7, 0.2);
  Rotated result;
  for (Eigen::Index i = 0; i < n; ++i) {
    Mode mode{.mass = 1,
              .linear_stiffness = k(i),
              .damping = c(i),
              .joint = std::nullopt,
              .shape = Q.col(i),
              .load_shape = load(i)};
    if (i < 2)
      mode.joint = JointSpec{"iwan4", {{"slip_force", 4e4}, {"stiffness", 2.5e5}, {"chi", -0.5}, {"beta", 1.0}}, false};
    result.modal.modes.push_back(std::move(mode));
  }
  JointedStructure& s = result.structure;
  s.system.mass = MatrixXd::Identity(n, n);
  s.system.stiffness = Q * k.asDiagonal() * Q.transpose();
  s.system.damping = Q * c.asDiagonal() * Q.transpose();
  s.map = Q.transpose().topRows(2);
  s.joints = {{iwan, {0, 1}, {}}};
  s.load_row = Q * load;
  return result;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}

TEST(JointedStructure, EqualsItsModesWhereTheyAreUncoupled) {
  const Rotated both = rotated();
  const TimePlan plan = plan_time(0.2, {}, shortest_period(both.modal), pulse);
  const auto frequencies = low_amplitude_frequencies_hz(both.structure);
  EXPECT_NEAR(1 / frequencies.back(), shortest_period(both.modal), 1e-12);
  for (const double alpha : {0.0, -0.2}) {
    SimulationOptions options;
    options.newmark.hht_alpha = alpha;
    const Simulation modal = simulate(both.modal, {pulse, false}, {}, plan, {}, options);
    const Simulation full = simulate(both.structure, {pulse, false}, {}, plan, {}, options);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t j = 0; j < full.time.size(); j += 53)
        ASSERT_NEAR(full.displacement[r][j], modal.displacement[r][j], 1e-9 * largest(modal.displacement[r])) << alpha;
    EXPECT_NEAR(full.energy.work, modal.energy.work, 1e-9 * modal.energy.work);
    EXPECT_NEAR(full.energy.stored, modal.energy.stored, 1e-9 * modal.energy.work);
    EXPECT_NEAR(full.energy.dissipated, modal.energy.dissipated, 1e-9 * modal.energy.work);
    EXPECT_EQ(full.n_halved, 0);
  }
}

TEST(JointedStructure, MoreJointsThanCoordinatesTakeTheOtherRoute) {
  Rotated both = rotated();
  const TimePlan plan = plan_time(0.1, {}, shortest_period(both.modal), pulse);
  const Simulation few = simulate(both.structure, {pulse, false}, {}, plan, {}, {});
  JointedStructure& s = both.structure;
  s.map = s.map.replicate(3, 1).eval();
  s.joints = {{iwan, {0, 1}, {0.5, 0.5}}, {iwan, {2, 3, 4, 5}, {0.25, 0.25, 0.25, 0.25}}};
  const Simulation many = simulate(s, {pulse, false}, {}, plan, {}, {});
  for (std::size_t j = 0; j < few.time.size(); j += 41)
    ASSERT_NEAR(many.displacement[0][j], few.displacement[0][j], 1e-9 * largest(few.displacement[0]));
}

TEST(JointedStructure, EnergyBalancesToSecondOrderWithCoupledJoints) {
  Rotated both = rotated();
  JointedStructure& s = both.structure;
  s.map = MatrixXd::Random(5, 4);  // couples everything
  s.joints = {{iwan, {0, 1, 2}, {1, 0.5, 0.2}}, {Jenkins<double>{.stiffness = 1e5, .slip_force = 300}, {3}, {}}};
  s.normal = {{1e5, Contact::spring, {4}, {}}};
  const double period = 1 / low_amplitude_frequencies_hz(s).back();
  const auto imbalance = [&](double steps) {
    const TimePlan plan = plan_time(0.2, {.steps_per_period = steps, .step = {}}, period, pulse);
    return simulate(s, {pulse, false}, {}, plan, {}, {}).energy.imbalance();
  };
  const double coarse = imbalance(100), fine = imbalance(400);
  EXPECT_LT(std::abs(coarse), 2e-3);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 2.0, 0.3);  // the slider's corner scatters about second order
}

TEST(JointedStructure, RestsUnderPrestressAgainstAContactThatOpens) {
  JointedStructure s;
  s.system.mass = MatrixXd::Identity(2, 2);
  s.system.stiffness = MatrixXd::Zero(2, 2);  // floats: contact and joint hold it
  s.system.damping = 0.5 * MatrixXd::Identity(2, 2);
  s.map = MatrixXd::Identity(2, 2);
  s.joints = {{Iwan4<double>{100, 1e4, -0.5, 1.0}, {0}, {}}};
  s.normal = {{1e5, Contact::penalty, {1}, {}}};
  s.static_force = Eigen::Vector2d(20, 50);
  const TimePlan plan = plan_time(0.5, {}, 1 / low_amplitude_frequencies_hz(s).back(), {});
  const Simulation rest = simulate(s, {}, {}, plan, {}, {});
  EXPECT_NEAR(rest.displacement[1].front(), 50 / 1e5, 1e-15);
  EXPECT_NEAR(rest.displacement[0].back(), rest.displacement[0].front(), 1e-12);
  s.static_force = Eigen::Vector2d(101, 50);  // beyond the slip force
  EXPECT_THROW(simulate(s, {}, {}, plan, {}, {}), NotConverged);
  s.static_force = Eigen::Vector2d(20, -1);  // pulls the contact open
  EXPECT_THROW(simulate(s, {}, {}, plan, {}, {}), NotConverged);
}

TEST(JointedStructure, SaysWhenAStepCannotBeSolved) {
  const Rotated both = rotated();
  const TimePlan plan = plan_time(0.05, {}, shortest_period(both.modal), pulse);
  SimulationOptions impossible;
  impossible.newmark.max_iterations = 1;
  impossible.newmark.max_halvings = 3;
  impossible.newmark.tolerance = 1e-300;
  EXPECT_THROW(simulate(both.structure, {pulse, false}, {}, plan, {}, impossible), NotConverged);
}

TEST(JointedStructure, RefusesPartsThatDoNotFit) {
  const Rotated both = rotated();
  const TimePlan plan{0.1, 1000};
  const auto refused = [&](const auto& change) {
    JointedStructure s = both.structure;
    change(s);
    EXPECT_THROW(simulate(s, {pulse, false}, {}, plan, {}, {}), InvalidInput);
  };
  refused([](JointedStructure& s) { s.system.mass(0, 0) = -1; });
  refused([](JointedStructure& s) { s.map = MatrixXd::Zero(2, 3); });
  refused([](JointedStructure& s) { s.joints[0].rows = {2}; });
  refused([](JointedStructure& s) { s.joints[0].areas = {1}; });
  refused([](JointedStructure& s) { s.load_row = VectorXd::Zero(3); });
  refused([](JointedStructure& s) { s.load_row = {}; });
  refused([](JointedStructure& s) { s.static_force = VectorXd::Constant(4, std::nan("")); });
  EXPECT_THROW(simulate(both.structure, {}, {VectorXd::Zero(3), {}}, plan, {}, {}), InvalidInput);
  SimulationOptions averaging;
  averaging.method = Method::averaging;
  EXPECT_THROW(simulate(both.structure, {}, {}, plan, {}, averaging), InvalidInput);
}

}  // namespace
}  // namespace microslip
