#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/eigenpairs.hpp>
#include <microslip/structure/sparse_factor.hpp>

namespace microslip {
namespace {

using test::refusal;

Eigen::MatrixXd random_symmetric(int n) {
  std::mt19937 rng(7);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd a(n, n);
  for (double& x : a.reshaped()) x = normal(rng);
  return a + a.transpose();
}

TEST(SparseFactor, SolvesAndCountsNegativeEigenvaluesOfIndefiniteMatrices) {
  const Eigen::MatrixXd a = random_symmetric(40);
  const SparseFactor factor(a.sparseView(), "a");
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(40, 3), x = factor.solve(b);
  EXPECT_LT((a * x - b).norm(), 1e-12 * a.norm() * x.norm());
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues();
  EXPECT_EQ(factor.n_negative(), (values.array() < 0).count());
}

TEST(SparseFactor, RefusesSingularMatricesAndWrongSides) {
  Eigen::MatrixXd a = random_symmetric(5);
  a.row(2).setZero();
  a.col(2).setZero();
  EXPECT_NE(refusal([&] { SparseFactor(a.sparseView(), "stiffness"); }).find("stiffness is singular"),
            std::string::npos);
  const SparseFactor factor(random_symmetric(5).sparseView(), "a");
  EXPECT_NE(refusal([&] { (void)factor.solve(Eigen::MatrixXd::Ones(4, 1)); }).find("4 rows"), std::string::npos);
}

TEST(Eigenpairs, MatchTheFixedFreeChain) {
  // Unit masses and springs, one end held: lambda_i = 4 sin^2((2 i - 1) pi / (4 n + 2)).
  const int n = 60;
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    k(i, i) = i + 1 < n ? 2 : 1;
    if (i > 0) k(i, i - 1) = k(i - 1, i) = -1;
  }
  const double shift = -0.01;
  const SparseFactor factor((k - shift * Eigen::MatrixXd::Identity(n, n)).sparseView(), "chain");
  const Eigenpairs pairs = lowest_eigenpairs(
      n, 5, shift, [&](const Eigen::VectorXd& b) { return Eigen::VectorXd(factor.solve(b)); },
      [](const Eigen::VectorXd& x) { return x; });
  for (int i = 1; i <= 5; ++i) {
    const double s = std::sin((2 * i - 1) * M_PI / (4 * n + 2));
    EXPECT_NEAR(pairs.values(i - 1), 4 * s * s, 1e-11 * std::abs(shift - 4 * s * s));
  }
  EXPECT_NE(refusal([&] {
              (void)lowest_eigenpairs(
                  n, n, shift, [](const Eigen::VectorXd& b) { return b; }, [](const Eigen::VectorXd& x) { return x; });
            }).find("60 modes"),
            std::string::npos);
}

}  // namespace
}  // namespace microslip
