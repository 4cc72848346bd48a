#pragma once

#include <cmath>
#include <random>
#include <utility>

#include <Eigen/Core>

#include <microslip/modal/rqnma.hpp>

namespace microslip::test {

/// A small structure with two patches: a random chain of six coordinates whose last four are elsewhere than the joint,
/// full matrices, preload along both normals and some along x of the first patch.
inline JointedSystem two_patches(Contact contact = Contact::spring, bool floats = false) {
  constexpr int n = 10;
  std::mt19937 rng(20260402);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd B(n, n), C(n, n);
  for (double& x : B.reshaped()) x = normal(rng);
  for (double& x : C.reshaped()) x = normal(rng);
  System system;
  system.mass = Eigen::MatrixXd::Identity(n, n) + 0.05 * B * B.transpose();
  system.stiffness = 1e5 * (Eigen::MatrixXd::Identity(n, n) + 0.2 * C * C.transpose());
  Interface interface;
  interface.map = Eigen::MatrixXd::Zero(6, n);
  interface.map.leftCols(6).setIdentity();
  interface.map(0, 7) = 0.5;
  interface.map(4, 8) = -0.3;
  if (floats) {  // one motion that neither the structure nor the joint resists
    Eigen::VectorXd free = Eigen::VectorXd::Ones(n);
    free.head(6).setZero();
    free(7) = free(8) = 0;
    const Eigen::VectorXd Kf = system.stiffness * free;
    system.stiffness -= Kf * Kf.transpose() / free.dot(Kf);
    system.stiffness = 0.5 * (system.stiffness + system.stiffness.transpose()).eval();
  }
  interface.areas = Eigen::Vector2d(0.8, 1.3);
  interface.contact = contact;
  system.prestress = Eigen::VectorXd::Zero(n);
  system.prestress(2) = system.prestress(5) = 1;
  system.prestress(0) = 0.1;
  return {std::move(system), std::move(interface), "two patches"};
}

/// A joint on them that sticks: 2.04e5 N/m^3 in the plane, 3e5 across.
inline Joint stuck_joint() {
  return {Jenkins<double>{.stiffness = 2e5, .slip_force = 1e9, .post_slip_stiffness = 4e3}, 3e5, Tangential::separate,
          true};
}

/// The stiffness of every relative displacement.
inline Eigen::VectorXd springs(const Interface& interface, double kt, double kn) {
  Eigen::VectorXd k(interface.map.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = interface.areas(i / 3) * (i % 3 == 2 ? kn : kt);
  return k;
}

}  // namespace microslip::test
