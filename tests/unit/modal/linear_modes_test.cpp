#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include "two_patches.hpp"

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The first modes on the springs of a joint that sticks, against dense algebra on the full matrices.
void expect_modes_of_the_full_matrices(const JointedSystem& system, int n_rigid) {
  ASSERT_EQ(system.n_rigid(), n_rigid);
  const MatrixXd& map = system.interface().map;
  const MatrixXd K =
      system.system().stiffness + map.transpose() * test::springs(system.interface(), 2.04e5, 3e5).asDiagonal() * map;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> exact(K, system.system().mass);
  const LinearModes modes = linear_modes(system, test::stuck_joint(), 3);
  for (int i = 0; i < 3; ++i) {
    const double hz = std::sqrt(exact.eigenvalues()(i + n_rigid)) / (2 * std::numbers::pi);
    EXPECT_NEAR(modes.frequencies_hz(i), hz, 1e-10 * hz) << "mode " << i + 1;
    const VectorXd phi = exact.eigenvectors().col(i + n_rigid);
    EXPECT_NEAR(std::abs(phi.dot(system.system().mass * modes.shapes.col(i))), 1, 1e-9);
  }
}

/// A free chain of masses, three coordinates a place: `n_joint` places are bridged to the next by the joint.
JointedSystem floating_chain(int n_places, int n_joint) {
  const Eigen::Index n = 3 * n_places;
  System system;
  system.mass = VectorXd::LinSpaced(n, 1.0, 1.5).asDiagonal();
  system.stiffness = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i + 3 < n; ++i) {
    const double k = 1e5 * (1 + 0.1 * static_cast<double>(i % 7));
    system.stiffness(i, i) += k;
    system.stiffness(i + 3, i + 3) += k;
    system.stiffness(i, i + 3) = system.stiffness(i + 3, i) = -k;
  }
  Interface interface;
  interface.map = MatrixXd::Zero(3 * n_joint, n);
  for (Eigen::Index i = 0; i < 3 * n_joint; ++i) {
    interface.map(i, i) = -1;
    interface.map(i, i + 3) = 1;
  }
  interface.areas = VectorXd::Ones(n_joint);
  return {std::move(system), std::move(interface), "floating chain"};
}

TEST(LinearModes, AreThoseOfTheFullMatrices) {
  expect_modes_of_the_full_matrices(test::two_patches(), 0);
  expect_modes_of_the_full_matrices(test::two_patches(Contact::spring, true), 1);
}

TEST(LinearModes, OfALargeFloatingStructureAreFoundBySubspaceIteration) {
  // 32 points are 96 unknowns, past the dense solver; the three translations have no stiffness at all.
  expect_modes_of_the_full_matrices(floating_chain(40, 32), 3);
}

TEST(LinearModes, OfPenaltyContactNeedAPreload) {
  const JointedSystem system = test::two_patches(Contact::penalty);
  EXPECT_NE(test::message_of<InvalidInput>([&] {
              (void)linear_modes(system, test::stuck_joint(), 3);
            }).find("needs a preload"),
            std::string::npos);
  EXPECT_GT(linear_modes(system, test::stuck_joint(), 3, {.preload = 300}).frequencies_hz(0), 0);
}

}  // namespace
}  // namespace microslip
