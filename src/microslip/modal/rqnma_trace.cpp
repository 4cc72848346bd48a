// Dissipation from what lies between the ends: modal force against modal amplitude [Porter2022, Eqs. 36-38, Fig. 6a and
// c], and the laws' own losses where points do not go straight from end to end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/modal/modal_loop.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::VectorXd;

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

/// Once down and up through the stations of s, and again until the way so traced has closed: where pressure changes it
/// is not the straight one on which the loop was closed. Its energy is the work of the modal force by the stations'
/// weights, or what the laws lose, which is left in lost_.
double RqnmaRun::trace(ModalLoop& path, const GaussLobatto& stations, double negligible, BackbonePoint& point) {
  double energy = 0;
  for (int round = 0; round < options_.max_loops; ++round) {
    std::fill(lost_.begin(), lost_.end(), 0.0);
    const VectorXd begin = path.y();
    double work = 0;
    for (const double sense : {-1.0, 1.0})
      for (std::size_t i = 0; i < stations.points.size(); ++i) {
        const double s = sense * stations.points[i];
        if (!path.go_to(s, lost_)) {
          point.flag = fmt::format("the loop could not be traced at amplitude {:.3g} q", s);
          return std::numeric_limits<double>::quiet_NaN();
        }
        work += sense * stations.weights[i] * path.power();
      }
    const double before = std::exchange(energy, modal() ? work : std::accumulate(lost_.begin(), lost_.end(), 0.0));
    const double enough = modal() ? 1e-6 : 0.1 * options_.trace_tolerance;
    const bool settled = round > 0 && std::abs(energy - before) <= enough * std::abs(energy) + negligible;
    if (settled || path.off(begin) <= 1e-6) return energy;
  }
  point.flag = fmt::format("the traced loop did not close in {} rounds", options_.max_loops);
  return energy;
}

/// Energy of the closed loop from what lies between its ends; memory is that at its upper end, and is left so.
void RqnmaRun::trace_loop(const Loop& loop, BackbonePoint& point) {
  const double q = point.amplitude;
  const auto keep = points_->clone();
  ModalLoop path(condensed_, *points_, rest_, force_at_rest_, options_.newton,
                 {condensed_.expand(loop.top.lambda, loop.top.y) / q, loop.top.y, loop.top.lambda},
                 {condensed_.expand(loop.bottom.lambda, loop.bottom.y) / -q, loop.bottom.y, loop.bottom.lambda}, q);
  const double negligible = 1e-12 * loop.top.lambda * q * q;
  if (modal())
    point.dissipation = trace(path, *rule_, negligible, point);
  else
    trace_losses(path, negligible, point);
  point.iterations += path.iterations();
  points_->recall(*keep);
}

/// What the laws lose, with ever more stations until it has settled: straight ways between stations are exact.
void RqnmaRun::trace_losses(ModalLoop& path, double negligible, BackbonePoint& point) {
  constexpr int most = 129;
  for (int n = 3;; n = 2 * n - 1) {
    const double before = std::exchange(point.dissipation, trace(path, gauss_lobatto(n), negligible, point));
    if (!point.flag.empty()) return;
    const double change = std::abs(point.dissipation - before);
    if (change <= options_.trace_tolerance * point.dissipation + negligible) return;
    if (n >= most) {
      point.flag =
          fmt::format("the loop's loss did not settle: it changes by {:.1g} of itself at {} points of each half",
                      change / point.dissipation, n);
      return;
    }
  }
}

}  // namespace microslip::detail
