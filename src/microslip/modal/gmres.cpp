#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Jacobi>

#include <microslip/modal/gmres.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

GmresReport gmres(const std::function<void(const VectorXd&, VectorXd&)>& apply, const VectorXd& b, VectorXd& x,
                  const GmresOptions& options) {
  const Index n = b.size(), most = std::min(options.most, n);
  GmresReport report;
  x.setZero(n);
  const double start = b.norm();
  if (!(start > 0) || !std::isfinite(start)) {
    report.converged = start == 0;
    return report;
  }
  MatrixXd V(n, most + 1), H = MatrixXd::Zero(most + 1, most);
  VectorXd g = VectorXd::Zero(most + 1), direction, next;
  std::vector<Eigen::JacobiRotation<double>> turns;
  V.col(0) = b / start;
  g(0) = start;
  for (Index k = 0; k < most; ++k) {
    direction = V.col(k);
    apply(direction, next);
    const double length = next.norm();
    for (Index j = 0; j <= k; ++j) {
      H(j, k) = V.col(j).dot(next);
      next -= H(j, k) * V.col(j);
    }
    H(k + 1, k) = next.norm();
    if (!std::isfinite(H(k + 1, k))) break;
    const bool exhausted = !(H(k + 1, k) > 1e-14 * length);  // the space is complete: this x is all there is
    if (exhausted)
      H(k + 1, k) = 0;
    else
      V.col(k + 1) = next / H(k + 1, k);
    for (Index j = 0; j < k; ++j) H.col(k).applyOnTheLeft(j, j + 1, turns[static_cast<std::size_t>(j)].adjoint());
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(H(k, k), H(k + 1, k));
    H.col(k).applyOnTheLeft(k, k + 1, turn.adjoint());
    g.applyOnTheLeft(k, k + 1, turn.adjoint());
    turns.push_back(turn);
    if (!(std::abs(H(k, k)) > 1e-14 * length)) break;  // nothing new in this direction
    report.steps = k + 1;
    report.residual = std::abs(g(k + 1)) / start;
    report.converged = report.residual <= options.tolerance;
    if (report.converged || exhausted) break;
  }
  const Index m = report.steps;
  if (m == 0) return report;
  x = V.leftCols(m) * H.topLeftCorner(m, m).triangularView<Eigen::Upper>().solve(g.head(m));
  report.converged = report.converged && x.allFinite();
  return report;
}

}  // namespace microslip
