#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <microslip/core/dual.hpp>

namespace microslip::detail {

/// Two plain numbers that the processor handles at once: a vector extension of GCC and Clang.
using Lanes = double __attribute__((vector_size(2 * sizeof(double))));

inline Lanes log_of(const Lanes& x) { return Lanes{std::log(x[0]), std::log(x[1])}; }
template <class S>
S log_of(const S& x) {
  using std::log;
  return log(x);
}
/// The plain number behind the last lane.
inline double last_of(const Lanes& x) { return x[1]; }
template <class S>
double last_of(const S& x) {
  return value_of(x);
}

/// Half of the levels of Gauss's fraction that leave less than round-off, 9.25/acosh(z^-1/2) or
/// 9.25/asinh(|z|^-1/2), from above: a level reduces the error by (1 - sqrt(1-z))/(1 + sqrt(1-z)).
inline int gauss_levels(double z) {
  const double root = std::sqrt(1 - z);
  return 1 + static_cast<int>(9.25 * (z > 0 ? 1 / root - root / 3 : std::sqrt(0.3 - z)));
}

/// F(b, z) = b int_0^1 s^(b-1) / (1 - z s) ds = 2F1(1, b; 1+b; z) for b > 0, z < 1, by Gauss's continued fraction
///   1/(1 - g_1 z/(1 - g_2 z/(1 - ...))),  g_2m+1 = (b+m)^2/((b+2m)(b+2m+1)),  g_2m = m^2/((b+2m-1)(b+2m)),
/// cut after enough levels and evaluated forwards. In two lanes (V = Lanes) for two b at the price of one.
/// F(1, z) = -ln(1-z)/z, F(1/2, z) = atanh(sqrt z)/sqrt z.
template <class V, class S>
V gauss_fraction(const V& b, const S& z) {
  V p_0 = V{}, p_1 = V{} + 1.0, q_0 = p_1, q_1 = p_1;  // convergents p/q
  const int count = gauss_levels(value_of(z));
  for (int m = 0; m < count; ++m) {
    const V d = b + 2.0 * m, e = d + 2.0, f = b + 1.0 * m;
    const V common = z / (d * (d + 1.0) * e);
    const V odd = f * f * (e * common), even = d * (common * ((m + 1.0) * (m + 1.0)));
    p_0 = p_1 - odd * p_0;
    q_0 = q_1 - odd * q_0;
    p_1 = p_0 - even * p_1;
    q_1 = q_0 - even * q_1;
    if (m % 16 == 15) {  // far from overflow for z > -1e12
      const V scale = 1.0 / q_1;
      p_0 *= scale, q_0 *= scale, p_1 *= scale, q_1 *= scale;
    }
  }
  return p_1 / q_1;
}

/// F(b, z) near z = 1, where it grows as -b ln(1 - z), and z^-b which comes with it.
template <class V>
struct NearOne {
  V integral;
  V power;
};

inline constexpr auto reciprocals = [] {
  std::array<double, 64> r{};
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = 1.0 / static_cast<double>(k + 1);
  return r;
}();

/// From w = 1 - z and y = -ln w [Abramowitz & Stegun, Eq. 15.3.10]:
///   F/b = sum_k c_k (y + psi(k+1) - psi(b+k)),   z^-b = sum_k c_k,   c_k = (b)_k/k! w^k.
/// psi(b) follows from psi(b+K), where its asymptotic series holds, by the reciprocals that the sum needs anyway.
template <class V, class S>
NearOne<V> near_one(const V& b, const S& w, const S& y) {
  V c = V{} + 1.0, sum_c = c, sum_h = V{}, climb = V{};  // climb_k = psi(b+k) - psi(b)
  double harmonic = 0;                                   // psi(k+1) - psi(1)
  int k = 0;
  do {
    for (const int stop = k + 4; k < stop; ++k) {
      const double inverse = k < 64 ? reciprocals[static_cast<std::size_t>(k)] : 1.0 / (k + 1);
      const V bk = b + 1.0 * k;
      c *= bk * (w * inverse);
      climb += 1.0 / bk;
      harmonic += inverse;
      sum_c += c;
      sum_h += c * (harmonic - climb);
    }
  } while (k < 12 || last_of(c) > 1e-17 * last_of(sum_c));
  const V top = b + 1.0 * k, r = 1.0 / top, rr = r * r;
  constexpr double euler = 0.57721566490153286061;
  const V tail =
      r * (0.5 + r * (1.0 / 12 - rr * (1.0 / 120 -
                                       rr * (1.0 / 252 -
                                             rr * (1.0 / 240 - rr * (1.0 / 132 - rr * (691.0 / 32760 - rr / 12.0)))))));
  const V bracket = y - euler + climb + tail - log_of(top);  // y + psi(1) - psi(b)
  return {b * (bracket * sum_c + sum_h), sum_c};
}

/// (1 - e^-x)/x, 1 at x = 0.
template <class S>
S exp_ratio(const S& x) {
  using std::expm1;
  if (std::abs(value_of(x)) < 1e-5) return S(1) - x / S(2) + x * x / S(6);
  return -expm1(-x) / x;
}

/// F(b, -Z) for Z > 40, where Gauss's fraction takes many levels: b times
///   Z^-b pi/sin(pi b) - sum_k (-1)^k Z^-(k+1)/(k+1-b),
/// with the term next to b taken together with the first, because both have a pole where b is whole.
template <class S>
S far_below_zero(const S& b, const S& Z) {
  using std::log, std::pow, std::sin;
  constexpr double pi = 3.14159265358979323846;
  const int next = std::max(1, static_cast<int>(std::lround(value_of(b))));  // k + 1
  const S L = log(Z), d = S(next) - b;
  S sum(0), power(1);
  for (int j = 1; j <= std::max(next, 12); ++j) {
    power /= -Z;  // (-Z)^-j
    if (j != next) {
      sum += power / (S(j) - b);
    } else if (b < S(0.5)) {
      sum += power / d + pow(Z, -b) * S(pi) / sin(S(pi) * b);
    } else {
      const S x = S(pi) * d, xx = x * x;
      const S cubic =  // 6 (x - sin x)/x^3
          value_of(xx) > 0.25 ? S(6) * (S(1) - sin(x) / x) / xx
                              : S(1) - xx / S(20) * (S(1) - xx / S(42) * (S(1) - xx / S(72) * (S(1) - xx / S(110))));
      const S rise = S(pi / 6) * x * cubic / (S(1) - xx * cubic / S(6));  // (x/sin x - 1)/d
      sum -= power * (L * exp_ratio(S(-d * L)) + pow(Z, d) * rise);
    }
  }
  return b * sum;
}

}  // namespace microslip::detail
