// Derivatives of frequency and damping with respect to the joint's parameters.
#include <cmath>
#include <numbers>

#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::VectorXd;
using std::numbers::pi;

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
  const auto& jacobian = solver_->factorised(top);
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
    const auto& jacobian = solver_->factorised(ends[i]);
    const std::vector<double> w = solver_->displacements_at(ends[i].y);
    sensitivity_->step(jacobian, w, true);
    points_->advance(w, ignored);
  }
  set_slopes(ends.back().lambda, sensitivity_->lambda(), ends[ends.size() - 2].lambda, before, point);
}

/// On the closed loop, whose memory does not move: derivatives go round until they close too. What first loading left
/// in points that never slip again stays as it was.
void RqnmaRun::differentiate_loop(const Point& first, const Point& bottom, const Point& top, BackbonePoint& point) {
  std::vector<double> ignored(lost_.size());
  const std::vector<double> at_top = points_->memory();
  sensitivity_->restart();
  points_->recall(*start_);
  {
    const auto& jacobian = solver_->factorised(first);
    sensitivity_->step(jacobian, solver_->displacements_at(first.y), true);
  }
  points_->set_memory(at_top);
  const Eigen::PartialPivLU<Eigen::MatrixXd> at_bottom_jacobian = solver_->factorised(bottom);
  const std::vector<double> w_bottom = solver_->displacements_at(bottom.y);
  points_->advance(w_bottom, ignored);
  const std::vector<double> at_bottom = points_->memory();
  const Eigen::PartialPivLU<Eigen::MatrixXd> at_top_jacobian = solver_->factorised(top);
  const std::vector<double> w_top = solver_->displacements_at(top.y);
  points_->set_memory(at_top);

  std::vector<Anderson> mixers(sensitivity_->size(), Anderson(at_top.size() / lost_.size()));
  VectorXd d_bottom, d_top, seen;
  for (int round = 0; round < 200; ++round) {
    const auto slopes = sensitivity_->memory_slopes();
    sensitivity_->set_memory(at_top);
    sensitivity_->clear_loss();
    sensitivity_->step(at_bottom_jacobian, w_bottom, true);
    d_bottom = sensitivity_->lambda();
    sensitivity_->set_memory(at_bottom);
    sensitivity_->step(at_top_jacobian, w_top, true);
    d_top = sensitivity_->lambda();
    VectorXd now(d_top.size() * 3);
    now << d_bottom, d_top, sensitivity_->loss();
    const bool settled =
        round > 0 && ((now - seen).array().abs() <= 1e-9 * now.array().abs().max(seen.array().abs())).all();
    if (settled) break;
    seen = now;
    if (round == 0) continue;  // the first round only forgets first loading
    const auto led = sensitivity_->memory_slopes();
    for (std::size_t p = 0; p < mixers.size(); ++p)
      sensitivity_->set_memory_slope(p, mixers[p].next(slopes[p], led[p]));
  }
  set_slopes(top.lambda, d_top, bottom.lambda, d_bottom, point);
}

}  // namespace microslip::detail
