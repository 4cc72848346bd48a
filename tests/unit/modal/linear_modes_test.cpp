#include <array>
#include <cmath>
#include <numbers>
#include <vector>

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

/// A steel beam of `n_elements` Euler-Bernoulli elements whose root's deflection and rotation the joint holds, with a
/// coordinate of no interest for the third direction. It hangs on a frame (joint: root against frame) where it floats.
constexpr double beam_length = 1.0, beam_mass = 7800 * 0.03 * 0.01, beam_stiffness = 2.1e11 * 0.03 * 1e-6 / 12;
JointedSystem beam(int n_elements, bool floats, double tip_stiffness = 0, int digits = 16) {
  const Eigen::Index tip = 2 * n_elements, n = tip + 3 + (floats ? 2 : 0);
  const double l = beam_length / n_elements;
  Eigen::Matrix4d K, M;
  K << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l, 2 * l * l, -6 * l,
      4 * l * l;
  M << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l, -13 * l, -3 * l * l,
      -22 * l, 4 * l * l;
  System system;
  system.mass = system.stiffness = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < tip; i += 2) {
    system.stiffness.block<4, 4>(i, i) += beam_stiffness / (l * l * l) * K;
    system.mass.block<4, 4>(i, i) += beam_mass * l / 420 * M;
  }
  system.stiffness(tip, tip) += tip_stiffness;
  for (double& k : system.stiffness.reshaped()) k = std::stod(fmt::format("{:.{}e}", k, digits));
  system.mass(tip + 2, tip + 2) = 1;
  system.stiffness(tip + 2, tip + 2) = 1e9;
  Interface interface;
  interface.map = MatrixXd::Zero(3, n);
  interface.map(0, 1) = interface.map(1, tip + 2) = interface.map(2, 0) = 1;
  if (floats) {
    system.mass(tip + 3, tip + 3) = system.mass(tip + 4, tip + 4) = 1;
    interface.map(0, tip + 4) = interface.map(2, tip + 3) = -1;
  }
  interface.areas = VectorXd::Ones(1);
  return {std::move(system), std::move(interface), "beam"};
}

Joint stiff_joint() {
  return {Jenkins<double>{.stiffness = 1e9, .slip_force = 1e12}, 1e12, Tangential::separate, false};
}

TEST(JointedSystem, TellsSlowModesOfAFineMeshFromRigidMotions) {
  // The elements' own frequencies rise with the fourth power of their number: 1e12 times the square of the first here.
  const double exact_hz = std::pow(1.8751041, 2) / (2 * std::numbers::pi * beam_length * beam_length) *
                          std::sqrt(beam_stiffness / beam_mass);
  for (const int n_elements : {20, 80, 150, 300}) {
    const JointedSystem clamped = beam(n_elements, false);
    EXPECT_EQ(clamped.n_rigid(), 0) << n_elements;
    // The joint's springs, 1e9 N m and 1e12 N/m, give way by 1e-6 of what the beam does. The matrices themselves fix
    // the frequency to eps n^4 only: 2e-6 of it at 300 elements.
    EXPECT_NEAR(linear_modes(clamped, stiff_joint(), 1).frequencies_hz(0), exact_hz, 1e-5 * exact_hz) << n_elements;
    const JointedSystem floating = beam(n_elements, true);
    EXPECT_EQ(floating.n_rigid(), 2) << n_elements;
    EXPECT_GT(linear_modes(floating, stiff_joint(), 1).frequencies_hz(0), exact_hz) << n_elements;
  }
}

TEST(JointedSystem, KnowsRigidMotionsOfAStiffnessOfTenDigits) {  // as files and reductions have
  for (const int n_elements : {2, 3, 4, 5, 6}) EXPECT_EQ(beam(n_elements, true, 0, 9).n_rigid(), 2) << n_elements;
}

