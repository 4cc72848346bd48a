#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <microslip/modal/gmres.hpp>

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(int n) {
  std::mt19937 rng(20261118);
  std::normal_distribution<double> normal;
  MatrixXd A(n, n);
  for (double& a : A.reshaped()) a = normal(rng);
  return A;
}

GmresReport solve(const MatrixXd& A, const VectorXd& b, VectorXd& x, const GmresOptions& options) {
  return gmres([&](const VectorXd& v, VectorXd& out) { out = A * v; }, b, x, options);
}

TEST(Gmres, SolvesInAsManyStepsAsThereAreUnknowns) {
  const MatrixXd A = random_matrix(12);
  const VectorXd b = VectorXd::LinSpaced(12, -1, 2);
  VectorXd x;
  const GmresReport report = solve(A, b, x, {.most = 12, .tolerance = 1e-12});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.steps, 12);
  EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm());
}

TEST(Gmres, SaysThatItStoppedShortAndHowFar) {
  const MatrixXd A = random_matrix(12);
  const VectorXd b = VectorXd::LinSpaced(12, -1, 2);
  VectorXd x;
  const GmresReport report = solve(A, b, x, {.most = 4, .tolerance = 1e-12});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.steps, 4);
  EXPECT_NEAR((A * x - b).norm() / b.norm(), report.residual, 1e-12);  // the recurrence tells the truth
  EXPECT_LT(report.residual, 1);
}

TEST(Gmres, StaysInTheRangeOfASingularMatrix) {
  // Symmetric, so that range and null space are orthogonal: what b does not hold, x does not get.
  MatrixXd A = random_matrix(8);
  A = (A * A.transpose()).eval();
  const VectorXd idle = VectorXd::Ones(8).normalized();
  const MatrixXd P = MatrixXd::Identity(8, 8) - idle * idle.transpose();
  A = (P * A * P).eval();
  const VectorXd b = A * VectorXd::LinSpaced(8, 0, 1);
  VectorXd x;
  EXPECT_TRUE(solve(A, b, x, {.most = 8, .tolerance = 1e-12}).converged);
  EXPECT_LT((A * x - b).norm(), 1e-10 * b.norm());
  EXPECT_LT(std::abs(idle.dot(x)), 1e-9 * x.norm());
}

}  // namespace
}  // namespace microslip
