#include <cmath>

#include <microslip/modal/energy_search.hpp>
#include <microslip/modal/gmres.hpp>
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
      A_(condensed.static_stiffness()),
      half_way_(0.5 * (top.y - bottom.y)),
      y_(top.y),
      mu_at_top_(top.lambda * q),
      mu_(mu_at_top_) {
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

/// The bordered Jacobian of (1) times a vector, with the tangents last measured.
void ModalLoop::apply_jacobian(const Load& p, const VectorXd& in, VectorXd& out) {
  const Index m = condensed_.size();
  const VectorXd y = in.head(m);
  VectorXd force = A_ * y - in(m)*p.on_y;
  condensed_.add_tangent_forces(response_.tangent, y, force);
  out.resize(m + 1);
  out << force, p.on_y.dot(y) + p.far.squaredNorm() * in(m);
}

/// Newton's step: where the joint is large, by GMRES with the last factorisation as long as that is good enough.
VectorXd ModalLoop::newton_step(const Load& p) {
  const Index m = condensed_.size();
  VectorXd rhs(m + 1);
  rhs << -residual_, -misfit_;
  if (condensed_.large() && factorised_) {
    // mu is brought to the size of y, or its norm would be all that counts.
    const double scale = half_way_.norm() / mu_at_top_;
    VectorXd unscaled, applied, step;
    const auto preconditioned = [&](const VectorXd& in, VectorXd& out) {
      unscaled = in;
      unscaled(m) /= scale;
      apply_jacobian(p, unscaled, applied);
      out = lu_.solve(applied);
      out(m) *= scale;
    };
    VectorXd start = lu_.solve(rhs);
    start(m) *= scale;
    if (gmres(preconditioned, start, step, {.most = 16, .tolerance = 1e-4}).converged) {
      step(m) /= scale;
      return step;
    }
  }
  MatrixXd J(m + 1, m + 1);
  J.topLeftCorner(m, m) = A_;
  condensed_.add_stiffness(response_.tangent, J);
  J.col(m).head(m) = -p.on_y;
  J.row(m).head(m) = p.on_y;
  J(m, m) = p.far.squaredNorm();
  lu_.compute(J);
  factorised_ = true;
  return lu_.solve(rhs);
}

bool ModalLoop::solve(double s, VectorXd& y, double& mu) {
  const Index m = condensed_.size();
  const Load p = load_at(s);
  const double goal = target(s);
  VectorXd trial;
  double size = measure(y, mu, p, goal);
  for (int i = 0; i < options_.max_iterations && size > options_.tolerance; ++i, ++iterations_) {
    if (!std::isfinite(size)) return false;
    const VectorXd step = newton_step(p);
    const double work_0 = residual_.dot(step.head(m));
    double mu_now = mu, now = size;
    const auto work_at = [&](double part) {
      trial = y + part * step.head(m);
      mu_now = mu + part * step(m);
      now = measure(trial, mu_now, p, goal);
      return residual_.dot(step.head(m));
    };
    const double work_1 = work_at(1);
    if (!(now < 0.5 * size) && size <= options_.accepted && !(now < size)) break;  // rounding: no step makes it better
    if (!(now < 0.5 * size) && work_0 < 0 && work_1 > -0.5 * work_0) bottom_of_energy(work_0, work_1, work_at);
    y = trial;
    mu = mu_now;
    size = now;
  }
  return measure(y, mu, p, goal) <= options_.accepted;
}

bool ModalLoop::go_to(double s, std::span<double> lost, int depth) {
  if (s == s_) return true;
  VectorXd y = y_ + (s - s_) * half_way_;  // laws must know which way they go
  double mu = mu_;
  if (solve(s, y, mu)) {
    y_ = y;
    mu_ = mu;
    s_ = s;
    points_.advance(w_, lost);
    return true;
  }
  if (depth == 8) return false;
  return go_to(s_ + 0.5 * (s - s_), lost, depth + 1) && go_to(s, lost, depth + 1);
}

}  // namespace microslip
