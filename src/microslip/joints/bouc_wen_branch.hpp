#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/joints/log_tail.hpp>
#include <microslip/joints/power_integral.hpp>
#include <microslip/joints/power_table.hpp>

namespace microslip::detail {

/// A point on a branch of dt/du = A - c |t|^n, reached from zero force; tau = |t|. c >= 0 softens, c <= 0 stiffens.
template <class S>
struct BranchPoint {
  S tau{0};
  S gap{1};    ///< slope over A, 1 - c tau^n/A
  S reach{0};  ///< P = int_0^tau ds/(A - c s^n), the displacement from zero force
};

// Every branch has
//   at(tau)        the point of a force
//   to(P, from)    the point of a displacement P from zero force, on the way from another point
//   excess(point)  P - tau/A, without cancellation where c > 0
//   loss(point)    int_0^tau s (1/(A - c s^n) - 1/A) ds, energy lost with t^2/(2A) as the stored energy
//   saturation()   the force where the slope vanishes, for c > 0
//   rest(point)    int_0^tau (saturation - s) (1/(A - c s^n) - 1/A) ds, bounded

/// Rounding may take the force to saturation, from where no displacement leads back, or a little past it: a point there
/// is taken as near as no double can tell.
inline constexpr double smallest_gap = 1e-18;

/// tanh(sqrt x)/sqrt x for x > 0, tan(sqrt -x)/sqrt -x for x < 0, 1 at x = 0.
template <class S>
S tanh_ratio(const S& x) {
  using std::sqrt, std::tan, std::tanh;
  if (std::abs(value_of(x)) < 1e-4) return S(1) - x / S(3) + x * x * S(2.0 / 15) - x * x * x * S(17.0 / 315);
  if (x > S(0)) {
    const S r = sqrt(x);
    return tanh(r) / r;
  }
  const S r = sqrt(-x);
  return tan(r) / r;
}

template <class S>
struct LinearBranch {  // n = 1
  using Point = BranchPoint<S>;
  S A, c;

  [[nodiscard]] Point at(const S& tau) const {
    const S z = c * tau / A, gap = S(1) - z, rise = log_tails(z)[0];
    const S most(41.446531673892822);  // -ln smallest_gap; no branch, which costs a tenth of a step
    return {tau, gap > S(0) ? gap : S(0), tau / A * (rise < most ? rise : most)};
  }
  [[nodiscard]] Point to(const S& P, const Point& /*from*/) const {
    const S tau = A * P * exp_ratio(c * P), gap = S(1) - c * tau / A;
    return {tau, gap > S(0) ? gap : S(0), P};
  }
  [[nodiscard]] S excess(const Point& p) const { return c * p.tau * p.tau / (A * A) * tails(p)[1]; }
  [[nodiscard]] S loss(const Point& p) const { return c * p.tau * p.tau * p.tau / (A * A) * tails(p)[2]; }
  [[nodiscard]] S saturation() const { return A / c; }
  [[nodiscard]] S rest(const Point& p) const { return S(0.5) * p.tau * p.tau / A; }

 private:
  [[nodiscard]] std::array<S, 3> tails(const Point& p) const { return log_tails(c * p.tau / A, c * p.reach); }
};

template <class S>
struct QuadraticBranch {  // n = 2
  using Point = BranchPoint<S>;
  S A, c;

  [[nodiscard]] Point at(const S& tau) const {
    using std::atan, std::atanh, std::sqrt;
    const S z = c * tau * tau / A, p = tau / A, gap = S(1) - z;
    if (std::abs(value_of(z)) < 1e-4) return {tau, gap, p * (S(1) + z / S(3) + z * z / S(5) + z * z * z / S(7))};
    if (!(gap > S(smallest_gap))) return {tau, S(0), p * S(21.416413017506358)};  // ln(4/smallest_gap)/2
    const S r = sqrt(z > S(0) ? z : S(-z));
    return {tau, gap, p * (z > S(0) ? atanh(r) : atan(r)) / r};
  }
  [[nodiscard]] Point to(const S& P, const Point& /*from*/) const {
    const S tau = A * P * tanh_ratio(c * A * P * P), gap = S(1) - c * tau * tau / A;
    return {tau, gap > S(0) ? gap : S(0), P};
  }
  [[nodiscard]] S excess(const Point& p) const {
    const S z = c * p.tau * p.tau / A;
    if (std::abs(value_of(z)) > 0.1) return p.reach - p.tau / A;
    S sum(0);  // z/3 + z^2/5 + ...
    for (int j = 17; j >= 1; --j) sum = (sum + S(1.0 / (2 * j + 1))) * z;
    return p.tau / A * sum;
  }
  [[nodiscard]] S loss(const Point& p) const {
    const S z = c * p.tau * p.tau / A;
    return S(0.5) * z * p.tau * p.tau / A * log_tails(z)[1];
  }
  [[nodiscard]] S saturation() const {
    using std::sqrt;
    return sqrt(A / c);
  }
  [[nodiscard]] S rest(const Point& p) const {
    using std::log1p;
    const S top = saturation();
    return log1p(p.tau / top) / c - p.tau * (top - S(0.5) * p.tau) / A;
  }
};

/// ln(1 + d) for |d| < 1e-3, to round-off of 1.
inline double log1p_of_small(double d) { return d * (1 - d * (1.0 / 2 - d * (1.0 / 3 - d * (1.0 / 4 - d / 5)))); }

/// F(1/n, z) and, for that and 2/n, F - 1.
template <class S>
struct PowerRise {
  S integral, once, twice;
};

template <class S>
class PowerBranch {  // any n > 0
 public:
  struct Point : BranchPoint<S> {
    S excess{0};
    S loss{0};
  };

