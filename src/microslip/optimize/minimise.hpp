#pragma once

#include <functional>

#include <Eigen/Dense>

#include <microslip/core/outcome.hpp>

namespace microslip {

/// f(x) and, where `gradient` is not null and the method wants it, df/dx.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd* gradient)>;

enum class MinimiseMethod { direct, nelder_mead, slsqp };

struct MinimiseOptions {
  MinimiseMethod method = MinimiseMethod::nelder_mead;
  Eigen::VectorXd lower, upper;  ///< bounds; `direct` needs finite ones
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

/// A thin layer over NLopt: the algorithms of the papers (DIRECT, Nelder-Mead, SLSQP) behind one call.
MinimiseResult minimise(const Objective& objective, const Eigen::VectorXd& start, const MinimiseOptions& options);

}  // namespace microslip
