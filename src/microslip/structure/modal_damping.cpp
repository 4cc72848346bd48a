#include <Eigen/Eigenvalues>

#include <microslip/structure/modal_damping.hpp>

namespace microslip {

Eigen::MatrixXd modal_damping(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, double ratio) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, mass);
  const Eigen::VectorXd omega = modes.eigenvalues().cwiseMax(0).cwiseSqrt();
  const Eigen::MatrixXd M_Phi = mass * modes.eigenvectors();
  return M_Phi * (2 * ratio * omega).asDiagonal() * M_Phi.transpose();
}

}  // namespace microslip
