#include <algorithm>
#include <cmath>
#include <vector>

#include <microslip/core/check.hpp>
#include <microslip/optimize/least_squares.hpp>

namespace microslip {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double first_damping = 1e-3;

VectorXd within_bounds(VectorXd x, const LeastSquaresOptions& options) {
  if (options.lower.size() > 0) x = x.cwiseMax(options.lower);
  if (options.upper.size() > 0) x = x.cwiseMin(options.upper);
  return x;
}

/// Variables that may move: not those at a bound that descent would cross.
std::vector<Index> free_variables(const VectorXd& x, const VectorXd& gradient, const LeastSquaresOptions& options) {
  std::vector<Index> free;
  for (Index i = 0; i < x.size(); ++i) {
    const bool at_lower = options.lower.size() > 0 && x[i] <= options.lower[i] && gradient[i] > 0;
    const bool at_upper = options.upper.size() > 0 && x[i] >= options.upper[i] && gradient[i] < 0;
    if (!at_lower && !at_upper) free.push_back(i);
  }
  return free;
}

/// The step of the damped normal equations over the free variables, solved as a least-squares problem by QR so that
/// nothing is squared twice.
VectorXd damped_step(const MatrixXd& jacobian, const VectorXd& residuals, const VectorXd& scale, double damping,
                     const std::vector<Index>& free) {
  const Index m = residuals.size(), n = static_cast<Index>(free.size());
  MatrixXd stacked = MatrixXd::Zero(m + n, n);
  VectorXd right = VectorXd::Zero(m + n);
  for (Index j = 0; j < n; ++j) {
    const Index column = free[static_cast<std::size_t>(j)];
    stacked.col(j).head(m) = jacobian.col(column);
    stacked(m + j, j) = std::sqrt(damping) * scale[column];
  }
  right.head(m) = -residuals;
  const VectorXd moved = stacked.colPivHouseholderQr().solve(right);
  VectorXd step = VectorXd::Zero(jacobian.cols());
  for (Index j = 0; j < n; ++j) step[free[static_cast<std::size_t>(j)]] = moved[j];
  return step;
}

/// The same within bounds: a variable that would cross its bound goes to it, and the others are solved for again, so
/// that the iteration does not creep along the bound.
VectorXd bounded_step(const VectorXd& x, const MatrixXd& jacobian, const VectorXd& residuals, const VectorXd& scale,
                      double damping, std::vector<Index> free, const LeastSquaresOptions& options) {
  VectorXd pinned = VectorXd::Zero(x.size());
  while (!free.empty()) {
    const VectorXd step = pinned + damped_step(jacobian, residuals + jacobian * pinned, scale, damping, free);
    VectorXd allowed = within_bounds(x + step, options) - x;
    const std::size_t before = free.size();
    std::erase_if(free, [&](Index i) {
      if (allowed[i] == step[i] || std::abs(allowed[i] - step[i]) <= 1e-14 * std::abs(step[i])) return false;
      pinned[i] = allowed[i];
      return true;
    });
    if (free.size() == before) return allowed;
  }
  return pinned;
}

/// Whether no step that descends is left because this is a minimum to working precision: the residuals are at right
/// angles to what the free variables can change, or have all but vanished, or the minimum of the linear model is as
/// near as a sum of squares can tell, the root of round-off.
bool at_minimum(const LeastSquaresFit& fit, const VectorXd& gradient, const VectorXd& scale,
                const std::vector<Index>& free, double start, const VectorXd& step) {
  constexpr double root = 1e-7;
  double slope = 0;
  for (const Index i : free) slope = std::max(slope, std::abs(gradient[i]) / scale[i]);
  if (slope <= root * std::max(fit.residuals.norm(), root * start)) return true;
  return (step.array().abs() <= root * fit.x.array().abs()).all();
}

}  // namespace

LeastSquaresFit least_squares(const Residuals& residuals, const VectorXd& start, const LeastSquaresOptions& options) {
  for (const VectorXd* bound : {&options.lower, &options.upper})
    if (bound->size() != 0 && bound->size() != start.size())
      throw InvalidInput(fmt::format("least_squares: {} bounds for {} variables", bound->size(), start.size()));

  LeastSquaresFit fit;
  fit.x = within_bounds(start, options);
  fit.residuals = residuals(fit.x, &fit.jacobian);
  fit.sum_of_squares = fit.residuals.squaredNorm();
  if (!std::isfinite(fit.sum_of_squares))
    throw InvalidInput("least_squares: the residuals are not finite at the start");

  VectorXd scale = VectorXd::Zero(start.size());
  const double at_start = fit.residuals.norm();
  double damping = first_damping;
  for (fit.iterations = 0; fit.iterations < options.max_iterations; ++fit.iterations) {
    if (!fit.jacobian.allFinite()) {  // no derivative, no direction: what was reached stands
      fit.outcome = Outcome::step_too_small;
      return fit;
    }
    const VectorXd gradient = fit.jacobian.transpose() * fit.residuals;
    const std::vector<Index> free = free_variables(fit.x, gradient, options);
    scale = scale.cwiseMax(fit.jacobian.colwise().norm().transpose());  // Moré's scaling: units do not matter
    const VectorXd guarded = scale.unaryExpr([](double s) { return s > 0 ? s : 1.0; });
    if (free.empty()) {
      fit.outcome = Outcome::converged;
      return fit;
    }
    // Damping alone makes steps and their gain as small as one likes: what they would be without it decides.
    const auto whole_step = [&] {
      return bounded_step(fit.x, fit.jacobian, fit.residuals, guarded, first_damping, free, options);
    };
    const auto ended = [&] {
      return at_minimum(fit, gradient, guarded, free, at_start, whole_step()) ? Outcome::converged
                                                                              : Outcome::step_too_small;
    };
    bool accepted = false;
    while (!accepted) {
      const VectorXd next = within_bounds(
          fit.x + bounded_step(fit.x, fit.jacobian, fit.residuals, guarded, damping, free, options), options);
      const VectorXd moved = next - fit.x;
      if ((moved.array().abs() <= options.tolerance * (fit.x.array().abs() + options.tolerance)).all()) {
        fit.outcome = ended();
        return fit;
      }
      MatrixXd next_jacobian;
      const VectorXd next_residuals = residuals(next, &next_jacobian);
      const double next_sum = next_residuals.squaredNorm();
      if (next_sum < fit.sum_of_squares) {
        const auto promised = [&](const VectorXd& step) {
          return fit.sum_of_squares - (fit.residuals + fit.jacobian * step).squaredNorm();
        };
        const double predicted = promised(moved);
        const double gain = predicted > 0 ? (fit.sum_of_squares - next_sum) / predicted : 0;
        const double little = options.tolerance * fit.sum_of_squares;
        const bool settled = fit.sum_of_squares - next_sum <= little && predicted <= little &&
                             (damping <= first_damping || promised(whole_step()) <= little);
        damping *= gain > 0.75 ? 0.1 : (gain > 0.25 ? 0.5 : 2.0);
        damping = std::max(damping, 1e-15);
        fit.x = next;
        fit.residuals = next_residuals;
        fit.jacobian = next_jacobian;
        fit.sum_of_squares = next_sum;
        accepted = true;
        if (settled) {
          fit.outcome = Outcome::converged;
          return fit;
        }
      } else {
        damping *= 10;
        if (damping > 1e16) {
          fit.outcome = ended();
          return fit;
        }
      }
    }
  }
  return fit;
}

}  // namespace microslip
