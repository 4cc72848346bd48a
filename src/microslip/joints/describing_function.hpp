#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/beta.hpp>

#include <microslip/core/quadrature.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>
#include <microslip/joints/iwan4.hpp>
#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/loop.hpp>

namespace microslip {

/// First harmonic of the force for u = a cos(theta): f ~ a (stiffness cos(theta) - loss sin(theta)).
///   stiffness = 1/(pi a) int_0^2pi f cos,   loss = D/(pi a^2)
template <class S>
struct DescribingFunction {
  S stiffness;
  S loss;
};

namespace detail {

/// int_0^theta* s^p cos(theta) dtheta, s = sin^2(theta/2), up to s = x <= 1: an incomplete beta function.
inline double power_cosine(double p, double x) {
  const double b = x < 1 ? boost::math::beta(p + 0.5, 0.5, x) : boost::math::beta(p + 0.5, 0.5);
  return (2 * std::pow(x, p + 0.5) * std::sqrt(1 - x) - p * b) / (p + 1);
}

/// z - sin z for z >= 0, all digits.
inline double angle_less_sine(double z) {
  if (z > 0.5) return z - std::sin(z);
  double term = z * z * z / 6, sum = 0;
  for (int k = 4; sum + term != sum; k += 2) {
    sum += term;
    term *= -z * z / (k * (k + 1));
  }
  return sum;
}

/// The way over which the force of a loop turns, halved: the curve's corner, or for a rate-form law without one the
/// force at its end over the slope there. 0 where nothing turns.
template <class Law>
double turn(const Law& law, const typename Law::State& top, double a, Framework framework) {
  if constexpr (ShakesDown<Law>) {
    const auto plain = law.template cast<double>();
    if (framework == Framework::masing) return plain.curve(a).force / plain.curve(0.0).tangent;
    const double slope = plain.evaluate({a, value_of(top.f)}, std::nextafter(a, 0.0)).tangent;
    return value_of(top.f) / (slope - plain.post_slip_stiffness);
  } else {
    return corner(law);
  }
}

/// int_0^pi g(theta) dtheta along the unloading branch u = a cos(theta), by panels to this tolerance each. They meet
/// where half the way travelled equals the turn. A rate-form law turns smoothly, and how far on it still does it alone
/// knows: from there panels double, so that none oversees what is narrow beside the whole branch.
template <class Law, class G>
auto integrate_branch(const Law& law, const typename Law::State& top, double a, Framework framework, double tolerance,
                      const G& g) {
  using std::numbers::pi;
  using S = typename Law::Scalar;
  const double x = turn(law, top, a, framework) / a;
  double from = 0, to = x > 0 && x < 1 ? 2 * std::asin(std::sqrt(x)) : 0.5 * pi;
  if (ShakesDown<Law>) to = std::min(to, 0.5 * pi);
  S sum(0);
  while (from < pi) {
    sum +=
        S(to - from) * integrate_unit<S>([&](double t) { return g(from + (to - from) * t); }, tolerance / (to - from));
    from = to;
    to = ShakesDown<Law> ? std::min(2 * to, pi) : pi;
  }
  return sum;
}

}  // namespace detail

/// By quadrature of the loop, any law: within 4e-11 of the largest force on it where the turn after a reversal spans
/// 1e6 roundings of a or more. Where it is narrower (bouc_wen with alpha = beta and n >= 4 at a thousand knees) u
/// itself has no digits there: 1e-8.
template <class Law>
DescribingFunction<typename Law::Scalar> describing_function(const Law& law, const typename Law::Scalar& a,
                                                             Framework framework) {
  using S = typename Law::Scalar;
  using std::numbers::pi;
  const auto top = steady_state(law, a);
  const auto force_at = [&](const S& amplitude) { return std::abs(value_of(loop_force(law, amplitude, framework))); };
  double largest = force_at(a);
  if constexpr (requires { law.end_of_growth(); }) {  // iwan5 drops there
    const S peak = law.end_of_growth();
    if (peak > S(0) && peak < a) largest = std::max(largest, force_at(peak));
  }
  const double tolerance = 1e-12 * largest;
  const auto harmonic = [&](double theta) {
    return unloading_force(law, top, a, S(a * S(std::cos(theta))), framework) * S(std::cos(theta));
  };
  const S integral = detail::integrate_branch(law, top, value_of(a), framework, tolerance, harmonic);
  return {S(2) / (S(pi) * a) * integral, loop_dissipation(law, a, framework) / (S(pi) * a * a)};
}

/// In closed form through macro-slip; Masing's rules hold, so both frameworks agree.
inline DescribingFunction<double> describing_function(const Iwan4<double>& law, double a, Framework framework) {
  using std::numbers::pi;
  const double kt = law.stiffness, pm = law.phi_max(), r = a / pm;
  const double x = r > 1 ? 1 / r : 1.0;  // s at which macro-slip starts on the branch
  // f(a s) = kt a s - C s^(chi+2) up to there, then F_S
  const double C = kt * a * std::pow(r, 1 + law.chi) / ((1 + law.beta) * (2 + law.chi));
  double integral = kt * a * detail::power_cosine(1, x) - C * detail::power_cosine(law.chi + 2, x);
  if (r > 1) integral -= law.slip_force * 2 * std::sqrt(x * (1 - x));
  return {law.post_slip_stiffness - 4 / (pi * a) * integral, loop_dissipation(law, a, framework) / (pi * a * a)};
}

/// Spring and slider: the textbook form, with sin^2(theta*/2) = fs/(kt a) at the end of sticking.
inline DescribingFunction<double> describing_function(const Jenkins<double>& law, double a, Framework framework) {
  using std::numbers::pi;
  const double x = law.slip_force / (law.stiffness * a);
  double stiffness = law.stiffness;
  if (x < 1) {
    const double theta = 2 * std::asin(std::sqrt(x));
    stiffness *= 0.5 * detail::angle_less_sine(2 * theta) / pi;
  }
  return {law.post_slip_stiffness + stiffness, loop_dissipation(law, a, framework) / (pi * a * a)};
}
inline DescribingFunction<double> describing_function(const ElasticDryFriction<double>& law, double a,
                                                      Framework framework) {
  return describing_function(law.element(), a, framework);
}
inline DescribingFunction<double> describing_function(const JenkinsPrager<double>& law, double a, Framework framework) {
  return describing_function(law.element(), a, framework);
}
/// Rigid sticking would cost quadrature all its digits.
inline DescribingFunction<double> describing_function(const Prager<double>& law, double a, Framework framework) {
  return describing_function(law.element(), a, framework);
}

}  // namespace microslip