  PowerBranch(const S& A, const S& c, const S& n)
      : A_(A), c_(c), n_(n), compliance_(S(1) / A), table_(PowerTable::of(value_of(n))) {
    if (!(c > S(0))) return;
    if constexpr (std::same_as<S, double>) {
      saturation_ = table_.root_of(A / c);
    } else {
      saturation_ = pow(A / c, S(1) / n);
    }
  }

  [[nodiscard]] const S& excess(const Point& p) const { return p.excess; }
  [[nodiscard]] const S& loss(const Point& p) const { return p.loss; }
  [[nodiscard]] const S& saturation() const { return saturation_; }
  [[nodiscard]] S rest(const Point& p) const { return saturation_ * p.excess - p.loss; }

  [[nodiscard]] Point at(const S& tau) const {
    using std::log, std::pow;
    if (!(tau > S(0))) return {};
    const S z = c_ * compliance_ * pow(tau, n_), gap = S(1) - z;
    if (!saturates(value_of(z))) return point(tau, gap, gentle(z));
    const S w = gap > S(smallest_gap) ? gap : S(smallest_gap);
    return point(tau, gap > S(0) ? gap : S(0), near(w, S(-log(w))).rise);
  }

  /// One evaluation of the integrals at a guess of the force, and from there the Taylor series of tau(P), whose
  /// coefficients follow from dtau/dP = A - c tau^n; more only if the guess was poor.
  [[nodiscard]] Point to(const S& P, const Point& from) const {
    if (!(P > S(0))) return {};
    double low = value_of(from.tau), high = value_of(A_ * P);  // between the line and where the move began
    if (c_ > S(0)) high = std::min(high, value_of(saturation_));
    if (low > high) std::swap(low, high);
    Point p = guess(P, low, high);
    for (int i = 0; i < 100; ++i) {
      const S h = (P - p.reach) * A_ / p.tau;
      const Point next = moved(p, h);
      const double n = value_of(n_), size = std::abs(value_of(h)) * (1 + n + n * std::abs(value_of(S(1) - p.gap)));
      if (size < 1e-3) return next;  // what is cut is below round-off
      (value_of(h) > 0 ? low : high) = value_of(p.tau);
      const double tau = value_of(next.tau);
      if (high - low <= 2 * std::numeric_limits<double>::epsilon() * high) return p;
      p = at(S(size < 0.5 && tau > low && tau < high ? tau : 0.5 * (low + high)));
    }
    return p;
  }

 private:
  /// Where the expansion about z = 1 is quicker than Gauss's fraction and does not cancel, which takes y > psi(2/n).
  [[nodiscard]] bool saturates(double z) const { return 1 - z < std::min(0.3, 0.3 * value_of(n_)); }

  [[nodiscard]] Point point(const S& tau, const S& gap, const PowerRise<S>& rise) const {
    const S p = tau * compliance_;
    return {{tau, gap, p * rise.integral}, p * rise.once, S(0.5) * tau * p * rise.twice};
  }

