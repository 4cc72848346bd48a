#pragma once

#include <functional>

#include <Eigen/Core>

#include <microslip/core/outcome.hpp>
#include <microslip/optimize/front.hpp>

namespace microslip {

/// Both objectives and, where `gradients` is not null, their derivatives: row k is df_k/dx.
using TwoObjectives = std::function<Point(const Eigen::VectorXd& x, Eigen::Matrix2Xd* gradients)>;

struct BoundaryIntersectionOptions {
  Eigen::VectorXd lower, upper;  ///< bounds, or none where empty
  double x_tolerance = 1e-10;    ///< relative change of the variables at which it stops
  int max_evaluations = 200;
};

struct BoundaryIntersection {
  Outcome outcome = Outcome::iteration_limit;
  int evaluations = 0;
  Eigen::VectorXd x;
  Point f{};
  double t = 0;       ///< distance from the utopian point along the ray
  double missed = 0;  ///< how far f lies from the ray, in units of the objectives
};

/// The point of the front on a ray from the utopian point at angle psi to the first objective's axis:
///   min t   subject to   f(x) - utopia = t (cos psi, sin psi)      [Porter2022, Eq. 43]
/// by SLSQP from `start`. A local minimum: start it from several points and sort. What the objectives throw comes out
/// as it is.
BoundaryIntersection intersect_boundary(const TwoObjectives& objectives, const Point& utopia, double psi,
                                        const Eigen::VectorXd& start, const BoundaryIntersectionOptions& options);

}  // namespace microslip
