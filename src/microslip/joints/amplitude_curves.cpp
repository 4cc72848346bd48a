#include <cmath>

#include <microslip/joints/amplitude_curves.hpp>

namespace microslip {

namespace {

/// Force and loss of the steady loop of amplitude a: found together, because finding the loop costs most.
template <class S>
struct LoopPoint {
  S force, loss;
};
template <class Law, class S = typename Law::Scalar>
LoopPoint<S> loop_point(const Law& law, const S& a, Framework framework) {
  if (framework == Framework::masing) {
    const auto curve = law.curve(a);
    return {.force = curve.force + law.post_slip_stiffness * a, .loss = S(4) * curve.loss};
  }
  const auto top = steady_state(law, a);
  return {.force = law.evaluate(top, a).force, .loss = S(2) * law.evaluate(top, -a).dissipated};
}

/// d ln D / d ln F; NaN where nothing is lost yet, or where the force has stopped growing.
double log_slope(const LoopPoint<Dual>& at, double amplitude) {
  const double slope = (at.loss.grad / at.loss.value) / (at.force.grad / at.force.value);
  const bool grows = at.force.grad * amplitude > 1e-12 * at.force.value;  // and not by rounding
  return at.loss.value > 0 && grows && std::isfinite(slope) ? slope : std::nan("");
}

template <class Law>
void add_point(AmplitudeCurves& curves, const Law& law, Framework framework, double a) {
  const auto dual = law.template cast<Dual>();
  const auto at = [&](double amplitude) { return loop_point(dual, Dual::variable(amplitude), framework); };
  // The slope is exact; its own derivative is a central difference, with the step that balances rounding.
  constexpr double h = 1e-5;
  const LoopPoint<Dual> here = at(a), before = at(a * (1 - h)), after = at(a * (1 + h));
  typename Law::State rest{};
  curves.amplitude.push_back(a);
  curves.monotonic_force.push_back(law.advance(rest, a).force);
  curves.force.push_back(here.force.value);
  curves.dissipation.push_back(here.loss.value);
  curves.secant_stiffness.push_back(half_span(law, a, here.force.value, framework) / a);
  curves.slope.push_back(log_slope(here, a));
  curves.curvature.push_back((log_slope(after, a) - log_slope(before, a)) /
                             std::log(after.force.value / before.force.value));
}

/// The amplitude up to which the force of a law with a knee grows; 0 for a law without.
template <class Law>
double end_of_growth(const Law& law) {
  if constexpr (requires { law.end_of_growth(); }) {
    return law.end_of_growth();
  } else {
    return detail::corner(law) * (1 - 1e-12);
  }
}

/// The least amplitude whose steady loop has this force, by bisection of its logarithm; NaN where no loop has it.
template <class Law>
double amplitude_of_force(const Law& law, Framework framework, double force, double guess) {
  if (const double end = end_of_growth(law); end > 0 && loop_force(law, end, framework) >= force) guess = end;
  double low = guess, high = guess;
  for (int i = 0; i < 200 && loop_force(law, low, framework) > force; ++i) low /= 4;
  for (int i = 0; i < 60 && loop_force(law, high, framework) < force; ++i) high *= 4;
  if (!(loop_force(law, low, framework) <= force && loop_force(law, high, framework) >= force)) return std::nan("");
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (loop_force(law, middle, framework) < force ? low : high) = middle;
  }
  return high;
}

}  // namespace

Framework natural_framework(const AnyLaw& law) { return obeys_masing(law) ? Framework::masing : Framework::reversal; }

LoopPath natural_loop(const AnyLaw& any, double a, int points) {
  return std::visit([&](const auto& law) { return trace_loop(law, a, natural_framework(any), points); }, any);
}

AmplitudeCurves amplitude_curves(const AnyLaw& any, double from, double to, int points) {
  AmplitudeCurves curves;
  std::visit(
      [&](const auto& law) {
        for (int i = 0; i < points; ++i) {
          const double part = static_cast<double>(i) / (points - 1);
          add_point(curves, law, natural_framework(any), from * std::pow(to / from, part));
        }
      },
      any);
  return curves;
}

DissipationComparison compare_dissipation(const AnyLaw& any, std::span<const double> force,
                                          std::span<const double> dissipation, double guess) {
  const Framework framework = natural_framework(any);
  DissipationComparison comparison;
  double sum = 0;
  std::visit(
      [&](const auto& law) {
        for (std::size_t i = 0; i < force.size(); ++i) {
          const double a = amplitude_of_force(law, framework, force[i], guess);
          const double loss = std::isnan(a) ? a : loop_dissipation(law, a, framework);
          comparison.dissipation.push_back(loss);
          const double misfit = std::log(loss / dissipation[i]);
          sum += misfit * misfit;
        }
      },
      any);
  if (!force.empty() && std::isfinite(sum)) comparison.residual = std::sqrt(sum / static_cast<double>(force.size()));
  return comparison;
}

}  // namespace microslip
