#include <algorithm>

#include <microslip/modal/combination_setup.hpp>

namespace microslip {

Joint joint_at(const Combination& combination, std::span<const double> point) {
  const InterfaceParameters parameters = interface_parameters(combination, point);
  return {.law = make_law(combination.model, parameters.law),
          .normal_stiffness = parameters.normal_stiffness,
          .tangential = combination.full_joint ? Tangential::coupled : Tangential::separate,
          .per_area = true};
}

void set_up(RqnmaOptions& options, const Combination& combination) {
  constexpr double loop_gap = 1e-7;  // leaves a damping ratio of 1e-3 right to the paper's 1e-4
  options.framework = combination.masing ? Framework::masing : Framework::reversal;
  options.prestress.law = combination.conservative_prestress ? PrestressLaw::conservative : PrestressLaw::full;
  options.loop_tolerance = std::max(options.loop_tolerance, loop_gap);
  if (combination.quadrature_points == 0) return;
  options.quadrature_points = combination.quadrature_points;
  // Masing's rules on a law that does not obey them mean what the paper does with them: its quadrature.
  if (combination.masing) options.dissipation = Dissipation::modal;
}

RqnmaOptions rqnma_options(const Combination& combination, double preload) {
  RqnmaOptions options;
  set_up(options, combination);
  options.prestress.preload = preload;
  options.shapes = false;
  return options;
}

}  // namespace microslip
