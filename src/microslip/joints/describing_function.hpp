#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/beta.hpp>

#include <microslip/core/quadrature.hpp>
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

}  // namespace detail

/// By quadrature of the loop, any law: relative accuracy 1e-11 of the largest force on it.
template <class Law>
DescribingFunction<typename Law::Scalar> describing_function(const Law& law, const typename Law::Scalar& a,
                                                             Framework framework) {
  using S = typename Law::Scalar;
  using std::numbers::pi;
  const auto top = steady_state(law, a);
  const auto force_at = [&](const S& amplitude) { return std::abs(value_of(loop_force(law, amplitude, framework))); };
  const double knee = detail::corner(law);
  double largest = force_at(a);
  if (knee > 0 && knee < value_of(a))
    largest = std::max(largest, force_at(S(knee * (1 - 1e-12))));  // iwan5 drops there
  const double tolerance = 1e-12 * largest;
  const auto harmonic = [&](double theta) {
    return unloading_force(law, top, a, S(a * S(std::cos(theta))), framework) * S(std::cos(theta));
  };
  // The loop's corner lies where half the way travelled equals the curve's corner.
  const double x = knee / value_of(a);
  const double split = x > 0 && x < 1 ? 2 * std::asin(std::sqrt(x)) : 0.5 * pi;
  const S first = integrate_unit<S>([&](double t) { return harmonic(split * t); }, tolerance);
  const S second = integrate_unit<S>([&](double t) { return harmonic(split + (pi - split) * t); }, tolerance);
  return {S(2) / (S(pi) * a) * (S(split) * first + S(pi - split) * second),
          loop_dissipation(law, a, framework) / (S(pi) * a * a)};
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
inline DescribingFunction<double> describing_function(const JenkinsPrager<double>& law, double a, Framework framework) {
  return describing_function(law.element(), a, framework);
}
/// Rigid sticking would cost quadrature all its digits.
inline DescribingFunction<double> describing_function(const Prager<double>& law, double a, Framework framework) {
  return describing_function(law.element(), a, framework);
}

}  // namespace microslip
