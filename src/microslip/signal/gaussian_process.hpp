#pragma once

#include <span>
#include <vector>

namespace microslip::signal {

/// Regression of noisy points y(x) by a Gaussian process with squared-exponential covariance about a straight line
/// [Porter2022, section 3.1; Rasmussen2006, chapter 2]. Length scale and noise maximise the likelihood.
class GaussianProcess {
 public:
  /// At least 4 points; of more than `most_points` that many are drawn.
  GaussianProcess(std::span<const double> x, std::span<const double> y, std::size_t most_points = 200);

  struct Prediction {
    double mean;
    double deviation;        ///< standard deviation of the curve
    double point_deviation;  ///< standard deviation of a new point about the mean: 1.96 of it holds 95 % of the points
  };
  [[nodiscard]] Prediction at(double x) const;

  [[nodiscard]] double noise() const { return noise_; }

 private:
  std::vector<double> x_, weights_;  // weights: inverse covariance times the points
  std::vector<double> factor_;       // lower Cholesky factor of the covariance, column-major
  double intercept_ = 0, slope_ = 0, centre_ = 0;
  double length_ = 1, signal_ = 0, noise_ = 0;
};

}  // namespace microslip::signal
