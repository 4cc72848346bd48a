#include <exception>
#include <vector>

#include <nlopt.hpp>

#include <microslip/core/check.hpp>
#include <microslip/optimize/minimise.hpp>

namespace microslip {

namespace {

nlopt::algorithm algorithm_of(MinimiseMethod method) {
  switch (method) {
    case MinimiseMethod::direct:
      return nlopt::GN_DIRECT_L;
    case MinimiseMethod::nelder_mead:
      return nlopt::LN_NELDERMEAD;
  }
  return nlopt::LN_NELDERMEAD;
}

std::vector<double> to_vector(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

struct Call {
  const Objective& objective;
  int evaluations = 0;
  std::exception_ptr thrown{};  // NLopt would forget its text
};

double call_objective(unsigned n, const double* x, double* /*gradient*/, void* data) {
  Call& call = *static_cast<Call*>(data);
  ++call.evaluations;
  try {
    return call.objective(Eigen::Map<const Eigen::VectorXd>(x, static_cast<Eigen::Index>(n)));
  } catch (...) {
    call.thrown = std::current_exception();
    throw nlopt::forced_stop();
  }
}

}  // namespace

MinimiseResult minimise(const Objective& objective, const Eigen::VectorXd& start, const MinimiseOptions& options) {
  for (const Eigen::VectorXd* bound : {&options.lower, &options.upper})
    if (bound->size() != 0 && bound->size() != start.size())
      throw InvalidInput(fmt::format("minimise: {} bounds for {} variables", bound->size(), start.size()));
  nlopt::opt solver(algorithm_of(options.method), static_cast<unsigned>(start.size()));
  if (options.lower.size() > 0) solver.set_lower_bounds(to_vector(options.lower));
  if (options.upper.size() > 0) solver.set_upper_bounds(to_vector(options.upper));
  solver.set_xtol_rel(options.x_tolerance);
  solver.set_ftol_rel(options.f_tolerance);
  solver.set_maxeval(options.max_evaluations);
  Call call{objective};
  solver.set_min_objective(call_objective, &call);

  MinimiseResult result;
  std::vector<double> x = to_vector(start);
  try {
    const nlopt::result ended = solver.optimize(x, result.value);
    result.outcome = ended == nlopt::MAXEVAL_REACHED ? Outcome::iteration_limit : Outcome::converged;
  } catch (const nlopt::roundoff_limited&) {
    result.outcome = Outcome::step_too_small;  // x is still the best point seen
    result.value = solver.last_optimum_value();
  } catch (const std::runtime_error&) {
    if (call.thrown) std::rethrow_exception(call.thrown);
    throw;
  } catch (const std::invalid_argument& error) {
    throw InvalidInput(fmt::format("minimise: {}", error.what()));
  }
  result.x = Eigen::Map<const Eigen::VectorXd>(x.data(), start.size());
  result.evaluations = call.evaluations;
  return result;
}

}  // namespace microslip
