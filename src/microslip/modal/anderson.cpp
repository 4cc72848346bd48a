#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include <microslip/modal/anderson.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> Anderson::next(const std::vector<double>& x, const std::vector<double>& g) {
  const auto n = static_cast<Index>(g.size());
  std::vector<double> scale(stride_, 0.0);
  for (std::size_t i = 0; i < g.size(); ++i) scale[i % stride_] = std::max(scale[i % stride_], std::abs(g[i]));
  VectorXd weight(n);
  for (Index i = 0; i < n; ++i) {
    const double s = scale[static_cast<std::size_t>(i) % stride_];
    weight(i) = s > 0 ? 1 / s : 0.0;
  }
  const VectorXd result = Eigen::Map<const VectorXd>(g.data(), n);
  defects_.emplace_back(result - Eigen::Map<const VectorXd>(x.data(), n));
  results_.push_back(result);
  if (static_cast<int>(results_.size()) > depth_ + 1) {
    defects_.erase(defects_.begin());
    results_.erase(results_.begin());
  }
  if (results_.size() < 2) return g;
  const auto m = static_cast<Index>(results_.size()) - 1;
  MatrixXd changes(n, m);
  for (Index j = 0; j < m; ++j)
    changes.col(j) =
        weight.cwiseProduct(defects_[static_cast<std::size_t>(j) + 1] - defects_[static_cast<std::size_t>(j)]);
  const VectorXd gamma = changes.colPivHouseholderQr().solve(weight.cwiseProduct(defects_.back()));
  VectorXd jump = VectorXd::Zero(n);
  for (Index j = 0; j < m; ++j)
    jump -= gamma(j) * (results_[static_cast<std::size_t>(j) + 1] - results_[static_cast<std::size_t>(j)]);
  if (!jump.allFinite()) return g;
  const VectorXd mixed = result + jump;
  return {mixed.data(), mixed.data() + n};
}

}  // namespace microslip
