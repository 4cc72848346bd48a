#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <microslip/modal/energy_search.hpp>
#include <microslip/modal/gmres.hpp>
#include <microslip/modal/quasi_static.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void LinearPart::form(double lambda, Eigen::Ref<MatrixXd> A) {
  constexpr double far = 0.05;
  if (A_.size() == 0 || !(std::abs(lambda - lambda_) <= far * std::abs(lambda_))) {
    lambda_ = lambda;
    A_ = condensed_.stiffness(lambda);
    N_ = condensed_.mass(lambda);
  }
  A = A_ - (lambda - lambda_) * N_;
}

QuasiStatic::QuasiStatic(const Condensed& condensed, LinearPart& linear, const JointPoints<double>& joint,
                         std::vector<double> rest, std::vector<double> force_at_rest, const NewtonOptions& options)
    : condensed_(condensed),
      linear_(linear),
      joint_(joint),
      rest_(std::move(rest)),
      force_at_rest_(std::move(force_at_rest)),
      options_(options),
      J_(condensed.size() + 1, condensed.size() + 1),
      lu_(condensed.size() + 1) {}

const std::vector<double>& QuasiStatic::displacements_at(const VectorXd& y) {
  condensed_.displace(y, w_);
  for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += rest_[i];
  return w_;
}

QuasiStatic::Misfit QuasiStatic::measure(const Point& x, double q) {
  joint_.evaluate(displacements_at(x.y), response_);
  for (std::size_t i = 0; i < w_.size(); ++i) response_.force[i] -= force_at_rest_[i];
  force_.setZero(condensed_.size());
  condensed_.add_forces(response_.force, force_);
  condensed_.multiply(x.lambda, x.y, products_);
  residual_ = products_.A_y + force_;
  const double inertia = std::abs(x.lambda) * products_.N_y.norm(), q_squared = q * q;
  return {residual_.norm() / inertia, std::abs(x.y.dot(products_.N_y) / q_squared - 1)};
}

/// One that is this near serves as well.
void QuasiStatic::follow(double lambda) {
  constexpr double near = 1e-6;
  if (A_.size() > 0 && std::abs(lambda - lambda_now_) <= near * std::abs(lambda_now_)) return;
  A_.resize(condensed_.size(), condensed_.size());
  linear_.form(lambda, A_);
  lambda_now_ = lambda;
}

void QuasiStatic::factorise(const Point& x, Jacobian kind) {
  const Index m = condensed_.size();
  if (kind == Jacobian::exact)
    condensed_.fill(x.lambda, J_);
  else
    linear_.form(x.lambda, J_.topLeftCorner(m, m));
  condensed_.add_stiffness(response_.tangent, J_);
  J_.col(m).head(m) = -products_.N_y;
  J_.row(m).head(m) = products_.N_y;
  J_(m, m) = 0.5 * products_.y_dN_y;
  lu_.compute(J_);
}

const Eigen::PartialPivLU<Eigen::MatrixXd>& QuasiStatic::factorised(const Point& x, Jacobian kind) {
  measure(x, 1);
  factorise(x, kind);
  has_factor_ = true;
  return lu_;
}

/// How exactly Newton's step is worth knowing: as well as the next one is likely to do, judged by what the last one did
/// [Eisenstat1996, choice 2], and no better than is asked for in the end.
double QuasiStatic::forcing(double misfit) const {
  const double fall = misfit_before_ > 0 ? std::pow(misfit / misfit_before_, 2) : 0.1 * misfit;
  return std::clamp(std::max(fall, 0.1 * options_.tolerance / misfit), 1e-9, 1e-2);
}

void QuasiStatic::find_step(const Point& x, double misfit) {
  if (condensed_.large() && has_factor_ && step_by_gmres(x, forcing(misfit))) return;
  factorise(x, Jacobian::near);
  has_factor_ = true;
  step_ = lu_.solve(rhs_);
}

/// The bordered Jacobian times a vector; its linear part, products_ and response_ are those of the point.
void QuasiStatic::apply_jacobian(const VectorXd& in, VectorXd& out) {
  const Index m = condensed_.size();
  y_along_ = in.head(m);
  force_along_.noalias() = A_ * y_along_;
  condensed_.add_tangent_forces(response_.tangent, y_along_, force_along_);
  out.resize(m + 1);
  out.head(m) = force_along_ - in(m)*products_.N_y;
  out(m) = products_.N_y.dot(y_along_) + 0.5 * products_.y_dN_y * in(m);
}

