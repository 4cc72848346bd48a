#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include <microslip/modal/modal_loop.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ModalLoop::ModalLoop(const Condensed& condensed, JointPoints<double>& points, const std::vector<double>& rest,
                     const std::vector<double>& force_at_rest, const NewtonOptions& options, const End& top,
                     const End& bottom, double q)
    : condensed_(condensed),
      points_(points),
      rest_(rest),
      force_at_rest_(force_at_rest),
      options_(options),
      q_(q),
      A_(condensed.stiffness(0)),
      half_way_(0.5 * (top.y - bottom.y)),
      y_(top.y),
      mu_(top.lambda * q),
      lost_(static_cast<std::size_t>(condensed.system().interface().n_points())) {
  const MatrixXd& M = condensed.system().system().mass;
  const VectorXd mean = 0.5 * (top.shape + bottom.shape), half = 0.5 * (top.shape - bottom.shape);
  const VectorXd M_mean = M * mean, M_half = M * half;
  c_even_ = mean.dot(M_mean);
  c_odd_ = half.dot(M_half);
  c_cross_ = mean.dot(M_half);
  mean_ = {condensed.condense(M_mean), condensed.static_far(M_mean)};
  half_difference_ = {condensed.condense(M_half), condensed.static_far(M_half)};
  inertia_ = mu_ * (mean_.on_y + half_difference_.on_y).norm();
}

ModalLoop::Load ModalLoop::load_at(double s) const {
  return {mean_.on_y + s * half_difference_.on_y, mean_.far + s * half_difference_.far};
}

double ModalLoop::along(const Load& direction, const VectorXd& y, double mu, const Load& acting) const {
  return direction.on_y.dot(y) + mu * direction.far.dot(acting.far);
}

double ModalLoop::target(double s) const { return s * q_ * (c_even_ + 2 * s * c_cross_ + s * s * c_odd_); }

double ModalLoop::power() const {
  const double slope = c_even_ + 4 * s_ * c_cross_ + 3 * s_ * s_ * c_odd_;
  return mu_ * (q_ * slope - along(half_difference_, y_, mu_, load_at(s_)));
}

/// Residuals of (1), relative to the forces of inertia and to the amplitude.
double ModalLoop::measure(const VectorXd& y, double mu, const Load& p, double target) {
  condensed_.displace(y, w_);
  for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += rest_[i];
  points_.evaluate(w_, response_);
  for (std::size_t i = 0; i < w_.size(); ++i) response_.force[i] -= force_at_rest_[i];
  residual_ = A_ * y - mu * p.on_y;
  condensed_.add_forces(response_.force, residual_);
  misfit_ = along(p, y, mu, p) - target;
  return residual_.norm() / inertia_ + std::abs(misfit_) / q_;
}

bool ModalLoop::solve(double s, VectorXd& y, double& mu) {
  const Index m = condensed_.size();
  const Load p = load_at(s);
  const double goal = target(s);
  MatrixXd J(m + 1, m + 1);
  VectorXd rhs(m + 1), trial;
  double size = measure(y, mu, p, goal);
  for (int i = 0; i < options_.max_iterations && size > options_.tolerance; ++i, ++iterations_) {
    if (!std::isfinite(size)) return false;
    J.topLeftCorner(m, m) = A_;
    condensed_.add_stiffness(response_.tangent, J);
    J.col(m).head(m) = -p.on_y;
    J.row(m).head(m) = p.on_y;
    J(m, m) = p.far.squaredNorm();
    rhs << -residual_, -misfit_;
    const VectorXd step = J.partialPivLu().solve(rhs);
    double part = 1, now = size;
    for (; part > 0.001; part *= 0.5) {
      trial = y + part * step.head(m);
      now = measure(trial, mu + part * step(m), p, goal);
      if (now < size || size <= options_.accepted) break;
    }
    if (!(now < size) && size <= options_.accepted) break;  // rounding: no step makes it better
    y = trial;
    mu += part * step(m);
    size = now;
  }
  return measure(y, mu, p, goal) <= options_.accepted;
}

bool ModalLoop::go_to(double s, int depth) {
  if (s == s_) return true;
  VectorXd y = y_ + (s - s_) * half_way_;  // laws must know which way they go
  double mu = mu_;
  if (solve(s, y, mu)) {
    y_ = y;
    mu_ = mu;
    s_ = s;
    points_.advance(w_, lost_);
    return true;
  }
  if (depth == 8) return false;
  return go_to(s_ + 0.5 * (s - s_), depth + 1) && go_to(s, depth + 1);
}

}  // namespace microslip
