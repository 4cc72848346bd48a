#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <microslip/study/study.hpp>

namespace microslip::study {

/// The coordinates in which a search moves, within an entry's bounds. They are those of a point but for a parameter
/// that must stay below another (Entry::below): its range is squeezed to end there, so that every choice within the
/// bounds is a point of the model's domain and no search can leave it.
///   x_p = lower_p + (c_p - lower_p) (min(upper_p, x_other - margin) - lower_p) / (upper_p - lower_p)           (1)
class SearchSpace {
 public:
  explicit SearchSpace(const Entry& entry);

  [[nodiscard]] const Eigen::VectorXd& lower() const { return lower_; }
  [[nodiscard]] const Eigen::VectorXd& upper() const { return upper_; }
  [[nodiscard]] std::vector<double> point(std::span<const double> coordinates) const;
  /// The inverse; a point outside of the domain is moved to its edge.
  [[nodiscard]] std::vector<double> coordinates(std::span<const double> point) const;
  /// Derivatives of the point's entries (rows) with the coordinates.
  [[nodiscard]] Eigen::MatrixXd slopes(std::span<const double> coordinates) const;

  /// How far below the other one a parameter stays, in the coordinates of the points.
  static constexpr double margin = 1e-3;

 private:
  /// How much of its range the bounded parameter keeps.
  [[nodiscard]] double squeeze(double other) const;

  Eigen::VectorXd lower_, upper_;
  std::optional<Below> below_;
};

}  // namespace microslip::study
