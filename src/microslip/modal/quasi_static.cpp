#include <cmath>
#include <utility>

#include <microslip/modal/quasi_static.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::VectorXd;

QuasiStatic::QuasiStatic(const Condensed& condensed, const JointPoints<double>& joint, std::vector<double> rest,
                         std::vector<double> force_at_rest, const NewtonOptions& options)
    : condensed_(condensed),
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

void QuasiStatic::factorise(const Point& x) {
  const Index m = condensed_.size();
  condensed_.fill(x.lambda, J_);
  condensed_.add_stiffness(response_.tangent, J_);
  J_.col(m).head(m) = -products_.N_y;
  J_.row(m).head(m) = products_.N_y;
  J_(m, m) = 0.5 * products_.y_dN_y;
  lu_.compute(J_);
}

const Eigen::PartialPivLU<Eigen::MatrixXd>& QuasiStatic::factorised(const Point& x) {
  measure(x, 1);
  factorise(x);
  return lu_;
}

NewtonReport QuasiStatic::solve(Point& x, double q) {
  const Index m = condensed_.size();
  NewtonReport report;
  Misfit misfit = measure(x, q);
  double smallest = misfit.size();
  for (;; ++report.iterations) {
    report.residual = misfit.residual;
    if (!std::isfinite(misfit.size())) {
      report.outcome = Outcome::step_too_small;
      return report;
    }
    if (misfit.size() <= options_.tolerance) break;
    if (report.iterations >= options_.max_iterations) break;
    factorise(x);
    rhs_.resize(m + 1);
    rhs_.head(m) = -residual_;
    rhs_(m) = 0.5 * (q * q - x.y.dot(products_.N_y));
    step_ = lu_.solve(rhs_);
    double part = 1;
    Misfit next{};
    for (int k = 0;; ++k, part *= 0.5) {
      trial_.y = x.y + part * step_.head(m);
      trial_.lambda = x.lambda + part * step_(m);
      next = measure(trial_, q);
      if (next.size() < misfit.size() || k == 7) break;
      if (misfit.size() <= options_.accepted) break;  // rounding: no step makes it better
    }
    const bool better = next.size() < misfit.size();
    if (!better && misfit.size() <= options_.accepted) {
      measure(x, q);
      break;
    }
    std::swap(x, trial_);
    misfit = next;
    smallest = std::min(smallest, misfit.size());
  }
  report.residual = misfit.residual;
  if (misfit.size() <= options_.accepted) report.outcome = Outcome::converged;
  return report;
}

}  // namespace microslip
