#pragma once

#include <Eigen/Core>

namespace microslip {

/// The damping matrix that gives every mode of M and K the same fraction of critical:
///   C = M Phi diag(2 ratio omega) Phi^T M,   Phi^T M Phi = 1.
/// Rigid motions are not damped.
Eigen::MatrixXd modal_damping(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, double ratio);

}  // namespace microslip
