#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <microslip/core/dual.hpp>

namespace microslip {

namespace detail {

// Gauss-Kronrod (7, 15) on [-1, 1]: abscissae x > 0 and weights; the last is the centre.
inline constexpr std::array<double, 8> kronrod_x{
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693137, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0};
inline constexpr std::array<double, 8> kronrod_w{
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
    0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
inline constexpr std::array<double, 4> gauss_w{0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                               0.381830050505118944950369775488975,
                                               0.417959183673469387755102040816327};

template <class S, class F>
S integrate_panel(const F& f, double a, double b, double tolerance, int depth, int& panels) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  const S centre = f(middle);
  S kronrod = S(kronrod_w[7]) * centre, gauss = S(gauss_w[3]) * centre;
  std::array<double, 15> values;
  values[14] = value_of(centre);
  for (std::size_t i = 0; i < 7; ++i) {
    const S left = f(middle - half * kronrod_x[i]), right = f(middle + half * kronrod_x[i]), both = left + right;
    values[2 * i] = value_of(left);
    values[2 * i + 1] = value_of(right);
    kronrod += S(kronrod_w[i]) * both;
    if (i % 2 == 1) gauss += S(gauss_w[i / 2]) * both;
  }
  const double error = std::abs(half * value_of(kronrod - gauss)), mean = 0.5 * value_of(kronrod);
  double spread = 0;  // int |f - mean|
  for (std::size_t i = 0; i < values.size(); ++i) spread += half * kronrod_w[i / 2] * std::abs(values[i] - mean);
  // The difference of Gauss and Kronrod overestimates the error of the latter: QUADPACK takes this power of it,
  // relative to how much the integrand varies. Written so that what is not a number ends here.
  const double estimate = spread > 0 ? spread * std::min(1.0, std::pow(200 * error / spread, 1.5)) : 0;
  if (depth == 0 || --panels < 0 || !(estimate > tolerance)) return S(half) * kronrod;
  const S left_half = integrate_panel<S>(f, a, middle, 0.5 * tolerance, depth - 1, panels);
  return left_half + integrate_panel<S>(f, middle, b, 0.5 * tolerance, depth - 1, panels);
}

}  // namespace detail

/// int_0^1 f(t) dt to an absolute tolerance by adaptive Gauss-Kronrod; f takes a plain number and may return a dual,
/// so that integrals are differentiated with their integrands. An integrand whose own rounding keeps it from the
/// tolerance costs 4000 panels.
template <class S, class F>
S integrate_unit(const F& f, double tolerance) {
  int panels = 4000;
  return detail::integrate_panel<S>(f, 0.0, 1.0, tolerance, 40, panels);
}

}  // namespace microslip
