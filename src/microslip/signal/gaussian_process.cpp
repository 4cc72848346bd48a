#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/signal/gaussian_process.hpp>

namespace microslip::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double correlation(double distance, double length) {
  const double r = distance / length;
  return std::exp(-0.5 * r * r);
}

MatrixXd correlations(const std::vector<double>& x, double length) {
  const auto n = static_cast<Index>(x.size());
  MatrixXd R(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      R(i, j) = correlation(x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)], length);
  return R;
}

}  // namespace

GaussianProcess::GaussianProcess(std::span<const double> x, std::span<const double> y, std::size_t most_points) {
  if (x.size() != y.size() || x.size() < 4)
    throw InvalidInput(fmt::format("a Gaussian process needs at least 4 points, got {} and {}", x.size(), y.size()));
  // Drawn at random (with a fixed seed), so that no regular pattern of the points is taken for a slow one.
  std::vector<std::size_t> all(x.size()), order;
  std::iota(all.begin(), all.end(), 0);
  std::sample(all.begin(), all.end(), std::back_inserter(order), std::max<std::size_t>(most_points, 4),
              std::mt19937(1));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  const std::size_t n = order.size();
  std::vector<double> values;
  for (const std::size_t i : order) {
    x_.push_back(finite("abscissa", x[i]));
    values.push_back(finite("ordinate", y[i]));
  }
  const double range = x_.back() - x_.front();
  if (!(range > 0)) throw InvalidInput("a Gaussian process needs points at different abscissas");

  // The straight line takes out the trend; what is left has mean zero.
  centre_ = std::accumulate(x_.begin(), x_.end(), 0.0) / static_cast<double>(n);
  double sxx = 0, sxy = 0, mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    sxx += (x_[i] - centre_) * (x_[i] - centre_);
    sxy += (x_[i] - centre_) * values[i];
  }
  intercept_ = mean;
  slope_ = sxy / sxx;
  VectorXd r(static_cast<Index>(n));
  for (std::size_t i = 0; i < n; ++i) r(static_cast<Index>(i)) = values[i] - intercept_ - slope_ * (x_[i] - centre_);

  // K = s^2 (R + g I), R = Q L Q^T: for each length all ratios g cost n each, and s^2 = r^T (R + g)^-1 r / n.
  double best = -std::numeric_limits<double>::infinity(), ratio = 1;
  // No shorter than a tenth of the range: the points of one record lie on a smooth curve, and the jumps from one
  // record's curve to another's are not to be followed.
  for (double length = 0.1 * range; length < 3 * range; length *= 1.2) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(correlations(x_, length));
    const VectorXd q = eigen.eigenvectors().transpose() * r;
    for (double g = 1e-10; g < 1e4; g *= 1.6) {
      const VectorXd l = eigen.eigenvalues().cwiseMax(0.0).array() + g;
      const double s2 = q.cwiseAbs2().cwiseQuotient(l).sum() / static_cast<double>(n);
      const double likelihood = -0.5 * (static_cast<double>(n) * std::log(s2) + l.array().log().sum());
      if (likelihood > best) {
        best = likelihood;
        length_ = length;
        ratio = g;
        signal_ = std::sqrt(s2);
      }
    }
  }
  noise_ = signal_ * std::sqrt(ratio);
  MatrixXd K = correlations(x_, length_);
  K.diagonal().array() += std::max(ratio, 1e-12);
  const Eigen::LLT<MatrixXd> llt(K);
  const VectorXd w = llt.solve(r);
  weights_.assign(w.data(), w.data() + w.size());
  const MatrixXd L = llt.matrixL();
  factor_.assign(L.data(), L.data() + L.size());
}

GaussianProcess::Prediction GaussianProcess::at(double x) const {
  const auto n = static_cast<Index>(x_.size());
  VectorXd k(n);
  for (Index i = 0; i < n; ++i) k(i) = correlation(x - x_[static_cast<std::size_t>(i)], length_);
  const double mean = intercept_ + slope_ * (x - centre_) + k.dot(Eigen::Map<const VectorXd>(weights_.data(), n));
  Eigen::Map<const MatrixXd>(factor_.data(), n, n).triangularView<Eigen::Lower>().solveInPlace(k);
  const double variance = signal_ * signal_ * std::max(0.0, 1 - k.squaredNorm());
  return {mean, std::sqrt(variance), std::sqrt(variance + noise_ * noise_)};
}

}  // namespace microslip::signal
