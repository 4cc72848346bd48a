#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>
#include <vector>

#include <microslip/core/dual.hpp>
#include <microslip/joints/masing.hpp>
#include <microslip/joints/point_state.hpp>

namespace microslip {

/// How a loop is made: from the monotonic curve by Masing's rules, or by tracing reversals with the law itself.
enum class Framework { masing, reversal };

/// "masing" or "reversal", and back; another name is refused with a suggestion.
std::string_view to_string(Framework framework);
Framework framework_from(std::string_view name);

namespace detail {

/// Where the monotonic curve has a corner: quadrature is split there. 0 where it has none.
template <class Law>
double corner(const Law& law) {
  if constexpr (requires { law.phi_max(); }) {
    return value_of(law.phi_max());
  } else if constexpr (requires { law.slip_force; }) {
    return value_of(law.slip_force) / value_of(law.stiffness);
  } else if constexpr (requires { law.normal_force; }) {
    return corner(law.element());
  } else {
    return 0;
  }
}

/// -f(-a) without the post-slip spring, for a law that starts its way down from (a, force).
template <class Law, class S>
S force_at_other_end(const Law& law, const S& a, const S& force) {
  return -(law.evaluate({a, force}, -a).force + law.post_slip_stiffness * a);
}

/// Force at +a of the steady symmetric loop of a law that shakes down: the F for which the branch from (a, F) ends
/// at (-a, -F). The more force at one end the less at the other, so F and what it leads to bracket the root;
/// Newton does the rest. Without the post-slip spring.
template <ShakesDown Law>
typename Law::Scalar steady_force(const Law& law, const typename Law::Scalar& a) {
  using S = typename Law::Scalar;
  const auto plain = law.template cast<double>();
  const auto dual = plain.template cast<Dual>();
  const double amplitude = value_of(a);
  double force = plain.curve(amplitude).force;
  const double other = force_at_other_end(plain, amplitude, force);
  double low = std::min(force, other), high = std::max(force, other), slope = 1;
  for (int i = 0; i < 100; ++i) {
    const Dual back = force_at_other_end(dual, Dual(amplitude), Dual::variable(force));
    const double residual = force - back.value;
    slope = 1 - back.grad;
    (residual > 0 ? high : low) = force;
    double next = force - residual / slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - force) <= 4e-16 * std::abs(force);
    force = next;
    if (done) break;
  }
  if constexpr (std::same_as<S, double>) {
    return force;
  } else {
    return S(force) - (S(force) - force_at_other_end(law, a, S(force))) / S(slope);
  }
}

}  // namespace detail

/// The law's memory at the upper end of its steady loop of amplitude a.
template <class Law>
typename Law::State steady_state(const Law& law, const typename Law::Scalar& a) {
  if constexpr (ShakesDown<Law>) {
    return {a, detail::steady_force(law, a)};
  } else {
    typename Law::State s{};
    law.advance(s, a);
    return s;
  }
}

/// Force at the upper end of the steady loop.
template <class Law>
typename Law::Scalar loop_force(const Law& law, const typename Law::Scalar& a, Framework framework) {
  if (framework == Framework::masing) return law.curve(a).force + law.post_slip_stiffness * a;
  const auto top = steady_state(law, a);
  return law.evaluate(top, a).force;
}

/// Half the peak-to-peak force of the steady loop with this force at its end: the same, but where first loading has
/// passed a peak P on its way to F (iwan5). The branch from the other end passes it too, at 2 P - F.
template <class Law>
typename Law::Scalar half_span(const Law& law, const typename Law::Scalar& a, const typename Law::Scalar& end_force,
                               Framework framework) {
  using S = typename Law::Scalar;
  if constexpr (requires { law.end_of_growth(); }) {
    const S peak_at = law.end_of_growth();
    const S peak = a > peak_at ? loop_force(law, peak_at, framework) : end_force;
    return peak > end_force ? S(2) * peak - end_force : end_force;
  } else {
    return end_force;
  }
}

/// (F_max - F_min) / (u_max - u_min) of the steady loop.
template <class Law>
typename Law::Scalar secant_stiffness(const Law& law, const typename Law::Scalar& a, Framework framework) {
  return half_span(law, a, loop_force(law, a, framework), framework) / a;
}

/// Energy lost per cycle of the steady loop of amplitude a.
template <class Law>
typename Law::Scalar loop_dissipation(const Law& law, const typename Law::Scalar& a, Framework framework) {
  using S = typename Law::Scalar;
  if (framework == Framework::masing) return S(4) * law.curve(a).loss;
  return S(2) * law.evaluate(steady_state(law, a), -a).dissipated;  // the other half is its mirror image
}

/// Force on the upper (unloading) branch of the steady loop at displacement u in [-a, a].
template <class Law>
typename Law::Scalar unloading_force(const Law& law, const typename Law::State& top, const typename Law::Scalar& a,
                                     const typename Law::Scalar& u, Framework framework) {
  using S = typename Law::Scalar;
  if (framework == Framework::reversal) return law.evaluate(top, u).force;
  return law.curve(a).force - S(2) * law.curve(S(0.5) * (a - u)).force + law.post_slip_stiffness * u;
}

/// A steady loop as points, for pictures and files. It starts at the upper end, goes down and comes back.
struct LoopPath {
  std::vector<double> displacement;
  std::vector<double> force;
  double dissipation = 0;
  double secant_stiffness = 0;
};

/// The steady loop of amplitude a with `points` points on each branch, dense near the ends as u = a cos(theta).
template <class Law>
LoopPath trace_loop(const Law& law, double a, Framework framework, int points) {
  LoopPath path;
  const auto top = steady_state(law, a);
  const auto n = static_cast<std::size_t>(points);
  path.displacement.reserve(2 * n + 1);
  path.force.reserve(2 * n + 1);
  for (int i = 0; i <= points; ++i) {
    const double u = i == points ? -a : a * std::cos(M_PI * i / points);
    path.displacement.push_back(u);
    path.force.push_back(unloading_force(law, top, a, u, framework));
  }
  for (std::size_t i = 1; i <= n; ++i) {  // the loop is its own mirror image
    path.displacement.push_back(-path.displacement[i]);
    path.force.push_back(-path.force[i]);
  }
  path.dissipation = loop_dissipation(law, a, framework);
  path.secant_stiffness = secant_stiffness(law, a, framework);
  return path;
}

}  // namespace microslip
