#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <limits>

namespace microslip {

/// A short vector of partial derivatives: the gradient part of a dual number with N directions.
template <int N>
struct Gradient {
  std::array<double, N> d{};

  Gradient() = default;
  explicit Gradient(double same) { d.fill(same); }
  double& operator[](int i) { return d[static_cast<std::size_t>(i)]; }
  double operator[](int i) const { return d[static_cast<std::size_t>(i)]; }

  friend Gradient operator+(Gradient a, const Gradient& b) {
    for (int i = 0; i < N; ++i) a[i] += b[i];
    return a;
  }
  friend Gradient operator-(Gradient a, const Gradient& b) {
    for (int i = 0; i < N; ++i) a[i] -= b[i];
    return a;
  }
  friend Gradient operator-(Gradient a) {
    for (int i = 0; i < N; ++i) a[i] = -a[i];
    return a;
  }
  friend Gradient operator*(double s, Gradient a) {
    for (int i = 0; i < N; ++i) a[i] *= s;
    return a;
  }
};

/// Forward-mode dual number: a value and its derivative(s) in one or several directions.
/// Unlike Eigen's AutoDiff it has pow(dual, dual), which derivatives with respect to an exponent need.
template <class G>
struct BasicDual {
  double value{0};
  G grad{};

  BasicDual() = default;
  BasicDual(double v) : value(v) {}  // NOLINT: constants mix freely with duals
  BasicDual(double v, const G& g) : value(v), grad(g) {}

  /// The independent variable: derivative 1 with respect to itself.
  static BasicDual variable(double v) requires std::same_as<G, double> { return {v, 1.0}; }
  /// The i-th of several independent variables.
  static BasicDual variable(double v, int i) requires(!std::same_as<G, double>) {
    BasicDual x(v);
    x.grad[i] = 1.0;
    return x;
  }

  BasicDual& operator+=(const BasicDual& b) { return *this = *this + b; }
  BasicDual& operator-=(const BasicDual& b) { return *this = *this - b; }
  BasicDual& operator*=(const BasicDual& b) { return *this = *this * b; }
  BasicDual& operator/=(const BasicDual& b) { return *this = *this / b; }

  friend BasicDual operator+(const BasicDual& a, const BasicDual& b) { return {a.value + b.value, a.grad + b.grad}; }
  friend BasicDual operator-(const BasicDual& a, const BasicDual& b) { return {a.value - b.value, a.grad - b.grad}; }
  friend BasicDual operator-(const BasicDual& a) { return {-a.value, -a.grad}; }
  friend BasicDual operator+(const BasicDual& a) { return a; }
  friend BasicDual operator*(const BasicDual& a, const BasicDual& b) {
    return {a.value * b.value, b.value * a.grad + a.value * b.grad};
  }
  friend BasicDual operator/(const BasicDual& a, const BasicDual& b) {
    const double q = a.value / b.value;
    return {q, (1 / b.value) * (a.grad - q * b.grad)};
  }

  // Comparisons look at the value: a dual number follows the branch that its value takes.
  friend bool operator==(const BasicDual& a, const BasicDual& b) { return a.value == b.value; }
  friend auto operator<=>(const BasicDual& a, const BasicDual& b) { return a.value <=> b.value; }
};

using Dual = BasicDual<double>;
template <int N>
using DualN = BasicDual<Gradient<N>>;

/// The plain number behind a scalar of either kind.
inline double value_of(double x) { return x; }
template <class G>
double value_of(const BasicDual<G>& x) {
  return x.value;
}

/// x as a scalar of type T; a plain number drops the derivatives.
template <class T, class S>
T convert(const S& x) {
  if constexpr (std::same_as<T, double>) {
    return value_of(x);
  } else {
    return T(x);
  }
}

namespace detail {
template <class G>
BasicDual<G> chain(double f, double df_dx, const BasicDual<G>& x) {
  return {f, df_dx * x.grad};
}
}  // namespace detail

template <class G>
BasicDual<G> abs(const BasicDual<G>& x) {
  return x.value < 0 ? -x : x;
}
template <class G>
BasicDual<G> sqrt(const BasicDual<G>& x) {
  const double r = std::sqrt(x.value);
  return detail::chain(r, 0.5 / r, x);
}
template <class G>
BasicDual<G> exp(const BasicDual<G>& x) {
  const double e = std::exp(x.value);
  return detail::chain(e, e, x);
}
template <class G>
BasicDual<G> expm1(const BasicDual<G>& x) {
  const double e = std::expm1(x.value);
  return detail::chain(e, e + 1, x);
}
template <class G>
BasicDual<G> log(const BasicDual<G>& x) {
  return detail::chain(std::log(x.value), 1 / x.value, x);
}
template <class G>
BasicDual<G> log1p(const BasicDual<G>& x) {
  return detail::chain(std::log1p(x.value), 1 / (1 + x.value), x);
}
template <class G>
BasicDual<G> sin(const BasicDual<G>& x) {
  return detail::chain(std::sin(x.value), std::cos(x.value), x);
}
template <class G>
BasicDual<G> cos(const BasicDual<G>& x) {
  return detail::chain(std::cos(x.value), -std::sin(x.value), x);
}
template <class G>
BasicDual<G> tan(const BasicDual<G>& x) {
  const double t = std::tan(x.value);
  return detail::chain(t, 1 + t * t, x);
}
template <class G>
BasicDual<G> tanh(const BasicDual<G>& x) {
  const double t = std::tanh(x.value);
  return detail::chain(t, 1 - t * t, x);
}
template <class G>
BasicDual<G> atan(const BasicDual<G>& x) {
  return detail::chain(std::atan(x.value), 1 / (1 + x.value * x.value), x);
}
template <class G>
BasicDual<G> atanh(const BasicDual<G>& x) {
  return detail::chain(std::atanh(x.value), 1 / (1 - x.value * x.value), x);
}
/// base^exponent for base >= 0. At base = 0 the derivative with respect to the exponent is zero, its limit.
template <class G>
BasicDual<G> pow(const BasicDual<G>& base, const BasicDual<G>& exponent) {
  const double p = std::pow(base.value, exponent.value);
  const double dp_dbase = exponent.value * std::pow(base.value, exponent.value - 1);
  const double dp_dexponent = base.value > 0 ? p * std::log(base.value) : 0.0;
  if (base.value == 0) return {p, exponent.value >= 1 ? G(dp_dbase * base.grad) : G{}};
  return {p, dp_dbase * base.grad + dp_dexponent * exponent.grad};
}
template <class G>
BasicDual<G> pow(const BasicDual<G>& base, double exponent) {
  return detail::chain(std::pow(base.value, exponent), exponent * std::pow(base.value, exponent - 1), base);
}

}  // namespace microslip