/// Newton's step by GMRES, preconditioned with the last factorisation; false where that is too old. lambda is brought
/// to the size of y, or its norm would be all that counts.
bool QuasiStatic::step_by_gmres(const Point& x, double forcing) {
  const Index n = condensed_.size() + 1;
  const double scale = x.y.norm() / std::abs(x.lambda);
  VectorXd unscaled, applied, scaled_step;
  const auto preconditioned = [&](const VectorXd& in, VectorXd& out) {
    unscaled = in;
    unscaled(n - 1) /= scale;
    apply_jacobian(unscaled, applied);
    out = lu_.solve(applied);
    out(n - 1) *= scale;
  };
  follow(x.lambda);
  VectorXd start = lu_.solve(rhs_);
  start(n - 1) *= scale;
  if (!gmres(preconditioned, start, scaled_step, {.most = 16, .tolerance = forcing}).converged) return false;
  step_ = scaled_step;
  step_(n - 1) /= scale;
  return true;
}

QuasiStatic::Misfit QuasiStatic::try_step(const Point& x, double part, double q) {
  const Index m = condensed_.size();
  trial_.y = x.y + part * step_.head(m);
  trial_.lambda = x.lambda + part * step_(m);
  return measure(trial_, q);
}

/// As much of Newton's step as is good, left in trial_: all of it where the residual falls well. Else, where the step
/// leads downhill in energy (work of the residual along it), as far as the bottom. Only modes above the first may lead
/// uphill.
QuasiStatic::Misfit QuasiStatic::take_step(const Point& x, double q, const Misfit& misfit) {
  const Index m = condensed_.size();
  const auto work = [&] { return residual_.dot(step_.head(m)); };
  const double work_0 = -rhs_.head(m).dot(step_.head(m));
  Misfit next = try_step(x, 1, q);
  if (next.size() < 0.5 * misfit.size() || misfit.size() <= options_.accepted) return next;
  if (!(work_0 < 0) || stalled_ > 4) return shorten_step(x, q, misfit);
  const double work_1 = work();
  if (!(work_1 > -0.5 * work_0)) return next;
  bottom_of_energy(work_0, work_1, [&](double part) {
    next = try_step(x, part, q);
    return work();
  });
  return next;
}

/// A step is good if the residual falls, or if what Newton's method would do next is shorter (Deuflhard's natural
/// test, which does not mind stiff contacts); else the part of it after which that is shortest.
QuasiStatic::Misfit QuasiStatic::shorten_step(const Point& x, double q, const Misfit& misfit) {
  const Index m = condensed_.size();
  const double lambda_scale = std::abs(x.lambda), y_scale = x.y.norm();
  const auto length = [&](const VectorXd& step) {
    return step.head(m).norm() / y_scale + std::abs(step(m)) / lambda_scale;
  };
  const double now = length(lu_.solve(rhs_));
  double best_part = 1, shortest = std::numeric_limits<double>::infinity();
  for (double part = 1;; part *= 0.5) {
    const bool last = part < 0.02;
    if (last) part = best_part;
    const Misfit next = try_step(x, part, q);
    if (last || next.size() < misfit.size()) return next;
    rhs_.head(m) = -residual_;
    rhs_(m) = 0.5 * (q * q - trial_.y.dot(products_.N_y));
    const double ahead = length(lu_.solve(rhs_));
    if (ahead <= (1 - 0.25 * part) * now) return next;
    if (ahead < shortest) {
      shortest = ahead;
      best_part = part;
    }
  }
}

NewtonReport QuasiStatic::solve(Point& x, double q) {
  const Index m = condensed_.size();
  NewtonReport report;
  Misfit misfit = measure(x, q);
  stalled_ = 0;
  misfit_before_ = 0;
  for (;; ++report.iterations) {
    report.residual = misfit.residual;
    if (!std::isfinite(misfit.size())) {
      report.outcome = Outcome::step_too_small;
      return report;
    }
    if (misfit.size() <= options_.tolerance) break;
    if (report.iterations >= options_.max_iterations) break;
    rhs_.resize(m + 1);
    rhs_.head(m) = -residual_;
    rhs_(m) = 0.5 * (q * q - x.y.dot(products_.N_y));
    find_step(x, misfit.size());
    const Misfit next = take_step(x, q, misfit);
    const bool better = next.size() < misfit.size();
    stalled_ = better ? 0 : stalled_ + 1;
    if (!better && misfit.size() <= options_.accepted) {
      measure(x, q);
      break;
    }
    std::swap(x, trial_);
    misfit_before_ = misfit.size();
    misfit = next;
  }
  report.residual = misfit.residual;
  if (misfit.size() <= options_.accepted) report.outcome = Outcome::converged;
  return report;
}

}  // namespace microslip
