// Derivatives of frequency and damping with respect to the joint's parameters.
#include <cmath>
#include <numbers>

#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::VectorXd;
using std::numbers::pi;

namespace {
constexpr auto exact = QuasiStatic::Jacobian::exact;
}

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

/// On the closed loop, whose memory does not move: what derivatives gain in a round is linear in what they have, so
/// that those which come back to themselves are found at once. What first loading left in points that never slip again
/// stays as it was.
void RqnmaRun::differentiate_loop(const Point& first, const Loop& loop, BackbonePoint& point) {
  sensitivity_->restart();
  points_->recall(*start_);
  {
    const auto& jacobian = solver_->factorised(first, exact);
    sensitivity_->step(jacobian, solver_->displacements_at(first.y), true);
  }
  linearise_round(loop, loop, exact);
  const RoundSlope::Leg &down = round_->down(), &up = round_->up();
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
    VectorXd now(d_top.size() * 3);
    now << d_bottom, d_top, sensitivity_->loss();
    const bool settled =
        round > 0 && ((now - seen).array().abs() <= 1e-9 * now.array().abs().max(seen.array().abs())).all();
    if (settled) break;
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
  set_slopes(loop.top.lambda, d_top, loop.bottom.lambda, d_bottom, point);
}

}  // namespace microslip::detail
