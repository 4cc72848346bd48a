#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/modal/condensed.hpp>

namespace microslip {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Condensed::Condensed(const JointedSystem& system, double cut) : system_(&system), n_joint_(system.joint_mass().rows()) {
  const VectorXd& kappa = system.internal_eigenvalues();
  n_near_ = (kappa.array() <= cut).count();
  const Index n_far = kappa.size() - n_near_, m = size();
  const MatrixXd& coupling = system.coupling();
  A_0_.setZero(m, m);
  A_0_.topLeftCorner(n_joint_, n_joint_) = system.joint_stiffness();
  A_0_.bottomLeftCorner(n_near_, n_joint_) = -system.shift() * coupling.topRows(n_near_);
  A_0_.topRightCorner(n_joint_, n_near_) = A_0_.bottomLeftCorner(n_near_, n_joint_).transpose();
  A_0_.bottomRightCorner(n_near_, n_near_).diagonal() = kappa.head(n_near_);
  A_1_.setIdentity(m, m);
  A_1_.topLeftCorner(n_joint_, n_joint_) = system.joint_mass();
  A_1_.bottomLeftCorner(n_near_, n_joint_) = coupling.topRows(n_near_);
  A_1_.topRightCorner(n_joint_, n_near_) = coupling.topRows(n_near_).transpose();
  M_far_ = coupling.bottomRows(n_far);
  s_far_ = kappa.tail(n_far).array() + system.shift();
}

Condensed Condensed::for_mode(const JointedSystem& system, int mode) {
  if (mode < 1) throw InvalidInput(fmt::format("modes are counted from 1, got {}", mode));
  const Index above_rigid = system.n_rigid() + mode;
  if (above_rigid > system.size())
    throw InvalidInput(
        fmt::format("mode {} of a structure with {} elastic modes", mode, system.size() - system.n_rigid()));
  const VectorXd& kappa = system.internal_eigenvalues();
  const bool bounded = above_rigid <= kappa.size();
  return {system, bounded ? 4 * kappa(above_rigid - 1) : std::numeric_limits<double>::infinity()};
}

void Condensed::multiply(double lambda, const VectorXd& y, Products& products) const {
  products.N_y.noalias() = A_1_ * y;
  products.A_y.noalias() = A_0_ * y;
  products.A_y -= lambda * products.N_y;
  products.y_dN_y = 0;
  if (n_far() == 0) return;
  const double l = lambda + system_->shift();
  products.far.noalias() = M_far_ * y.head(n_joint_);
  // l^2/(s-l), its first derivative s^2/(s-l)^2 - 1 and its second 2 s^2/(s-l)^3
  const ArrayXd inverse = (s_far_ - l).inverse(), ratio = s_far_ * inverse;
  products.y_dN_y = 2 * (ratio.square() * inverse * products.far.array().square()).sum();
  products.A_y.head(n_joint_).noalias() -= M_far_.transpose() * (l * l * inverse * products.far.array()).matrix();
  products.N_y.head(n_joint_).noalias() += M_far_.transpose() * ((ratio.square() - 1) * products.far.array()).matrix();
}

void Condensed::fill(double lambda, Eigen::Ref<MatrixXd> J) const {
  const Index m = size();
  J.topLeftCorner(m, m) = A_0_ - lambda * A_1_;
  if (n_far() == 0) return;
  const double l = lambda + system_->shift();
  auto joint = J.topLeftCorner(n_joint_, n_joint_);
  if (n_joint_ < 64) {
    const MatrixXd scaled = (l * l * (s_far_ - l).inverse()).matrix().asDiagonal() * M_far_;
    joint.noalias() -= M_far_.transpose() * scaled;
  } else {  // half of it, far modes lie above lambda
    const MatrixXd scaled = M_far_.transpose() * (l * (s_far_ - l).rsqrt()).matrix().asDiagonal();
    joint.selfadjointView<Eigen::Lower>().rankUpdate(scaled, -1);
    joint.triangularView<Eigen::StrictlyUpper>() = joint.transpose();
  }
}

MatrixXd Condensed::stiffness(double lambda) const {
  MatrixXd A(size(), size());
  fill(lambda, A);
  return A;
}

MatrixXd Condensed::static_stiffness() const {
  MatrixXd A = stiffness(0);
  A.diagonal().segment(n_joint_, system_->n_rigid()).setConstant(system_->shift());
  return A;
}

MatrixXd Condensed::mass(double lambda) const {
  MatrixXd N = A_1_;
  if (n_far() == 0) return N;
  const double l = lambda + system_->shift();
  const ArrayXd weight = (s_far_ / (s_far_ - l)).square() - 1;
  N.topLeftCorner(n_joint_, n_joint_).noalias() += M_far_.transpose() * weight.matrix().asDiagonal() * M_far_;
  return N;
}

void Condensed::displace(const VectorXd& y, std::vector<double>& w) const {
  const auto& points = system_->points();
  if (points.size() == 0) {
    w.assign(y.data(), y.data() + n_joint_);
    return;
  }
  w.resize(static_cast<std::size_t>(points.rows()));
  Eigen::Map<VectorXd>(w.data(), points.rows()).noalias() = points * y.head(n_joint_);
}

void Condensed::add_forces(std::span<const double> force, VectorXd& on_y) const {
  const Eigen::Map<const VectorXd> f(force.data(), static_cast<Index>(force.size()));
  const auto& points = system_->points();
  if (points.size() == 0)
    on_y.head(n_joint_) += f;
  else
    on_y.head(n_joint_).noalias() += points.transpose() * f;
}

void Condensed::add_stiffness(const PointTangents& tangent, Eigen::Ref<MatrixXd> J) const {
  const auto& points = system_->points();
  using Entry = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  for (std::size_t p = 0; p < tangent.size(); ++p) {
    const auto at = static_cast<Index>(3 * p);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) {
        const double k = tangent[p][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (k == 0) continue;
        if (points.size() == 0) {
          J(at + i, at + j) += k;
          continue;
        }
        for (Entry column(points, at + j); column; ++column)
          for (Entry row(points, at + i); row; ++row) J(row.col(), column.col()) += row.value() * k * column.value();
      }
  }
}

void Condensed::add_tangent_forces(const PointTangents& tangent, const VectorXd& y, VectorXd& on_y) const {
  std::vector<double> w;
  displace(y, w);
  for (std::size_t p = 0; p < tangent.size(); ++p) {
    const auto& k = tangent[p];
    const std::array<double, 3> at{w[3 * p], w[3 * p + 1], w[3 * p + 2]};
    for (std::size_t i = 0; i < 3; ++i) w[3 * p + i] = k[i][0] * at[0] + k[i][1] * at[1] + k[i][2] * at[2];
  }
  add_forces(w, on_y);
}

VectorXd Condensed::expand(double lambda, const VectorXd& y) const {
  const MatrixXd &T = system_->joint_shapes(), &P = system_->internal_shapes();
  VectorXd u = T * y.head(n_joint_);
  u.noalias() += P.leftCols(n_near_) * y.tail(n_near_);
  if (n_far() == 0) return u;
  const double l = lambda + system_->shift();
  const ArrayXd far = (M_far_ * y.head(n_joint_)).array() * l / (s_far_ - l);
  u.noalias() += P.rightCols(n_far()) * far.matrix();
  return u;
}

VectorXd Condensed::condense(const VectorXd& force) const {
  const MatrixXd &T = system_->joint_shapes(), &P = system_->internal_shapes();
  VectorXd on_y(size());
  on_y.head(n_joint_) = T.transpose() * force;
  on_y.tail(n_near_) = P.leftCols(n_near_).transpose() * force;
  if (n_far() == 0 || system_->shift() == 0) return on_y;
  const ArrayXd far = (P.rightCols(n_far()).transpose() * force).array() / (s_far_ - system_->shift());
  on_y.head(n_joint_) += system_->shift() * (M_far_.transpose() * far.matrix());
  return on_y;
}

VectorXd Condensed::static_far(const VectorXd& force) const {
  if (n_far() == 0) return {};
  const ArrayXd kappa = s_far_ - system_->shift();
  return ((system_->internal_shapes().rightCols(n_far()).transpose() * force).array() / kappa.sqrt()).matrix();
}

VectorXd Condensed::expand_static(const VectorXd& y, const VectorXd& force) const {
  VectorXd u = expand(0, y);
  if (n_far() == 0) return u;
  const auto P = system_->internal_shapes().rightCols(n_far());
  const ArrayXd far = (P.transpose() * force).array() / (s_far_ - system_->shift());
  u.noalias() += P * far.matrix();
  return u;
}

}  // namespace microslip
