#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <microslip/core/check.hpp>
#include <microslip/modal/jointed_system.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// u for given v, and all u with v = 0.
struct Split {
  MatrixXd joint, rest;
  Eigen::SparseMatrix<double, Eigen::RowMajor> points;
};

Split split(const MatrixXd& map) {
  const Index n = map.cols();
  std::vector<Index> touched, untouched;
  for (Index j = 0; j < n; ++j) (map.col(j).squaredNorm() > 0 ? touched : untouched).push_back(j);
  Split parts;
  if (map.rows() <= static_cast<Index>(touched.size())) {  // independent rows: they are coordinates themselves
    const Index r = map.rows();
    const Eigen::HouseholderQR<MatrixXd> qr(map.transpose());
    const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
    const MatrixXd R = qr.matrixQR().topRows(r).triangularView<Eigen::Upper>();
    parts.joint = R.triangularView<Eigen::Upper>().solve(Q.leftCols(r).transpose()).transpose();
    parts.rest = Q.rightCols(n - r);
    return parts;
  }
  const MatrixXd identity = MatrixXd::Identity(n, n);
  parts.joint = identity(Eigen::all, touched);
  parts.rest = identity(Eigen::all, untouched);
  parts.points = MatrixXd(map(Eigen::all, touched)).sparseView();
  return parts;
}

}  // namespace

JointedSystem::JointedSystem(System system, Interface interface, const std::string& what)
    : system_(checked(std::move(system), what)), interface_(checked(std::move(interface), system_, what)) {
  const MatrixXd &K = system_.stiffness, &M = system_.mass;
  Split parts = split(interface_.map);
  points_ = std::move(parts.points);
  const Index n_internal = parts.rest.cols();
  T_ = std::move(parts.joint);
  if (n_internal == 0) {
    P_.resize(size(), 0);
    kappa_.resize(0);
  } else {
    const MatrixXd K_r = parts.rest.transpose() * K * parts.rest, M_r = parts.rest.transpose() * M * parts.rest;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K_r, M_r);
    if (modes.info() != Eigen::Success)
      throw InvalidInput(fmt::format("{}: the modes with a fixed interface cannot be found", what));
    kappa_ = modes.eigenvalues();
    P_ = parts.rest * modes.eigenvectors();
    // Rounding leaves about eps times the largest eigenvalue of a motion that has no stiffness.
    const double nothing = 1e-12 * static_cast<double>(n_internal) * kappa_(n_internal - 1);
    while (n_rigid_ < n_internal && kappa_(n_rigid_) <= nothing) kappa_(n_rigid_++) = 0;
    if (n_rigid_ > 0) shift_ = n_rigid_ < n_internal ? kappa_(n_rigid_) : 1.0;
    const MatrixXd held = P_.transpose() * (K * T_ + shift_ * (M * T_));
    T_ -= P_ * (kappa_.array() + shift_).inverse().matrix().asDiagonal() * held;
  }
  K_vv_ = T_.transpose() * K * T_;
  M_vv_ = T_.transpose() * M * T_;
  M_pv_ = P_.transpose() * M * T_;
}

JointedSystem::JointedSystem(const ReducedModel& model, const std::string& what)
    : JointedSystem(model.system, model.interface, what) {}

}  // namespace microslip
