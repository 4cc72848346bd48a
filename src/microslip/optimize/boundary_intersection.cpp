#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

#include <nlopt.hpp>

#include <microslip/core/check.hpp>
#include <microslip/optimize/boundary_intersection.hpp>

namespace microslip {

namespace {

using Eigen::Index;

/// The ray, with the last point remembered: value and gradient of both constraints come from one evaluation.
struct Ray {
  const TwoObjectives& objectives;
  Point utopia, direction;
  Eigen::VectorXd at{};
  Eigen::Matrix2Xd gradients{};
  Point f{};
  int evaluations = 0;
  std::exception_ptr thrown{};  // NLopt would forget its text

  void evaluate(const Eigen::VectorXd& x) {
    if (at.size() == x.size() && at == x) return;
    ++evaluations;
    gradients.resize(2, x.size());
    f = objectives(x, &gradients);
    at = x;
  }
};

/// Variables are (x, t); what is made small is t.
double along_ray(unsigned n, const double* variables, double* gradient, void*) {
  if (gradient != nullptr) {
    std::fill_n(gradient, n, 0.0);
    gradient[n - 1] = 1;
  }
  return variables[n - 1];
}

void off_ray(unsigned, double* result, unsigned n, const double* variables, double* gradient, void* data) {
  Ray& ray = *static_cast<Ray*>(data);
  const Index n_x = static_cast<Index>(n) - 1;
  try {
    ray.evaluate(Eigen::Map<const Eigen::VectorXd>(variables, n_x));
  } catch (...) {
    ray.thrown = std::current_exception();
    throw nlopt::forced_stop();
  }
  if (gradient != nullptr && !ray.gradients.allFinite()) throw nlopt::forced_stop();  // no derivative, no direction
  for (std::size_t k = 0; k < 2; ++k) {
    result[k] = ray.f[k] - ray.utopia[k] - variables[n_x] * ray.direction[k];
    if (gradient == nullptr) continue;
    Eigen::Map<Eigen::RowVectorXd>(gradient + k * n, n_x) = ray.gradients.row(static_cast<Index>(k));
    gradient[k * n + static_cast<std::size_t>(n_x)] = -ray.direction[k];
  }
}

}  // namespace

BoundaryIntersection intersect_boundary(const TwoObjectives& objectives, const Point& utopia, double psi,
                                        const Eigen::VectorXd& start, const BoundaryIntersectionOptions& options) {
  for (const Eigen::VectorXd* bound : {&options.lower, &options.upper})
    if (bound->size() != 0 && bound->size() != start.size())
      throw InvalidInput(fmt::format("boundary intersection: {} bounds for {} variables", bound->size(), start.size()));
  const auto n = static_cast<std::size_t>(start.size());
  Ray ray{objectives, utopia, {std::cos(psi), std::sin(psi)}};
  ray.evaluate(start);
  // Where the start lies as seen from the utopian point: t is its projection on the ray.
  const double t_0 = (ray.f[0] - utopia[0]) * ray.direction[0] + (ray.f[1] - utopia[1]) * ray.direction[1];

  nlopt::opt solver(nlopt::LD_SLSQP, static_cast<unsigned>(n + 1));
  std::vector<double> lower(n + 1, -HUGE_VAL), upper(n + 1, HUGE_VAL);  // none for t
  std::copy_n(options.lower.data(), options.lower.size(), lower.begin());
  std::copy_n(options.upper.data(), options.upper.size(), upper.begin());
  solver.set_lower_bounds(lower);
  solver.set_upper_bounds(upper);
  solver.set_xtol_rel(options.x_tolerance);
  solver.set_maxeval(options.max_evaluations);
  solver.set_min_objective(along_ray, nullptr);
  solver.add_equality_mconstraint(off_ray, &ray, {1e-10, 1e-10});

  BoundaryIntersection result;
  std::vector<double> variables(start.data(), start.data() + n);
  variables.push_back(t_0);
  try {
    double t = 0;
    const nlopt::result ended = solver.optimize(variables, t);
    result.outcome = ended == nlopt::MAXEVAL_REACHED ? Outcome::iteration_limit : Outcome::converged;
  } catch (const nlopt::roundoff_limited&) {
    result.outcome = Outcome::step_too_small;
  } catch (const std::invalid_argument& error) {
    throw InvalidInput(fmt::format("boundary intersection: {}", error.what()));
  } catch (const std::runtime_error&) {
    if (ray.thrown) std::rethrow_exception(ray.thrown);
    result.outcome = Outcome::step_too_small;  // stopped, or NLopt's general failure: the last point stands for itself
  }
  result.x = Eigen::Map<const Eigen::VectorXd>(variables.data(), start.size());
  ray.evaluate(result.x);
  result.f = ray.f;
  result.t = variables.back();
  const double along = (result.f[0] - utopia[0]) * ray.direction[0] + (result.f[1] - utopia[1]) * ray.direction[1];
  result.missed = std::hypot(result.f[0] - utopia[0] - along * ray.direction[0],
                             result.f[1] - utopia[1] - along * ray.direction[1]);
  result.evaluations = ray.evaluations;
  return result;
}

}  // namespace microslip
