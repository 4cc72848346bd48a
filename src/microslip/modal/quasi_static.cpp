#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Jacobi>

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
  const double inertia = std::max(std::abs(x.lambda), options_.least_lambda) * products_.N_y.norm(), q_squared = q * q;
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

void QuasiStatic::find_step(const Point& x) {
  constexpr Index large = 128;
  if (condensed_.size() >= large && has_factor_ && gmres(x)) return;
  factorise(x);
  has_factor_ = true;
  step_ = lu_.solve(rhs_);
}

/// The bordered Jacobian at x times a vector; products_ and response_ are those of x.
void QuasiStatic::apply_jacobian(const Point& x, const VectorXd& in, VectorXd& out) {
  const Index m = condensed_.size();
  const VectorXd y = in.head(m);
  condensed_.multiply(x.lambda, y, along_);
  condensed_.displace(y, w_along_);
  for (std::size_t p = 0; p < response_.tangent.size(); ++p) {
    const auto& k = response_.tangent[p];
    const std::array<double, 3> w{w_along_[3 * p], w_along_[3 * p + 1], w_along_[3 * p + 2]};
    for (std::size_t i = 0; i < 3; ++i) w_along_[3 * p + i] = k[i][0] * w[0] + k[i][1] * w[1] + k[i][2] * w[2];
  }
  condensed_.add_forces(w_along_, along_.A_y);
  out.resize(m + 1);
  out.head(m) = along_.A_y - in(m)*products_.N_y;
  out(m) = products_.N_y.dot(y) + 0.5 * products_.y_dN_y * in(m);
}

/// Newton's step by GMRES, preconditioned with the last factorisation; false where that is too old. lambda is brought
/// to the size of y, or its norm would be all that counts.
bool QuasiStatic::gmres(const Point& x) {
  constexpr Index most = 16;
  constexpr double tolerance = 1e-5;
  const Index n = condensed_.size() + 1;
  const double scale = x.y.norm() / std::max(std::abs(x.lambda), options_.least_lambda);
  const auto preconditioned = [&](const VectorXd& vector) {
    VectorXd solved = lu_.solve(vector);
    solved(n - 1) *= scale;
    return solved;
  };
  const auto unscaled = [&](VectorXd vector) {
    vector(n - 1) /= scale;
    return vector;
  };
  Eigen::MatrixXd V(n, most + 1), H = Eigen::MatrixXd::Zero(most + 1, most);
  VectorXd applied, g = VectorXd::Zero(most + 1);
  V.col(0) = preconditioned(rhs_);
  const double start = V.col(0).norm();
  V.col(0) /= start;
  std::vector<Eigen::JacobiRotation<double>> turns;
  g(0) = start;
  for (Index k = 0; k < most; ++k) {
    apply_jacobian(x, unscaled(V.col(k)), applied);
    VectorXd next = preconditioned(applied);
    for (Index j = 0; j <= k; ++j) {
      H(j, k) = V.col(j).dot(next);
      next -= H(j, k) * V.col(j);
    }
    H(k + 1, k) = next.norm();
    if (!std::isfinite(H(k + 1, k))) return false;
    V.col(k + 1) = next / H(k + 1, k);
    for (Index j = 0; j < k; ++j) H.col(k).applyOnTheLeft(j, j + 1, turns[static_cast<std::size_t>(j)].adjoint());
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(H(k, k), H(k + 1, k));
    H.col(k).applyOnTheLeft(k, k + 1, turn.adjoint());
    g.applyOnTheLeft(k, k + 1, turn.adjoint());
    turns.push_back(turn);
    if (std::abs(g(k + 1)) > tolerance * start) continue;
    const VectorXd mixture = H.topLeftCorner(k + 1, k + 1).triangularView<Eigen::Upper>().solve(g.head(k + 1));
    step_ = unscaled(V.leftCols(k + 1) * mixture);
    return step_.allFinite();
  }
  return false;
}

NewtonReport QuasiStatic::solve(Point& x, double q) {
  const Index m = condensed_.size();
  NewtonReport report;
  Misfit misfit = measure(x, q);
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
    find_step(x);
    // A step is good if the residual falls, or if what Newton's method would do next is shorter (Deuflhard's natural
    // test, which does not mind stiff contacts); else the part of it after which that is shortest.
    const double lambda_scale = std::max(std::abs(x.lambda), options_.least_lambda), y_scale = x.y.norm();
    const auto length = [&](const VectorXd& step) {
      return step.head(m).norm() / y_scale + std::abs(step(m)) / lambda_scale;
    };
    const double now = length(lu_.solve(rhs_));
    Misfit next{};
    double best_part = 1, shortest = std::numeric_limits<double>::infinity();
    for (double part = 1;; part *= 0.5) {
      const bool last = part < 0.02;
      if (last) part = best_part;
      trial_.y = x.y + part * step_.head(m);
      trial_.lambda = x.lambda + part * step_(m);
      next = measure(trial_, q);
      if (last || next.size() < misfit.size()) break;
      if (misfit.size() <= options_.accepted) break;  // rounding: no step makes it better
      rhs_.head(m) = -residual_;
      rhs_(m) = 0.5 * (q * q - trial_.y.dot(products_.N_y));
      const double ahead = length(lu_.solve(rhs_));
      if (ahead <= (1 - 0.25 * part) * now) break;
      if (ahead < shortest) {
        shortest = ahead;
        best_part = part;
      }
    }
    const bool better = next.size() < misfit.size();
    if (!better && misfit.size() <= options_.accepted) {
      measure(x, q);
      break;
    }
    std::swap(x, trial_);
    misfit = next;
  }
  report.residual = misfit.residual;
  if (misfit.size() <= options_.accepted) report.outcome = Outcome::converged;
  return report;
}

}  // namespace microslip
