#pragma once

#include <functional>

#include <Eigen/Dense>

#include <microslip/core/outcome.hpp>

namespace microslip {

using Objective = std::function<double(const Eigen::VectorXd& x)>;

enum class MinimiseMethod { direct, nelder_mead };

struct MinimiseOptions {
  MinimiseMethod method = MinimiseMethod::nelder_mead;
  Eigen::VectorXd lower, upper;  ///< bounds, or none where empty; `direct` needs finite ones
  double x_tolerance = 1e-10;    ///< relative
  double f_tolerance = 1e-14;    ///< relative
  int max_evaluations = 5000;
};

struct MinimiseResult {
  Outcome outcome = Outcome::iteration_limit;
  int evaluations = 0;
  Eigen::VectorXd x;
  double value = 0;
};

/// A thin layer over NLopt: the papers' algorithms without derivatives (DIRECT, Nelder-Mead) behind one call. What the
/// objective throws comes out as it is.
MinimiseResult minimise(const Objective& objective, const Eigen::VectorXd& start, const MinimiseOptions& options);

}  // namespace microslip
