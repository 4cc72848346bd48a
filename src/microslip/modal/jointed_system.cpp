#include <algorithm>
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

/// u = joint v + rest r: u for given v, and all u with v = 0; both matrices of the structure in these coordinates.
struct Split {
  struct Blocks {
    MatrixXd jj, rj, rr;
  };
  MatrixXd joint, rest;
  Blocks K, M;
  Eigen::SparseMatrix<double, Eigen::RowMajor> points;
};

Split split(const MatrixXd& map, const System& system) {
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
    for (const auto& [from, to] : {std::pair{&system.stiffness, &parts.K}, std::pair{&system.mass, &parts.M}}) {
      const MatrixXd times_joint = *from * parts.joint;
      to->jj = parts.joint.transpose() * times_joint;
      to->rj = parts.rest.transpose() * times_joint;
      to->rr = parts.rest.transpose() * *from * parts.rest;
    }
    return parts;
  }
  const MatrixXd identity = MatrixXd::Identity(n, n);
  parts.joint = identity(Eigen::all, touched);
  parts.rest = identity(Eigen::all, untouched);
  parts.points = MatrixXd(map(Eigen::all, touched)).sparseView();
  for (const auto& [from, to] : {std::pair{&system.stiffness, &parts.K}, std::pair{&system.mass, &parts.M}})
    *to = {(*from)(touched, touched), (*from)(untouched, touched), (*from)(untouched, untouched)};
  return parts;
}

/// T^T A T for T = joint + rest X.
MatrixXd condensed_by(const Split::Blocks& A, const MatrixXd& X) {
  const MatrixXd half = A.rj + 0.5 * (A.rr * X);
  const MatrixXd cross = X.transpose() * half;
  return A.jj + cross + cross.transpose();
}

/// Modes of a structure, mass-orthonormal columns.
struct Modes {
  VectorXd kappa;
  MatrixXd shapes;
};

/// The slowest modes once more, from their own strain. Rounding leaves some eps of the largest eigenvalue in every one
/// and mixes shapes accordingly; the strain of a smooth shape is known far better, entry by entry.
void refine_slowest(const MatrixXd& K, Modes& modes) {
  constexpr double slow = 1e-8;  // of the largest: the others have 8 digits at least
  const Index n = (modes.kappa.array() <= slow * modes.kappa.maxCoeff()).count();
  if (n == 0) return;
  const MatrixXd V = modes.shapes.leftCols(n);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> ritz(V.transpose() * (K * V));
  modes.kappa.head(n) = ritz.eigenvalues();
  modes.shapes.leftCols(n) = V * ritz.eigenvectors();
}

/// Strain energy of a shape, and that of its pieces without their signs: changing every entry of K by a part of it
/// changes the energy by no more than that part of the pieces.
struct Strain {
  double energy, pieces;
};
Strain strain(const MatrixXd& K, const VectorXd& v) {
  const VectorXd size = v.cwiseAbs();
  return {v.dot(K * v), size.dot(K.cwiseAbs() * size)};
}

/// How many of the slowest modes lie below all others by far, 1e6 and more.
Index count_apart(const VectorXd& kappa, Index slowest) {
  constexpr double far = 1e6;
  while (slowest > 0 && !(slowest < kappa.size() && far * kappa.head(slowest).cwiseAbs().maxCoeff() <= kappa(slowest)))
    --slowest;
  return slowest;
}

