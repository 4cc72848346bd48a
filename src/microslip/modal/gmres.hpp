#pragma once

#include <functional>

#include <Eigen/Core>

namespace microslip {

struct GmresOptions {
  Eigen::Index most = 16;   ///< steps
  double tolerance = 1e-5;  ///< of the residual, relative to the right-hand side
};

struct GmresReport {
  bool converged = false;
  Eigen::Index steps = 0;
  double residual = 1;  ///< relative, by the recurrence
};

/// A x = b from x = 0, with `apply` putting A v into its second argument: the x of least residual in the Krylov space.
/// Where A is singular but b lies in its range, x does too.
GmresReport gmres(const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& apply, const Eigen::VectorXd& b,
                  Eigen::VectorXd& x, const GmresOptions& options = {});

}  // namespace microslip
