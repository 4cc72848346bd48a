#pragma once

#include <cmath>
#include <limits>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <microslip/core/dual.hpp>

namespace microslip {

namespace detail {

inline double digamma(double x) { return boost::math::digamma(x); }
template <class G>
BasicDual<G> digamma(const BasicDual<G>& x) {
  return {boost::math::digamma(x.value), boost::math::trigamma(x.value) * x.grad};
}

/// Gauss's continued fraction b/(b - b^2 z/(b+1 - 1^2 z/(b+2 - (b+1)^2 z/(b+3 - 2^2 z/(b+4 - ...))))), cut after
/// `levels` of them and evaluated forwards: two short recurrences and one division.
template <class S>
S gauss_fraction(const S& b, const S& z, int levels) {
  S p_0(0), p_1(1), q_0(1), q_1(b);  // convergents p/q of the bracket's reciprocal
  for (int j = 1; j <= levels; ++j) {
    const S root = j % 2 == 1 ? b + S((j - 1) / 2) : S(j / 2);
    const S numerator = root * root * z;
    const S denominator = b + S(j);
    const S p_2 = denominator * p_1 - numerator * p_0;
    const S q_2 = denominator * q_1 - numerator * q_0;
    p_0 = p_1, p_1 = p_2, q_0 = q_1, q_1 = q_2;
    if (std::abs(value_of(q_1)) > 1e200) {
      const S scale(1e-200);
      p_0 *= scale, p_1 *= scale, q_0 *= scale, q_1 *= scale;
    }
  }
  return b * p_1 / q_1;
}

/// Expansion about z = 1, where the integral grows as -b ln(1 - z) [Abramowitz & Stegun, Eq. 15.3.10].
template <class S>
S near_one(const S& b, const S& z) {
  using std::log;
  const S w = S(1) - z;
  S bracket = S(-0.57721566490153286061) - digamma(b) - log(w);  // psi(1) - psi(b) - ln w
  S coefficient(1), sum(0);
  const double tolerance = 1e-17;
  for (int k = 0; k < 200; ++k) {
    const S term = coefficient * bracket;
    sum += term;
    if (k > 2 && std::abs(value_of(term)) < tolerance * std::abs(value_of(sum))) break;
    bracket += S(1.0 / (k + 1)) - S(1) / (b + S(k));
    coefficient *= w * (b + S(k)) / S(k + 1);
  }
  return b * sum;
}

}  // namespace detail

/// F(b, z) = b int_0^1 s^(b-1) / (1 - z s) ds = 2F1(1, b; 1+b; z),  b > 0, z < 1.
/// F(1, z) = -ln(1-z)/z, F(1/2, z) = atanh(sqrt z)/sqrt z. To a few units of round-off for z > -1e6.
template <class S>
S power_integral(const S& b, const S& z) {
  const double zv = value_of(z);
  if (zv > 0.7) return detail::near_one(b, z);
  // A convergent's error falls by this factor at every level.
  const double root = std::sqrt(1 - zv);
  const double rate = std::abs(1 - root) / (1 + root);
  const int levels = rate < 1e-16 ? 2 : 4 + static_cast<int>(37.0 / -std::log(rate));
  return detail::gauss_fraction(b, z, levels);
}

}  // namespace microslip
