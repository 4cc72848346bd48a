#pragma once

#include <vector>

#include <Eigen/Core>

namespace microslip {

/// Anderson's acceleration of x <- g(x): the next x is the mixture of earlier results whose mixture of defects g - x is
/// smallest, the newest `depth` of them. Numbers come in groups of `stride` of different kinds; each kind has its own
/// scale.
class Anderson {
 public:
  explicit Anderson(std::size_t stride, int depth = 12) : stride_(stride), depth_(depth) {}
  /// The next x, from the last one and where it led.
  std::vector<double> next(const std::vector<double>& x, const std::vector<double>& g);

 private:
  std::size_t stride_;
  int depth_;
  std::vector<Eigen::VectorXd> defects_, results_;
};

}  // namespace microslip