  [[nodiscard]] PowerRise<S> gentle(const S& z) const {
    if constexpr (std::same_as<S, double>) {
      if (n_ >= PowerTable::smallest_n && z > PowerTable::gentle_from && z < PowerTable::gentle_to) {
        const double gap = 1 - z, rounding = (gap - 1) + z;
        const Lanes rise = table_.rise(rounding / gap - std::log(gap));  // quicker than log1p
        return {1 + rise[0], rise[0], rise[1]};
      }
    }
    const S b = S(1) / n_;
    if (z < S(-40)) {
      const S first = far_below_zero(b, S(-z));
      return {first, first - S(1), far_below_zero(S(S(2) * b), S(-z)) - S(1)};
    }
    // F(b, z) - 1 = z b/(b+1) F(b+1, z) does not cancel where z is small; F itself does not where z is far below zero.
    const bool far = z < S(-0.5);
    const auto [first, second] =
        both([&](const auto& x) { return gauss_fraction(x, z); }, far ? b : b + S(1), S(2) * b + S(1));
    const S once = far ? first - S(1) : z * b / (b + S(1)) * first;
    return {far ? first : S(1) + once, once, z * S(2) * b / (S(2) * b + S(1)) * second};
  }

  struct Saturating {
    PowerRise<S> rise;
    S power;  ///< z^(-1/n)
  };
  [[nodiscard]] Saturating near(const S& w, const S& y) const {
    if constexpr (std::same_as<S, double>) {
      const auto [integral, power] =
          n_ >= PowerTable::smallest_n ? table_.near_one(w, y) : near_one(Lanes{1, 2} / n_, w, y);
      return {{integral[0], integral[0] - 1, integral[1] - 1}, power[0]};
    } else {
      const S b = S(1) / n_;
      const auto once = near_one(b, w, y);
      const S twice = near_one(S(S(2) * b), w, y).integral;
      return {{once.integral, once.integral - S(1), twice - S(1)}, once.power};
    }
  }

  /// f of two arguments: plain numbers side by side.
  template <class F>
  static std::array<S, 2> both(const F& f, const S& x, const S& y) {
    if constexpr (std::same_as<S, double>) {
      const Lanes r = f(Lanes{x, y});
      return {r[0], r[1]};
    } else {
      return {f(x), f(y)};
    }
  }

  /// A point near displacement P, exact in itself.
  [[nodiscard]] Point guess(const S& P, double low, double high) const {
    const double n = value_of(n_), line = value_of(A_ * P);
    double q = 0;  // z if the slope stayed A
    if (c_ > S(0)) {
      // Far up, w = 1 - z falls as W = exp(-n P A/saturation - gamma - psi(1/n)).
      const double s = line / value_of(saturation_), Y = n * s - table_.offset;
      if (Y > 1.2) {
        const double W = std::exp(-Y), b = table_.inverse, d = W * (1 - b) * (1 + 0.25 * W * b);
        const double w = W / (1 + d), y = std::abs(d) < 1e-3 ? Y + log1p_of_small(d) : -std::log(w);
        if (d > -0.5 && saturates(1 - w)) {
          const auto [rise, power] = near(S(w), S(y));
          return point(saturation_ / power, S(w), rise);
        }
      }
      q = std::pow(s, n);
    } else {
      q = value_of(c_ * compliance_) * std::pow(line, n);
    }
    const double tau = line * table_.bend(q);
    return at(S(tau >= low && tau <= high ? tau : 0.5 * (low + high)));
  }

  /// The point a displacement h tau/A further, by Taylor series to h^5.
  [[nodiscard]] Point moved(const Point& p, const S& h) const {
    const S g = p.gap, z = S(1) - g, a = n_ * z, m = n_ - S(1), ag = a * g, mg = m * g;
    const S k_2 = S(-1.0 / 2) * ag, k_3 = S(1.0 / 6) * ag * (a - mg), m_2 = m * (n_ - S(2)) * g * g;
    const S k_4 = S(-1.0 / 24) * ag * (a * (a - S(4) * mg) + m_2);
    const S k_5 =
        S(1.0 / 120) * ag * (a * (a * (a - S(11) * mg) + S(7) * m_2 + S(4) * mg * mg) - (n_ - S(3)) * g * m_2);
    const S bent = h * h * (k_2 + h * (k_3 + h * (k_4 + h * k_5)));  // dtau/tau - g h
    const S gap = g + h * (S(2) * k_2 + h * (S(3) * k_3 + h * (S(4) * k_4 + h * S(5) * k_5)));
    const S ng = n_ * g, N = n_ + S(1);
    const S lost =
        z * h *
        (S(1) +
         N * g * h * (S(0.5) + h * (S(1.0 / 6) * (ng - a) + h * S(1.0 / 24) * (ng * mg - a * (S(3) * ng + mg - a)))));
    const S length = p.tau * compliance_;
    return {{p.tau * (S(1) + (g * h + bent)), gap > S(0) ? gap : S(0), p.reach + h * length},
            p.excess + length * (z * h - bent),
            p.loss + length * p.tau * lost};
  }

  S A_, c_, n_, compliance_, saturation_{0};
  PowerTable& table_;
};

}  // namespace microslip::detail
