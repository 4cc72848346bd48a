#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include <microslip/core/dual.hpp>
#include <microslip/joints/iwan4.hpp>

namespace microslip {

/// The four-parameter Iwan model without its scales: everything that chi and beta alone decide, as functions of
/// r = amplitude/phi_max in [0, 1] [Segalman2002, Eqs. 31-40]. Multiply forces by F_S, energies by F_S phi_max.
template <class S>
struct Iwan4Shape {
  S chi;
  S beta;

  /// F_0/F_S, Eq. 34.
  [[nodiscard]] S force(const S& r) const {
    using std::pow;
    return r * (beta + S(1) - pow(r, chi + S(1)) / (chi + S(2))) / weight();
  }
  /// Energy per cycle over F_S phi_max, Eqs. 31 and 40.
  [[nodiscard]] S dissipation(const S& r) const {
    using std::pow;
    return S(4) * pow(r, chi + S(3)) / (chi + S(3)) * (chi + S(1)) / ((chi + S(2)) * weight());
  }
  /// d ln D / d ln F_0, Eq. 37: chi + 3 at small force.
  [[nodiscard]] S slope(const S& r) const {
    using std::pow;
    const S p = pow(r, chi + S(1));
    return (chi + S(3)) * (beta + S(1) - p / (chi + S(2))) / (beta + S(1) - p);
  }
  /// d^2 ln D / d (ln F_0)^2, Eq. 39.
  [[nodiscard]] S curvature(const S& r) const {
    using std::pow;
    const S p = pow(r, chi + S(1)), one_beta = beta + S(1), one_chi = chi + S(1), two_chi = chi + S(2);
    const S left = one_beta - p;
    return p * one_beta * one_chi * one_chi * (chi + S(3)) * (one_beta * two_chi - p) /
           (left * left * left * two_chi * two_chi);
  }
  /// K_T phi_max / F_S, Eq. 29.
  [[nodiscard]] S stiffness() const { return (S(1) + beta) / weight(); }

  /// r with force(r) = ratio, 0 <= ratio <= 1: Newton, which cannot overshoot r = 1 for long because it is kept inside
  /// a bracket. The force is concave, so from the left it converges without leaving it.
  [[nodiscard]] S amplitude(const S& ratio) const {
    const Iwan4Shape<double> plain{value_of(chi), value_of(beta)};
    const double r = plain.solve(value_of(ratio));
    if constexpr (std::same_as<S, double>) {
      return r;
    } else {
      // One Newton step in duals from the converged root carries the derivatives (implicit differentiation).
      return S(r) + (ratio - force(S(r))) * S(1 / plain.force_slope(r));
    }
  }

 private:
  template <class T>
  friend struct Iwan4Shape;

  /// beta + (chi+1)/(chi+2), the denominator of Eqs. 27-34.
  [[nodiscard]] S weight() const { return beta + (chi + S(1)) / (chi + S(2)); }
  [[nodiscard]] double force_slope(double r) const { return (beta + 1 - std::pow(r, chi + 1)) / weight(); }

  [[nodiscard]] double solve(double ratio) const {
    if (!(ratio > 0)) return 0;
    if (ratio >= 1) return 1;
    double low = ratio * weight() / (beta + 1), high = 1;  // the initial tangent and the chord enclose the curve
    double r = low;
    for (int i = 0; i < 100; ++i) {
      const double p = std::pow(r, chi + 1);
      const double residual = ratio - r * (beta + 1 - p / (chi + 2)) / weight();
      (residual > 0 ? low : high) = r;
      double next = r + residual * weight() / (beta + 1 - p);
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      if (std::abs(next - r) <= 4e-16 * r) return next;
      r = next;
    }
    return r;
  }
};

/// chi and beta of a law.
template <class S>
Iwan4Shape<S> shape_of(const Iwan4<S>& law) {
  return {law.chi, law.beta};
}

/// The law with macro-slip at phi_max: (F_S, phi_max, chi, beta) are Segalman's preferred parameters.
inline Iwan4<double> from_phi_max(double slip_force, double phi_max, double chi, double beta) {
  return {.slip_force = slip_force,
          .stiffness = slip_force / phi_max * Iwan4Shape<double>{chi, beta}.stiffness(),
          .chi = chi,
          .beta = beta};
}

}  // namespace microslip
