#include <algorithm>

#include <microslip/study/search_space.hpp>

namespace microslip::study {

namespace {

Eigen::Index index_of(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

SearchSpace::SearchSpace(const Entry& entry)
    : lower_(entry.spans.size()), upper_(entry.spans.size()), below_(entry.below) {
  for (std::size_t j = 0; j < entry.spans.size(); ++j) {
    lower_[index_of(j)] = entry.spans[j].lower;
    upper_[index_of(j)] = entry.spans[j].upper;
  }
}

double SearchSpace::squeeze(double other) const {
  const Eigen::Index p = index_of(below_->parameter);
  const double width = upper_[p] - lower_[p];
  return width > 0 ? std::min(width, other - margin - lower_[p]) / width : 1;
}

std::vector<double> SearchSpace::point(std::span<const double> coordinates) const {
  std::vector<double> x(coordinates.begin(), coordinates.end());
  if (!below_) return x;
  const double lower = lower_[index_of(below_->parameter)];
  double& bounded = x[below_->parameter];
  bounded = lower + (bounded - lower) * squeeze(x[below_->other]);
  return x;
}

std::vector<double> SearchSpace::coordinates(std::span<const double> point) const {
  std::vector<double> c(point.begin(), point.end());
  if (!below_) return c;
  const Eigen::Index p = index_of(below_->parameter);
  double& bounded = c[below_->parameter];
  bounded = std::min(upper_[p], lower_[p] + (bounded - lower_[p]) / squeeze(c[below_->other]));
  return c;
}

Eigen::MatrixXd SearchSpace::slopes(std::span<const double> coordinates) const {
  const Eigen::Index n = lower_.size();
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Identity(n, n);
  if (!below_) return slopes;
  const Eigen::Index p = index_of(below_->parameter), other = index_of(below_->other);
  const double kept = squeeze(coordinates[below_->other]), width = upper_[p] - lower_[p];
  slopes(p, p) = kept;
  if (kept < 1) slopes(p, other) = (coordinates[below_->parameter] - lower_[p]) / width;
  return slopes;
}

}  // namespace microslip::study
