#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <microslip/joints/power_integral.hpp>

namespace microslip::detail {

/// c_0 + c_1 x + ... + c_(N-1) x^(N-1) in eight interleaved Horner schemes, which do not wait for one another.
template <std::size_t N, class V, std::size_t M>
V polynomial(const std::array<V, M>& c, double x) {
  static_assert(N <= M && N % 8 == 0);
  const double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  std::array<V, 8> s;
  for (std::size_t j = 0; j < 8; ++j) s[j] = c[N - 8 + j];
  for (std::size_t k = N - 8; k > 0; k -= 8)
    for (std::size_t j = 0; j < 8; ++j) s[j] = s[j] * x8 + c[k - 8 + j];
  for (std::size_t j = 0; j < 4; ++j) s[j] += x4 * s[j + 4];
  return (s[0] + x2 * s[2]) + x * (s[1] + x2 * s[3]);
}

/// F(b, z) for b = 1/n and b = 2/n, n >= 1/2, in plain numbers through series whose coefficients depend on n alone.
struct PowerTable {
  static constexpr double smallest_n = 0.5;  ///< below, the series take more terms
  /// With eta = -ln(1 - z): F = 1 + eta sum_k f_(k+1) eta^k, from (e^eta - 1) dF/deta + b F = b e^eta; it converges
  /// for |eta| < 2 pi, and what is cut is below round-off for z in [gentle_from, gentle_to].
  static constexpr std::size_t gentle_terms = 32;
  static constexpr double gentle_from = -3, gentle_to = 0.75;
  /// F = y p(w) + q(w), z^-b = p(w)/b: the sums of near_one, for w = 1 - z <= 0.3.
  static constexpr std::size_t near_terms = 40;

  double n = 0, inverse = 0;  ///< 1/n
  std::array<Lanes, gentle_terms> f{};
  std::array<Lanes, near_terms> p{}, q{};
  double offset = 0;                ///< -gamma - psi(1/n)
  std::array<double, 4> bending{};  ///< a_1, a_2, d_1, d_2 of bend
  double base = 0, root = 0;        ///< the last x^(1/n) asked for

  PowerTable() = default;
  explicit PowerTable(double exponent);

  /// F - 1. Terms fall as (eta/2 pi)^k.
  [[nodiscard]] Lanes rise(double eta) const {
    const double size = std::abs(eta);
    if (size < 0.6) return eta * polynomial<16>(f, eta);
    return eta * (size < 1.1 ? polynomial<24>(f, eta) : polynomial<gentle_terms>(f, eta));
  }
  /// Terms fall as w^k k^(b-1), b <= 4.
  [[nodiscard]] NearOne<Lanes> near_one(double w, double y) const {
    if (w < 0.005) return near_one<8>(w, y);
    return w < 0.05 ? near_one<16>(w, y) : (w < 0.13 ? near_one<24>(w, y) : near_one<near_terms>(w, y));
  }

  /// tau/(A P) of dtau/dP = A - c tau^n, to some digits, as a function of x = c (A P)^n/A: the Pade approximant [2/2].
  [[nodiscard]] double bend(double x) const {
    const auto& [a_1, a_2, d_1, d_2] = bending;
    return (1 + x * (a_1 + x * a_2)) / (1 + x * (d_1 + x * d_2));
  }

  /// x^(1/n): the force of saturation asks for the same x again and again.
  [[nodiscard]] double root_of(double x) {
    if (x != base) {
      base = x;
      root = std::pow(x, inverse);
    }
    return root;
  }

  /// The table of n. A thread keeps its latest ones, as many as a structure has kinds of joints.
  static PowerTable& of(double n) {
    static thread_local std::array<PowerTable, 8> tables;
    const std::uint64_t mixed = std::bit_cast<std::uint64_t>(n) * 0x9e3779b97f4a7c15U;
    PowerTable& table = tables[mixed >> 61U];
    if (table.n != n) table = PowerTable(n);
    return table;
  }

 private:
  template <std::size_t N>
  [[nodiscard]] NearOne<Lanes> near_one(double w, double y) const {
    const Lanes power = polynomial<N>(p, w);
    return {y * power + polynomial<N>(q, w), power * Lanes{n, 0.5 * n}};
  }
};

}  // namespace microslip::detail