/// Sets modes without stiffness to zero and counts them: their strain is gone when the stiffness changes in its twelfth
/// digit. Where they stand apart from all others in its ninth: reduced models have no more digits. In modal coordinates
/// a rigid motion has an entry of its own, what an eigensolver left of zero: there the pieces are next to nothing too.
Index count_rigid(const System& system, const MatrixXd& rest, Modes& modes, const std::string& what) {
  VectorXd& kappa = modes.kappa;
  const Index n = kappa.size();
  const MatrixXd& K = system.stiffness;
  // All of them may be rigid: then the structure, joint included, tells which may be; its strain tells which are.
  const double largest = std::max(kappa(n - 1), (K.diagonal().array() / system.mass.diagonal().array()).maxCoeff());
  const double part = 1e-12 * static_cast<double>(n), rounding = part * kappa(n - 1);
  const Index slowest = (kappa.array() <= part * largest).count(), apart = count_apart(kappa, slowest);
  Index n_rigid = 0;
  for (; n_rigid < slowest; ++n_rigid) {
    const auto [energy, pieces] = strain(K, rest * modes.shapes.col(n_rigid));
    const double none = pieces <= rounding ? pieces : (n_rigid < apart ? 1e-9 : 1e-12) * pieces;
    if (energy < -none)
      throw InvalidInput(fmt::format(
          "{}: the stiffness is negative: with the joint held, a motion has omega^2 = {:.3g}", what, kappa(n_rigid)));
    if (energy > none) break;
    kappa(n_rigid) = 0;
  }
  return n_rigid;
}

}  // namespace

JointedSystem::JointedSystem(System system, Interface interface, const std::string& what)
    : system_(checked(std::move(system), what)), interface_(checked(std::move(interface), system_, what)) {
  set_up(what);
}

JointedSystem::JointedSystem(const ReducedModel& model, const std::string& what)
    : JointedSystem(model.system, model.interface, what) {}

JointedSystem JointedSystem::with_normal_springs(const VectorXd& springs) const {
  JointedSystem result;
  result.system_ = system_;
  result.interface_ = interface_;
  MatrixXd& map = result.interface_.map;
  const Index n = interface_.n_points();
  result.normal_map_ = map(Eigen::seqN(2, n, 3), Eigen::all);
  for (Index i = 0; i < n; ++i) map.row(3 * i + 2).setZero();
  // a point touches few coordinates
  Eigen::SparseMatrix<double, Eigen::RowMajor> normals = result.normal_map_.sparseView();
  const Eigen::SparseMatrix<double> added = normals.transpose() * springs.asDiagonal() * normals;
  result.system_.stiffness += added;
  result.set_up("structure with springs across its interface");
  return result;
}

void JointedSystem::set_up(const std::string& what) {
  Split parts = split(interface_.map, system_);
  points_ = parts.points;
  const Index n_internal = parts.rest.cols();
  if (n_internal == 0) {
    T_ = std::move(parts.joint);
    P_.resize(size(), 0);
    kappa_.resize(0);
    K_vv_ = parts.K.jj;
    M_vv_ = parts.M.jj;
    M_pv_.resize(0, T_.cols());
    return;
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solved(parts.K.rr, parts.M.rr);
  if (solved.info() != Eigen::Success)
    throw InvalidInput(fmt::format("{}: the modes with a fixed interface cannot be found", what));
  Modes modes{solved.eigenvalues(), solved.eigenvectors()};
  refine_slowest(parts.K.rr, modes);
  n_rigid_ = count_rigid(system_, parts.rest, modes, what);
  kappa_ = modes.kappa;
  const MatrixXd& V = modes.shapes;
  if (n_rigid_ > 0) shift_ = n_rigid_ < n_internal ? kappa_(n_rigid_) : 1.0;
  const MatrixXd held = V.transpose() * (parts.K.rj + shift_ * parts.M.rj);
  const MatrixXd X = -(V * ((kappa_.array() + shift_).inverse().matrix().asDiagonal() * held));
  K_vv_ = condensed_by(parts.K, X);
  M_vv_ = condensed_by(parts.M, X);
  M_pv_ = V.transpose() * (parts.M.rj + parts.M.rr * X);
  M_pv_.topRows(n_rigid_).setZero();  // by Eq. (2): K leaves rigid motions without a force
  T_ = parts.joint + parts.rest * X;
  P_ = parts.rest * V;
}

}  // namespace microslip
