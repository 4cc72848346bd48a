// Dissipation from modal force against modal amplitude [Porter2022, Eqs. 36-38, Fig. 6a and c].
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/modal/modal_loop.hpp>
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
    Point x = !first_.empty() && first_.last().q == at ? first_.last().x : predict(at);
    good = reach(x, at, point);
    sum += rule_->weights[i] * at * (x.lambda - linear_.lambda);
    if (good && (first_.empty() || first_.last().q < at)) first_.add(at, x);
  }
  first_loading_ = good ? first_loading_ + half * sum : std::numeric_limits<double>::quiet_NaN();
  return good;
}

/// Area of the closed loop; memory is that at its upper end, and is left so.
void RqnmaRun::trace_modal_loop(const Loop& loop, BackbonePoint& point) {
  const double q = point.amplitude;
  const auto keep = points_->clone();
  ModalLoop path(condensed_, *points_, rest_, force_at_rest_, options_.newton,
                 {condensed_.expand(loop.top.lambda, loop.top.y) / q, loop.top.y, loop.top.lambda},
                 {condensed_.expand(loop.bottom.lambda, loop.bottom.y) / -q, loop.bottom.y, loop.bottom.lambda}, q);
  for (int round = 0; round < options_.max_loops; ++round) {
    double sum = 0;
    for (const double sense : {-1.0, 1.0})  // down, then up again
      for (std::size_t i = 0; i < rule_->points.size() && point.flag.empty(); ++i) {
        const double s = sense * rule_->points[i];
        if (!path.go_to(s)) point.flag = fmt::format("the modal loop could not be traced at amplitude {:.3g} q", s);
        sum += sense * rule_->weights[i] * path.power();
      }
    const double before = std::exchange(point.dissipation, sum);
    if (!point.flag.empty()) point.dissipation = std::numeric_limits<double>::quiet_NaN();
    // Where pressure changes, the traced way is not the straight one that closed: again, until it has closed too.
    const bool settled = round > 0 && std::abs(sum - before) <= 1e-6 * std::abs(sum) + 1e-12 * loop.top.lambda * q * q;
    if (settled || path.off(loop.top.y) <= 1e-6 || !point.flag.empty()) break;
  }
  point.iterations += path.iterations();
  points_->recall(*keep);
}

}  // namespace microslip::detail
