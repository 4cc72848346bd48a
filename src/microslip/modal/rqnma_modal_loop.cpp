// Dissipation from modal force against modal amplitude [Porter2022, Eqs. 36-38, Fig. 6a and c].
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

/// int q (lambda - lambda_linear) dq from the last amplitude to this one, points of first loading in between.
bool RqnmaRun::integrate_first_loading(double q, BackbonePoint& point) {
  const double from = result_.points.empty() ? 0.0 : result_.points.back().amplitude, half = 0.5 * (q - from);
  bool good = result_.points.empty() || std::isfinite(first_loading_);
  double sum = 0;
  for (std::size_t i = 0; i < rule_->points.size() && good; ++i) {
    const double at = from + half * (1 + rule_->points[i]);
    if (!(at > 0)) continue;  // no force at rest
    Point x = !known_.empty() && known_.back().q == at ? known_.back().x : predict(at);
    good = reach(x, at, point);
    sum += rule_->weights[i] * at * (x.lambda - linear_.lambda);
    if (good && (known_.empty() || known_.back().q < at)) remember(at, x);
  }
  first_loading_ = good ? first_loading_ + half * sum : std::numeric_limits<double>::quiet_NaN();
  return good;
}

/// Area of the closed loop; memory and solutions are those at its upper end. The shape turns freely while the amplitude
/// passes zero, so that no internal mode may be left out here.
void RqnmaRun::trace_modal_loop(const Point& top, BackbonePoint& point) {
  const Condensed all(condensed_.system(), std::numeric_limits<double>::infinity());
  NewtonOptions newton = options_.newton;
  newton.least_lambda = linear_.lambda;
  QuasiStatic solver(all, *points_, rest_, force_at_rest_, newton);
  const auto keep = points_->clone();
  std::fill(lost_.begin(), lost_.end(), 0.0);
  Point x{condensed_.complete(top.lambda, top.y), top.lambda};
  const double q = point.amplitude;
  const double down = modal_work(solver, x, q, -q, point), up = modal_work(solver, x, -q, q, point);
  point.dissipation = down + up;
  points_->recall(*keep);
}

/// int lambda q dq along half a loop.
double RqnmaRun::modal_work(QuasiStatic& solver, Point& x, double from, double to, BackbonePoint& point) {
  const double half = 0.5 * (to - from), middle = 0.5 * (to + from);
  double sum = 0, now = from;
  for (std::size_t i = 0; i < rule_->points.size(); ++i) {
    const double next = i == 0 ? from : middle + half * rule_->points[i];
    if (next != now && !step_along(solver, x, now, next, 0, point)) {
      point.flag = "the modal loop could not be traced at amplitude " + std::to_string(next / point.amplitude) + " q";
      return std::numeric_limits<double>::quiet_NaN();
    }
    sum += rule_->weights[i] * x.lambda * next;
  }
  return half * sum;
}

/// From one signed amplitude to another, in halves where one step fails. The guess keeps shape and modal force.
bool RqnmaRun::step_along(QuasiStatic& solver, Point& x, double& q_now, double q_next, int depth,
                          BackbonePoint& point) {
  if (q_next != 0) {
    Point trial{(q_next / q_now) * x.y, x.lambda * q_now / q_next};
    const NewtonReport report = solver.solve(trial, q_next);
    point.iterations += report.iterations;
    // The other side of the amplitude constraint solves the equations too: refuse to turn back.
    if (report.converged() && trial.y.dot(x.y) * q_now * q_next > 0) {
      x = trial;
      q_now = q_next;
      points_->advance(solver.displacements_at(x.y), lost_);
      return true;
    }
  }
  if (depth == 8) return false;
  const double middle = q_now + 0.5 * (q_next - q_now);
  return step_along(solver, x, q_now, middle, depth + 1, point) &&
         step_along(solver, x, q_now, q_next, depth + 1, point);
}

}  // namespace microslip::detail
