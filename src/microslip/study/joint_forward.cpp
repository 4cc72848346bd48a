#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/study/joint_forward.hpp>

namespace microslip::study {

Joint joint_at(const Combination& combination, std::span<const double> point) {
  const InterfaceParameters parameters = interface_parameters(combination, point);
  return {.law = make_law(combination.model, parameters.law),
          .normal_stiffness = parameters.normal_stiffness,
          .tangential = combination.full_joint ? Tangential::coupled : Tangential::separate,
          .per_area = true};
}

RqnmaOptions rqnma_options(const Combination& combination, double preload) {
  RqnmaOptions options;
  options.framework = combination.masing ? Framework::masing : Framework::reversal;
  options.prestress.preload = preload;
  options.prestress.law = combination.conservative_prestress ? PrestressLaw::conservative : PrestressLaw::full;
  options.shapes = false;
  return options;
}

std::vector<ParameterSpan> search_spans(const Combination& combination) {
  struct Limits {
    double lower, upper;
  };
  static const std::map<std::string, Limits> known{{"slip_force", {3, 7.5}},
                                                   {"stiffness", {10.5, 17}},
                                                   {"post_slip_stiffness", {4, 13}},
                                                   {"normal_stiffness", {10.5, 18}},
                                                   {"chi", {-0.99, 2}},
                                                   {"beta", {-8, 1}},
                                                   {"theta", {0.05, 1}},
                                                   {"alpha", {5, 10}},
                                                   {"beta_over_alpha", {-0.99, 0.99}},
                                                   {"lambda", {5, 10}},
                                                   {"kappa", {0, 0.99}},
                                                   {"n", {0.3, 3}},
                                                   {"friction_coefficient", {0.05, 3}}};
  // The unit of eta goes with n: slip traction to the power -n, times stiffness.
  const auto eta = [&]() -> Limits {
    if (combination.model == "bouc_wen_1") return {5, 10};
    if (combination.model == "bouc_wen_2") return {-2, 6};
    return {0, 13};
  };
  std::vector<ParameterSpan> spans = combination.spans;
  for (ParameterSpan& span : spans) {
    const Limits limits = span.name == "eta" ? eta() : known.at(span.name);
    span.lower = limits.lower;
    span.upper = limits.upper;
  }
  return spans;
}

JointForward::JointForward(std::shared_ptr<const JointedSystem> system, Combination combination, double preload,
                           std::vector<Mode> modes)
    : system_(std::move(system)),
      combination_(std::move(combination)),
      options_(rqnma_options(combination_, preload)),
      modes_(std::move(modes)) {}

Computed JointForward::compute(std::span<const double> point, std::size_t measured, bool slopes) const {
  const Mode& mode = modes_.at(measured);
  RqnmaOptions options = options_;
  options.damping_ratio = mode.viscous;
  const Rqnma result = rqnma(*system_, joint_at(combination_, point), mode.number, mode.amplitudes, options);
  Computed computed;
  for (const BackbonePoint& p : result.points) {
    computed.frequency_hz.push_back(p.converged ? p.frequency_hz : std::nan(""));
    computed.damping_ratio.push_back(p.converged ? p.damping_ratio : std::nan(""));
    computed.residual.push_back(p.residual);
  }
  if (!slopes) return computed;
  const auto n = static_cast<Eigen::Index>(point.size()), rows = static_cast<Eigen::Index>(mode.amplitudes.size());
  computed.frequency_slope.resize(rows, n);
  computed.damping_slope.resize(rows, n);
  std::vector<double> moved(point.begin(), point.end());
  const double h = 1e-5;
  // A law's own limits may lie at the bounds of the search: there the difference is taken on one side.
  const auto at = [&](std::size_t j, double value) -> std::optional<Computed> {
    moved[j] = value;
    try {
      Computed there = compute(moved, measured, false);
      moved[j] = point[j];
      return there;
    } catch (const InvalidInput&) {
      moved[j] = point[j];
      return std::nullopt;
    }
  };
  for (std::size_t j = 0; j < moved.size(); ++j) {
    const auto above = at(j, point[j] + h), below = at(j, point[j] - h);
    const Computed &up = above ? *above : computed, &down = below ? *below : computed;
    const double width = h * ((above ? 1 : 0) + (below ? 1 : 0));
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const auto slope = [&](const std::vector<double>& a, const std::vector<double>& b) {
        const double d = (a[k] - b[k]) / width;
        return std::isfinite(d) ? d : 0.0;
      };
      computed.frequency_slope(i, static_cast<Eigen::Index>(j)) = slope(up.frequency_hz, down.frequency_hz);
      computed.damping_slope(i, static_cast<Eigen::Index>(j)) = slope(up.damping_ratio, down.damping_ratio);
    }
  }
  return computed;
}

}  // namespace microslip::study
