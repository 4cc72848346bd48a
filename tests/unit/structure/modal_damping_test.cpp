#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <microslip/structure/modal_damping.hpp>

namespace microslip {
namespace {

TEST(ModalDamping, GivesEveryModeItsRatioAndRigidMotionNone) {
  // Two equal masses on a spring, free: omega = 0 and sqrt(2 k/m), shapes (1, 1) and (1, -1).
  const double m = 2, k = 900, ratio = 0.03;
  const Eigen::Matrix2d mass = m * Eigen::Matrix2d::Identity();
  Eigen::Matrix2d stiffness;
  stiffness << k, -k, -k, k;
  const Eigen::MatrixXd C = modal_damping(mass, stiffness, ratio);
  const double c = ratio * std::sqrt(2 * k / m) * m;  // C (1, -1) = 2 ratio omega m (1, -1)
  // The rigid motion's eigenvalue is zero to the rounding of the other, eps 2k/m: its root is sqrt(eps) of omega.
  const double rounding = 4 * std::sqrt(std::numeric_limits<double>::epsilon()) * c;
  EXPECT_NEAR(C(0, 0), c, rounding);
  EXPECT_NEAR(C(0, 1), -c, rounding);
  EXPECT_NEAR((C * Eigen::Vector2d(1, 1)).norm(), 0, 2 * rounding);
}

TEST(ModalDamping, IsDiagonalInTheModesOfUnequalMasses) {
  // Against the modes in closed form: M = diag(1, 4), K = (6 -4; -4 16) has lambda from lambda^2 - 10 lambda + 20 = 0.
  Eigen::Matrix2d mass, stiffness;
  mass << 1, 0, 0, 4;
  stiffness << 6, -4, -4, 16;
  const double ratio = 0.01;
  const Eigen::MatrixXd C = modal_damping(mass, stiffness, ratio);
  EXPECT_NEAR(C(0, 1), C(1, 0), 1e-15);
  for (const double sign : {-1.0, 1.0}) {
    const double lambda = 5 + sign * std::sqrt(5.0);
    const Eigen::Vector2d shape(4, 6 - lambda);  // the first row of K - lambda M
    // Both are 0.2 of the shape at most: some tens of roundings.
    EXPECT_NEAR((C * shape - 2 * ratio * std::sqrt(lambda) * mass * shape).norm(), 0, 1e-14 * shape.norm());
  }
}

}  // namespace
}  // namespace microslip
