#pragma once

#include <functional>

#include <Eigen/Dense>

#include <microslip/core/outcome.hpp>

namespace microslip {

/// Residuals r(x) and, where `jacobian` is not null, their derivatives dr_i/dx_j.
using Residuals = std::function<Eigen::VectorXd(const Eigen::VectorXd& x, Eigen::MatrixXd* jacobian)>;

struct LeastSquaresOptions {
  Eigen::VectorXd lower;  ///< bounds; empty means none
  Eigen::VectorXd upper;
  int max_iterations = 200;
  double tolerance = 1e-14;  ///< relative change of x, and of the sum of squares, at which it stops
};

struct LeastSquaresFit {
  Outcome outcome = Outcome::iteration_limit;
  int iterations = 0;
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
  double sum_of_squares = 0;
};

/// Minimises |r(x)|^2 within bounds by Levenberg-Marquardt; variables that the step would push past a bound are held
/// there. `converged` means a minimum to working precision; `step_too_small` that no step was found to descend although
/// the derivatives promise one: they are wrong, or the residuals end or jump there. Local: start it from several points
/// where there may be several minima.
LeastSquaresFit least_squares(const Residuals& residuals, const Eigen::VectorXd& start,
                              const LeastSquaresOptions& options = {});

}  // namespace microslip
