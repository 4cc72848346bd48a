#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/optimize/least_squares.hpp>

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Digits in which x agrees with a certified value.
double digits(double x, double certified) { return -std::log10(std::abs(x - certified) / std::abs(certified)); }

/// y = b1 (1 - exp(-b2 x)), NIST StRD Misra1a, https://www.itl.nist.gov/div898/strd
VectorXd misra1a(const VectorXd& b, MatrixXd* jacobian) {
  static const std::vector<double> x{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                     378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  static const std::vector<double> y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                     44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  VectorXd r(14);
  if (jacobian != nullptr) jacobian->resize(14, 2);
  for (Eigen::Index i = 0; i < 14; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double e = std::exp(-b[1] * x[k]);
    r[i] = b[0] * (1 - e) - y[k];
    if (jacobian != nullptr) jacobian->row(i) << 1 - e, b[0] * x[k] * e;
  }
  return r;
}

TEST(NistStrd, Misra1aFromBothStarts) {
  for (const auto& start : {Eigen::Vector2d(500.0, 1e-4), Eigen::Vector2d(250.0, 5e-4)}) {
    const LeastSquaresFit fit = least_squares(misra1a, start);
    ASSERT_EQ(fit.outcome, Outcome::converged);
    EXPECT_GE(digits(fit.x[0], 2.3894212918e+02), 8);
    EXPECT_GE(digits(fit.x[1], 5.5015643181e-04), 8);
    EXPECT_GE(digits(fit.sum_of_squares, 1.2455138894e-01), 8);
  }
}

VectorXd rosenbrock(const VectorXd& x, MatrixXd* jacobian) {
  if (jacobian != nullptr) {
    jacobian->resize(2, 2);
    *jacobian << -20 * x[0], 10, -1, 0;
  }
  return Eigen::Vector2d(10 * (x[1] - x[0] * x[0]), 1 - x[0]);
}

TEST(LeastSquares, FollowsRosenbrocksValleyToItsEnd) {
  const LeastSquaresFit fit = least_squares(rosenbrock, Eigen::Vector2d(-1.2, 1.0));
  EXPECT_EQ(fit.outcome, Outcome::converged);
  EXPECT_NEAR(fit.x[0], 1, 1e-12);
  EXPECT_NEAR(fit.x[1], 1, 1e-12);
}

TEST(LeastSquares, StopsAtABoundWithTheOthersOptimal) {
  // With x0 <= 0.5 the best is x0 = 0.5, x1 = 0.25.
  LeastSquaresOptions options;
  options.lower = Eigen::Vector2d(-2, -2);
  options.upper = Eigen::Vector2d(0.5, 2);
  const LeastSquaresFit fit = least_squares(rosenbrock, Eigen::Vector2d(-1.2, 1.0), options);
  EXPECT_EQ(fit.outcome, Outcome::converged);
  EXPECT_DOUBLE_EQ(fit.x[0], 0.5);
  EXPECT_NEAR(fit.x[1], 0.25, 1e-10);
}

TEST(LeastSquares, EndsWhereThereAreNoDerivatives) {
  const Residuals broken = [](const VectorXd& x, Eigen::MatrixXd* jacobian) {
    const VectorXd r = rosenbrock(x, jacobian);
    if (jacobian != nullptr && x[0] > 0) jacobian->setConstant(std::nan(""));
    return r;
  };
  const Eigen::Vector2d start(-1.2, 1.0);
  const LeastSquaresFit fit = least_squares(broken, start);
  EXPECT_EQ(fit.outcome, Outcome::step_too_small);
  EXPECT_TRUE(fit.x.allFinite());
  EXPECT_GT(fit.x[0], 0);  // the last point that was reached, which is better than the start
  EXPECT_LT(fit.sum_of_squares, rosenbrock(start, nullptr).squaredNorm());
}

TEST(LeastSquares, ClaimsNothingWhereNoStepDescends) {
  const auto linear = [](double slope, double wall) {  // r = x with this slope for its derivative, nothing below a wall
    return [=](const VectorXd& x, MatrixXd* jacobian) {
      if (jacobian != nullptr) *jacobian = MatrixXd::Constant(1, 1, slope);
      return VectorXd::Constant(1, x[0] >= wall ? x[0] : std::nan("")).eval();
    };
  };
  const VectorXd two = VectorXd::Constant(1, 2.0);
  for (const double tolerance : {1e-14, 1e-9}) {
    LeastSquaresOptions options;
    options.tolerance = tolerance;
    EXPECT_EQ(least_squares(linear(1, 1), two, options).outcome, Outcome::step_too_small);
    EXPECT_EQ(least_squares(linear(-1, -10), two, options).outcome, Outcome::step_too_small);
    EXPECT_EQ(least_squares(linear(1, -10), two, options).outcome, Outcome::converged);
  }
}

TEST(LeastSquares, ConvergesWhereOnlyRoundingIsLeft) {
  // Residuals that vanish but for rounding of terms far larger than themselves, at any angle to the derivatives.
  for (const double offset : {0.0, 1.0, 1e3, 1e6}) {
    const auto exponential = [&](const VectorXd& b, MatrixXd* jacobian) {
      VectorXd r(20);
      if (jacobian != nullptr) jacobian->resize(20, 2);
      for (Eigen::Index i = 0; i < 20; ++i) {
        const double t = 0.1 * static_cast<double>(i + 1), e = std::exp(-b[1] * t);
        r[i] = (b[0] * e + offset) - (3 * std::exp(-1.7 * t) + offset);
        if (jacobian != nullptr) jacobian->row(i) << e, -b[0] * t * e;
      }
      return r;
    };
    const LeastSquaresFit fit = least_squares(exponential, Eigen::Vector2d(1, 1));
    EXPECT_EQ(fit.outcome, Outcome::converged) << offset;
    EXPECT_NEAR(fit.x[1], 1.7, 1e-15 * (10 + 10 * offset));
  }
}

TEST(LeastSquares, AHeldVariableDoesNotSpoilTheFlatnessOfTheOthers) {
  // |r|^2 = x0^2 + 2 + 2 sin^2(x1): near x1 = 0 no step shows in the sum, while x0 is pressed against its bound.
  LeastSquaresOptions options;
  options.lower = Eigen::Vector2d(0.5, -10);
  options.upper = Eigen::Vector2d(10, 10);
  const Residuals pressed = [](const VectorXd& x, MatrixXd* jacobian) {
    if (jacobian != nullptr) {
      jacobian->resize(3, 2);
      *jacobian << 1, 0, 0, std::cos(x[1]), 0, -std::cos(x[1]);
    }
    return Eigen::Vector3d(x[0], 1 + std::sin(x[1]), 1 - std::sin(x[1])).eval();
  };
  const LeastSquaresFit fit = least_squares(pressed, Eigen::Vector2d(0.5, 1e-9), options);
  EXPECT_EQ(fit.outcome, Outcome::converged);
  EXPECT_EQ(fit.x[0], 0.5);
  EXPECT_NEAR(fit.x[1], 0, 1e-7);
}

TEST(LeastSquares, RefusesBoundsOfTheWrongSizeAndAHopelessStart) {
  LeastSquaresOptions options;
  options.lower = VectorXd::Zero(3);
  EXPECT_THROW(least_squares(rosenbrock, Eigen::Vector2d(0, 0), options), InvalidInput);
  EXPECT_THROW(least_squares(rosenbrock, Eigen::Vector2d(std::nan(""), 0)), InvalidInput);
}

}  // namespace
}  // namespace microslip
