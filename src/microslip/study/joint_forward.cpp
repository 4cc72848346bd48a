#include <algorithm>
#include <cmath>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/study/joint_forward.hpp>

namespace microslip::study {

namespace {

/// Where a parameter is searched, by its name: it has one meaning, and one order of magnitude per area, in every law.
std::optional<ParameterSpan> usual_span(const std::string& model, const std::string& name) {
  static const std::vector<ParameterSpan> known{{"slip_force", 3, 7.5, true},
                                                {"stiffness", 10.5, 17, true},
                                                {"post_slip_stiffness", 4, 13, true},
                                                {"normal_stiffness", 10.5, 18, true},
                                                {"chi", -0.99, 2, false},
                                                {"beta", -8, 1, true},
                                                {"theta", 0.05, 1, false},
                                                {"alpha", 5, 10, true},
                                                {"beta_over_alpha", -0.99, 0.99, false},
                                                {"lambda", 5, 10, true},
                                                {"kappa", 0, 0.99, false},
                                                {"n", 0.3, 3, false},
                                                {"friction_coefficient", 0.05, 3, false}};
  // The unit of eta goes with n: slip traction to the power -n, times stiffness.
  if (name == "eta") {
    if (model == "bouc_wen_1") return ParameterSpan{name, 5, 10, true};
    if (model == "bouc_wen_2") return ParameterSpan{name, -2, 6, true};
    return ParameterSpan{name, 0, 13, true};
  }
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& span) { return span.name == name; });
  return found == known.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::vector<ParameterSpan> search_spans(const Combination& combination) {
  std::vector<ParameterSpan> spans = combination.spans;
  for (ParameterSpan& span : spans)
    if (const auto usual = usual_span(combination.model, span.name)) span = *usual;
  return spans;
}

Combination own_combination(const LawInfo& law) {
  Combination c;
  c.name = c.key = c.model = law.name;
  c.masing = law.masing;
  c.boundary_intersection = law.masing;  // needs the slopes that only Masing's framework has
  for (const ParameterInfo& p : law.parameters) {
    if (!p.required) continue;
    const bool magnitude = p.range.lower == 0 && p.range.upper == unbounded;
    c.spans.push_back(
        usual_span(law.name, p.name).value_or(ParameterSpan{p.name, std::nan(""), std::nan(""), magnitude}));
  }
  c.spans.push_back(*usual_span(law.name, "normal_stiffness"));
  return c;
}

std::optional<Below> below_of(const Combination& combination) {
  if (combination.model != "valanis") return std::nullopt;
  const auto place = [&](const std::string& name) {
    const auto& spans = combination.spans;
    const auto found = std::find_if(spans.begin(), spans.end(), [&](const auto& span) { return span.name == name; });
    return static_cast<std::size_t>(found - spans.begin());
  };
  return Below{.parameter = place("post_slip_stiffness"), .other = place("stiffness")};
}

JointForward::JointForward(std::shared_ptr<const JointedSystem> system, Combination combination, double preload,
                           std::vector<Mode> modes)
    : system_(std::move(system)),
      combination_(std::move(combination)),
      options_(rqnma_options(combination_, preload)),
      modes_(std::move(modes)) {}

namespace {

/// Derivatives of the joint's parameters with the coordinates of a point: powers of ten and products, so that central
/// differences are good to ten digits. At a law's own limits the difference is taken on one side.
Eigen::MatrixXd parameter_slopes(const Combination& combination, std::span<const double> point) {
  const double h = 1e-5;
  const auto values = [&](std::size_t j, double step) -> std::optional<Eigen::VectorXd> {
    std::vector<double> moved(point.begin(), point.end());
    moved[j] += step;
    try {
      const NamedValues named = joint_parameters(joint_at(combination, moved));
      Eigen::VectorXd x(named.size());
      for (std::size_t i = 0; i < named.size(); ++i) x[static_cast<Eigen::Index>(i)] = named[i].second;
      return x;
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  };
  const Eigen::VectorXd here = *values(0, 0);
  Eigen::MatrixXd slopes(here.size(), static_cast<Eigen::Index>(point.size()));
  for (std::size_t j = 0; j < point.size(); ++j) {
    const auto above = values(j, h), below = values(j, -h);
    const double width = h * ((above ? 1 : 0) + (below ? 1 : 0));
    slopes.col(static_cast<Eigen::Index>(j)) = (above.value_or(here) - below.value_or(here)) / width;
  }
  return slopes;
}

}  // namespace

Computed JointForward::compute(std::span<const double> point, std::size_t measured, bool slopes) const {
  const Mode& mode = modes_.at(measured);
  RqnmaOptions options = options_;
  options.damping_ratio = mode.viscous;
  options.sensitivities = slopes;
  const Rqnma result = rqnma(*system_, joint_at(combination_, point), mode.number, mode.amplitudes, options);
  Computed computed;
  for (const BackbonePoint& p : result.points) {
    computed.frequency_hz.push_back(p.converged ? p.frequency_hz : std::nan(""));
    computed.damping_ratio.push_back(p.converged ? p.damping_ratio : std::nan(""));
    computed.residual.push_back(p.residual);
  }
  if (!slopes) return computed;
  const Eigen::MatrixXd chain = parameter_slopes(combination_, point);
  const auto rows = static_cast<Eigen::Index>(result.points.size());
  computed.frequency_slope.setZero(rows, chain.cols());
  computed.damping_slope.setZero(rows, chain.cols());
  for (Eigen::Index i = 0; i < rows; ++i) {
    const BackbonePoint& p = result.points[static_cast<std::size_t>(i)];
    if (!p.converged || p.d_frequency_hz.size() != chain.rows()) continue;
    computed.frequency_slope.row(i) = p.d_frequency_hz.transpose() * chain;
    computed.damping_slope.row(i) = p.d_damping_ratio.transpose() * chain;
  }
  return computed;
}

}  // namespace microslip::study
