#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <microslip/core/check.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/modal/linear_modes.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct Pairs {
  VectorXd values;
  MatrixXd vectors;
};

/// The lowest eigenpairs of (K, N), `count` of them good to some digits.
Pairs lowest(const MatrixXd& K, const MatrixXd& N, Index count, Index n_joint) {
  const Index m = K.rows();
  if (m <= 80) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, N);
    return {modes.eigenvalues(), modes.eigenvectors()};
  }
  // Subspace iteration from the modes with a fixed interface, which bound the wanted ones and resemble them.
  const Index block = std::min(m, std::max(count + 4, std::min(2 * count, m - n_joint)));
  MatrixXd X = MatrixXd::Zero(m, block);
  for (Index j = 0; j < block; ++j) X((n_joint + j) % m, j) = 1;
  const VectorXd ratios = K.diagonal().cwiseQuotient(N.diagonal());
  double least = ratios.maxCoeff();  // of what has stiffness: a floating structure's rigid modes have none
  for (const double ratio : ratios)
    if (ratio > 0) least = std::min(least, ratio);
  const double shift = 1e-6 * least;
  const Eigen::LLT<MatrixXd> factor(K + shift * N);
  if (factor.info() != Eigen::Success)
    throw InvalidInput("the linearised structure has a negative stiffness: its modes cannot be found");
  Pairs pairs;
  VectorXd before = VectorXd::Zero(count);
  constexpr int most = 200;
  for (int i = 0; i < most; ++i) {
    X = factor.solve(N * X);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> ritz(X.transpose() * K * X, X.transpose() * N * X);
    X *= ritz.eigenvectors();
    pairs = {ritz.eigenvalues(), X};
    const VectorXd now = ritz.eigenvalues().head(count);
    if ((now - before).cwiseAbs().maxCoeff() <= 1e-7 * now.cwiseAbs().maxCoeff()) return pairs;
    before = now;
  }
  throw NotConverged(
      fmt::format("the lowest {} modes of the linearised structure were not found in {} sweeps of "
                  "subspace iteration",
                  count, most));
}

}  // namespace

PointTangents initial_tangents(const Joint& joint, const Interface& interface,
                               const std::optional<Prestress>& prestress) {
  const double kt = initial_tangent(joint.law);
  return prestress ? point_springs(joint, interface, kt, prestress->relative) : point_springs(joint, interface, kt);
}

std::vector<CondensedMode> condensed_modes(const Condensed& condensed, const PointTangents& tangents, int first,
                                           int last) {
  const Index m = condensed.size(), n_rigid = condensed.system().n_rigid();
  MatrixXd D = MatrixXd::Zero(m, m);
  condensed.add_stiffness(tangents, D);
  const Pairs pairs = lowest(condensed.stiffness(0) + D, condensed.mass(0), n_rigid + last, condensed.n_joint());
  std::vector<CondensedMode> modes;
  Condensed::Products products;
  MatrixXd J(m + 1, m + 1);
  for (int mode = first; mode <= last; ++mode) {
    CondensedMode x{pairs.vectors.col(n_rigid + mode - 1), pairs.values(n_rigid + mode - 1)};
    // The pencil at rest is nearly right; Rayleigh quotient iteration on A(lambda) + D makes it exact.
    double change = 0;
    for (int i = 0; i < 8; ++i) {
      condensed.multiply(x.lambda, x.y, products);
      x.y /= std::sqrt(x.y.dot(products.N_y));
      condensed.multiply(x.lambda, x.y, products);
      change = x.y.dot(products.A_y + D * x.y);
      x.lambda += change;
      if (std::abs(change) <= 1e-13 * std::abs(x.lambda)) break;
      condensed.multiply(x.lambda, x.y, products);
      condensed.fill(x.lambda, J);
      J.topLeftCorner(m, m) += D;
      J.col(m).head(m) = products.N_y;
      J.row(m).head(m) = products.N_y;
      J(m, m) = 0;
      x.y = J.partialPivLu().solve(VectorXd::Unit(m + 1, m)).head(m);
    }
    if (!(std::abs(change) <= 1e-9 * std::abs(x.lambda)))
      throw NotConverged(
          fmt::format("mode {} of the linearised structure did not settle: omega^2 = {:.6g} still changes "
                      "by {:.1g}",
                      mode, x.lambda, change));
    modes.push_back(std::move(x));
  }
  return modes;
}

LinearModes linear_modes(const JointedSystem& system, const Joint& joint, int count, const PrestressOptions& options) {
  const Condensed condensed = Condensed::for_mode(system, count);
  const Interface& interface = system.interface();
  std::optional<Prestress> at_rest;
  if (interface.contact == Contact::penalty) {
    const auto points = make_points(joint, interface.contact, interface.areas);
    at_rest = prestress(condensed, joint, *points, options);
  }
  const auto found = condensed_modes(condensed, initial_tangents(joint, interface, at_rest), 1, count);
  LinearModes modes{VectorXd(count), MatrixXd(system.size(), count)};
  for (int i = 0; i < count; ++i) {
    const CondensedMode& x = found[static_cast<std::size_t>(i)];
    modes.frequencies_hz(i) = std::sqrt(std::max(0.0, x.lambda)) / (2 * std::numbers::pi);
    modes.shapes.col(i) = condensed.expand(x.lambda, x.y);
  }
  return modes;
}

}  // namespace microslip
