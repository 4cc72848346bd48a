#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/signal/sensors.hpp>

namespace microslip::signal {

double trimmed_mean(std::vector<double> values, double share) {
  if (values.empty()) throw InvalidInput("a mean of no values");
  const auto drop = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size())));
  if (!(share >= 0) || 2 * drop >= static_cast<std::ptrdiff_t>(values.size()))
    throw InvalidInput(fmt::format("the trimmed share must lie in [0, 0.5), got {}", share));
  std::sort(values.begin(), values.end());
  const auto kept = static_cast<double>(static_cast<std::ptrdiff_t>(values.size()) - 2 * drop);
  return std::accumulate(values.begin() + drop, values.end() - drop, 0.0) / kept;
}

SensorWeights average_weights(std::span<const double> shape, std::span<const double> amplitude,
                              const AveragingRule& rule) {
  const std::size_t n = shape.size();
  if (amplitude.size() != n)
    throw InvalidInput(fmt::format("a mode shape of {} values for {} sensors", n, amplitude.size()));
  double largest = 0;
  for (const double s : shape) largest = std::max(largest, std::abs(finite("mode shape", s)));
  if (!(largest > 0)) throw InvalidInput("the mode shape is zero at every sensor");

  SensorWeights result{std::vector<double>(n, 0.0), std::vector<std::string>(n)};
  std::vector<double> modal;
  for (std::size_t j = 0; j < n; ++j) {
    if (std::abs(shape[j]) < rule.least_shape * largest)
      result.reason[j] = "near a node of the mode";
    else if (amplitude[j] == 0)
      result.reason[j] = "it does not move";
    else
      modal.push_back(amplitude[j] / std::abs(shape[j]));
  }
  if (modal.empty())
    throw InvalidInput("no sensor away from the mode's nodes moves: check the shapes and the channels");
  const bool many = modal.size() >= rule.trimmed_from;
  const std::string_view middle = many ? "trimmed mean" : "median";
  const double mean = many ? trimmed_mean(modal, rule.trimmed_share) : median(modal);
  std::size_t used = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!result.reason[j].empty()) continue;
    const double q = amplitude[j] / std::abs(shape[j]);
    if (std::abs(q - mean) > rule.kept_within * mean)
      result.reason[j] = fmt::format("its modal amplitude is {:.2f} times the {}", q / mean, middle);
    else
      ++used;
  }
  if (used == 0)
    throw InvalidInput(fmt::format("no sensor agrees with the {}: check the shapes against the channels", middle));
  for (std::size_t j = 0; j < n; ++j)
    if (result.reason[j].empty()) result.weight[j] = 1 / (shape[j] * static_cast<double>(used));
  return result;
}

SensorWeights modal_filter_weights(const std::vector<std::vector<double>>& shapes, std::size_t mode) {
  if (mode >= shapes.size()) throw InvalidInput(fmt::format("mode {} of {} shapes", mode + 1, shapes.size()));
  const std::size_t n = shapes.front().size();
  Eigen::MatrixXd Phi(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(shapes.size()));
  for (std::size_t r = 0; r < shapes.size(); ++r) {
    if (shapes[r].size() != n)
      throw InvalidInput(fmt::format("shape {} has {} values, shape 1 has {}", r + 1, shapes[r].size(), n));
    for (std::size_t j = 0; j < n; ++j)
      Phi(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(r)) = finite("mode shape", shapes[r][j]);
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Phi, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& s = svd.singularValues();
  if (Phi.cols() > Phi.rows() || s(s.size() - 1) < 1e-8 * s(0))
    throw InvalidInput(fmt::format("{} sensors cannot tell {} mode shapes apart", n, shapes.size()));
  const Eigen::MatrixXd pinv = svd.matrixV() * s.cwiseInverse().asDiagonal() * svd.matrixU().transpose();
  SensorWeights result{std::vector<double>(n), std::vector<std::string>(n)};
  for (std::size_t j = 0; j < n; ++j)
    result.weight[j] = pinv(static_cast<Eigen::Index>(mode), static_cast<Eigen::Index>(j));
  return result;
}

}  // namespace microslip::signal
