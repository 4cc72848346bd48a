// Derivatives of frequency and damping with respect to the joint's parameters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::VectorXd;
using std::numbers::pi;

namespace {

constexpr auto exact = QuasiStatic::Jacobian::exact;

/// The largest change from `before` to `now`, over themselves or, where that is more, a size that matters.
double change(const VectorXd& now, const VectorXd& before, const VectorXd& size) {
  if (!now.allFinite()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Eigen::Index i = 0; i < now.size(); ++i)
    if (now(i) != before(i))
      largest =
          std::max(largest, std::abs(now(i) - before(i)) / std::max({std::abs(now(i)), std::abs(before(i)), size(i)}));
  return largest;
}

}  // namespace

void RqnmaRun::set_slopes(double lambda_top, const VectorXd& d_top, double lambda_bottom, const VectorXd& d_bottom,
                          BackbonePoint& point) {
  const double q = point.amplitude, omega = 2 * pi * point.frequency_hz;
  const VectorXd d_omega = 0.25 * (d_top / std::sqrt(lambda_top) + d_bottom / std::sqrt(lambda_bottom));
  point.d_frequency_hz = d_omega / (2 * pi);
  point.d_dissipation = sensitivity_->loss();
  const double scale = 2 * pi * omega * omega * q * q;
  point.d_damping_ratio = (point.d_dissipation - (2 * point.dissipation / omega) * d_omega) / scale;
}

void RqnmaRun::differentiate_masing(const Point& top, BackbonePoint& point) {
  sensitivity_->restart();
  const auto& jacobian = solver_->factorised(top, exact);
  const std::vector<double> w = solver_->displacements_at(top.y);
  sensitivity_->step(jacobian, w, false);
  sensitivity_->add_masing_loop(w);
  set_slopes(top.lambda, sensitivity_->lambda(), top.lambda, sensitivity_->lambda(), point);
}

/// Along every end that was met, from the start on; the last two are those of the closed loop.
void RqnmaRun::differentiate_steps(const std::vector<Point>& ends, BackbonePoint& point) {
  sensitivity_->restart();
  points_->recall(*start_);
  std::vector<double> ignored(lost_.size());
  VectorXd before = sensitivity_->lambda();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    before = sensitivity_->lambda();
    if (i + 2 == ends.size()) sensitivity_->clear_loss();
    const auto& jacobian = solver_->factorised(ends[i], exact);
    const std::vector<double> w = solver_->displacements_at(ends[i].y);
    sensitivity_->step(jacobian, w, true);
    points_->advance(w, ignored);
  }
  set_slopes(ends.back().lambda, sensitivity_->lambda(), ends[ends.size() - 2].lambda, before, point);
}

/// Round by round from first loading until the loop closes, along every end. Where that is another loop than the one
/// found, there are no derivatives.
void RqnmaRun::differentiate_way(const Loop& loaded, const Loop& loop, BackbonePoint& point) {
  std::vector<Point> ends{loaded.top};
  Loop way = loaded;
  BackbonePoint round = point;
  bool closed = false;
  points_->set_memory(loaded.memory);
  for (int i = 0; i < options_.max_loops && !closed; ++i) {
    const Loop from = way;
    if (!go_round(way, round)) break;
    ends.insert(ends.end(), {way.bottom, way.top});
    closed = force_gap(from.top, way.top) <= options_.loop_tolerance;
  }
  const double close = 10 * options_.loop_tolerance;
  if (closed && force_gap(loop.top, way.top) <= close && force_gap(loop.bottom, way.bottom) <= close) {
    differentiate_steps(ends, point);
    return;
  }
  result_.notes.push_back(fmt::format(
      "at amplitude {:.3g} points slipped on the way to a loop on which they stick, and plain rounds do not "
      "lead to it: no derivatives by the joint's parameters",
      point.amplitude));
}

/// Whether points slipped after first loading and stick on the loop.
bool RqnmaRun::stuck_after_slip(const Loop& loaded) const {
  const std::vector<double>&top = round_->down().memory, &bottom = round_->up().memory;
  for (std::size_t i = 0; i < top.size(); ++i)
    if (top[i] == bottom[i] && std::abs(top[i] - loaded.memory[i]) > 1e-9 * std::abs(top[i])) return true;
  return false;
}

/// On the closed loop, whose memory does not move: what derivatives gain in a round is linear in what they have, so
/// that those which come back to themselves are found at once. What first loading left in points that never slip again
/// stays as it was; with points that slipped after it and then no more, derivatives follow the way. Where they do not
/// settle, there are none.
void RqnmaRun::differentiate_loop(const Loop& loaded, const Loop& loop, BackbonePoint& point) {
  linearise_round(loop, loop, exact);
  if (stuck_after_slip(loaded)) {
    differentiate_way(loaded, loop, point);
    return;
  }
  sensitivity_->restart();
  points_->recall(*start_);
  {
    const auto& jacobian = solver_->factorised(loaded.top, exact);
    sensitivity_->step(jacobian, solver_->displacements_at(loaded.top.y), true);
  }
  const RoundSlope::Leg &down = round_->down(), &up = round_->up();
  // What matters: a parameter's own size in a thousandth of lambda, and in the loss.
  const auto n = static_cast<Eigen::Index>(parameters_.size());
  VectorXd size = VectorXd::Zero(3 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double p = std::abs(parameters_[static_cast<std::size_t>(i)].second);
    if (p > 0) size(i) = size(n + i) = 1e-3 * loop.top.lambda / p;
    if (p > 0) size(2 * n + i) = point.dissipation / p;
  }
  constexpr double goal = 1e-9, accepted = 1e-4;
  double last_change = std::numeric_limits<double>::infinity();
  VectorXd d_bottom, d_top, seen, s;
  for (int round = 0; round < 20; ++round) {
    const auto slopes = sensitivity_->memory_slopes();
    sensitivity_->set_memory(down.memory);
    sensitivity_->clear_loss();
    sensitivity_->step(*down.jacobian, down.w, true);
    d_bottom = sensitivity_->lambda();
    sensitivity_->set_memory(up.memory);
    sensitivity_->step(*up.jacobian, up.w, true);
    d_top = sensitivity_->lambda();
    VectorXd now(3 * n);
    now << d_bottom, d_top, sensitivity_->loss();
    if (round > 0) last_change = change(now, seen, size);
    if (last_change <= goal) break;
    seen = now;
    if (round == 0) continue;  // the first round only forgets first loading
    const auto led = sensitivity_->memory_slopes();
    for (std::size_t p = 0; p < led.size(); ++p) {
      const Eigen::Map<const VectorXd> had(slopes[p].data(), static_cast<Eigen::Index>(slopes[p].size())),
          has(led[p].data(), static_cast<Eigen::Index>(led[p].size()));
      round_->solve(has - had, loop.memory, s, {.most = 60, .tolerance = 1e-10});
      const VectorXd closed = had + s;
      sensitivity_->set_memory_slope(p, {closed.data(), led[p].size()});
    }
  }
  if (last_change <= accepted) {
    set_slopes(loop.top.lambda, d_top, loop.bottom.lambda, d_bottom, point);
    return;
  }
  result_.notes.push_back(
      fmt::format("at amplitude {:.3g} the derivatives by the joint's parameters did not settle, they still change by "
                  "{:.1g} of themselves in a round: left out",
                  point.amplitude, last_change));
}

}  // namespace microslip::detail