TEST(JointedSystem, KnowsRigidMotionsInModalCoordinates) {  // what an eigensolver leaves of zero, of either sign
  constexpr Eigen::Index n_modes = 16;
  for (const double rigid : {0.0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-5, -1e-5, 1e-4, -1e-4}) {
    System system;
    system.mass = MatrixXd::Identity(n_modes, n_modes);
    system.stiffness = MatrixXd::Zero(n_modes, n_modes);
    Interface interface;
    interface.map = MatrixXd::Zero(3, n_modes);
    for (Eigen::Index i = 0; i < n_modes; ++i) {
      const auto x = static_cast<double>(i);
      system.stiffness(i, i) = i < 6 ? rigid * (1 + 0.5 * x) : 1e6 * std::pow(1.7, x - 6);
      for (Eigen::Index j = 0; j < 3 && i >= 6; ++j) interface.map(j, i) = std::cos(static_cast<double>(j + 1) * x);
    }
    interface.areas = VectorXd::Ones(1);
    EXPECT_EQ(JointedSystem(std::move(system), std::move(interface), "modes").n_rigid(), 6) << rigid;
  }
}

/// Bodies in a row, each free in x, y and z, springs between neighbours; the joint, beside the first spring, tells the
/// stretch of it. Without `floats` it lies between the first body and the ground.
JointedSystem row_of_bodies(const std::vector<double>& masses, const std::vector<double>& springs, bool floats) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  System system;
  system.mass = system.stiffness = MatrixXd::Zero(3 * n, 3 * n);
  Interface interface;
  interface.map = MatrixXd::Zero(3, 3 * n);
  for (Eigen::Index d = 0; d < 3; ++d) {
    for (Eigen::Index b = 0; b < n; ++b) system.mass(3 * b + d, 3 * b + d) = masses[static_cast<std::size_t>(b)];
    for (Eigen::Index b = 0; b + 1 < n; ++b) {
      const double k = springs[static_cast<std::size_t>(b)] * (1 + 0.1 * static_cast<double>(d));
      const std::array<Eigen::Index, 2> at{3 * b + d, 3 * (b + 1) + d};
      system.stiffness(at, at) += k * Eigen::Matrix2d{{1, -1}, {-1, 1}};
    }
    interface.map(d, d) = 1;
    if (floats) interface.map(d, 3 + d) = -1;
  }
  interface.areas = VectorXd::Ones(1);
  return {std::move(system), std::move(interface), "bodies"};
}

TEST(JointedSystem, KnowsThatAllIsRigidWithTheJointHeld) {  // no elastic mode tells what is large
  for (const double k : {1.0, 1e6 / 3, 1e11 / 7}) EXPECT_EQ(row_of_bodies({0.3, 0.7}, {k}, true).n_rigid(), 3) << k;
}

TEST(JointedSystem, TakesNoSoftModeForRigidBesideALightJoint) {
  for (const double light : {1.0, 1e-6, 1e-9})
    for (const double stiff : {1e8, 1e10}) {
      const JointedSystem system = row_of_bodies({light, 1, 1}, {stiff, 1e4}, false);
      EXPECT_EQ(system.n_rigid(), 0) << light << " " << stiff;
    }
  // The joint's 1e9 N/m behind 1e8, 1 kg, 1e4, 1 kg: the joint's own mass does not matter.
  const double k = 1e4, held = 1 / (1e-9 + 1e-8), b = held + 2 * k;
  const double exact_hz = std::sqrt(2 * held * k / (b + std::sqrt(b * b - 4 * held * k))) / (2 * std::numbers::pi);
  for (const double light : {1e-6, 1e-9}) {
    const JointedSystem bodies = row_of_bodies({light, 1, 1}, {1e8, k}, false);
    EXPECT_NEAR(linear_modes(bodies, stiff_joint(), 1).frequencies_hz(0), exact_hz, 1e-7 * exact_hz) << light;
  }
}

TEST(JointedSystem, RefusesANegativeStiffness) {
  for (const int n_elements : {20, 150})
    EXPECT_NE(test::message_of<InvalidInput>([&] {
                (void)beam(n_elements, false, -5e3);
              }).find("beam: the stiffness is negative: with the joint held, a motion has omega^2 = -"),
              std::string::npos);
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
