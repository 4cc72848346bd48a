#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>

#include <microslip/core/dual.hpp>

namespace microslip {

/// A vector in the plane of the interface.
template <class S>
struct Vector2 {
  S x{0};
  S y{0};

  friend Vector2 operator+(const Vector2& a, const Vector2& b) { return {a.x + b.x, a.y + b.y}; }
  friend Vector2 operator-(const Vector2& a, const Vector2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Vector2 operator*(const S& s, const Vector2& a) { return {s * a.x, s * a.y}; }
  friend S dot(const Vector2& a, const Vector2& b) { return a.x * b.x + a.y * b.y; }
  /// Turned by +90 degrees.
  friend Vector2 turned(const Vector2& a) { return {-a.y, a.x}; }
};

namespace detail {

/// log(1+z)/z and its derivative, for z > -1.
template <class S>
struct LogRatio {
  S value;
  S slope;
};
template <class S>
LogRatio<S> log_ratio(const S& z) {
  using std::log1p;
  if (std::abs(value_of(z)) < 0.01) {  // nine terms of the series leave 1e-19
    S value(0), slope(0);
    for (int k = 9; k >= 1; --k) {
      value = S(1.0 / (k + 1)) - z * value;
      slope = S(double(k) / (k + 1)) - z * slope;
    }
    return {S(1) - z * value, -slope};
  }
  const S value = log1p(z) / z;
  return {value, (S(1) / (S(1) + z) - value) / z};
}

/// (e^z - 1)/z.
template <class S>
S expm1_ratio(const S& z) {
  using std::expm1;
  if (std::abs(value_of(z)) < 0.01) {  // seven terms leave 1e-19
    S sum(1);
    for (int k = 7; k >= 2; --k) sum = S(1) + z * sum / S(k);
    return sum;
  }
  return expm1(z) / z;
}

/// Whether x is zero and does not vary.
inline bool vanishes(double x) { return x == 0; }
template <class G>
bool vanishes(const BasicDual<G>& x) {
  if constexpr (std::same_as<G, double>)
    return x.value == 0 && x.grad == 0;
  else
    return x.value == 0 && x.grad.d == decltype(x.grad.d){};
}

/// Ten-point Gauss-Legendre rule on (0, 1).
inline constexpr std::array<double, 10> gauss_point = {
    0.0130467357414141399610, 0.0674683166555077446339, 0.1602952158504877968828, 0.2833023029353764046004,
    0.4255628305091843945576, 0.5744371694908156054424, 0.7166976970646235953996, 0.8397047841495122031172,
    0.9325316833444922553661, 0.9869532642585858600390};
inline constexpr std::array<double, 10> gauss_weight = {
    0.0333356721543440687968, 0.0747256745752902965729, 0.1095431812579910219978, 0.1346333596549981775457,
    0.1477621123573764350870, 0.1477621123573764350870, 0.1346333596549981775457, 0.1095431812579910219978,
    0.0747256745752902965729, 0.0333356721543440687968};

}  // namespace detail

/// A spring kt in series with a Coulomb slider in the plane, on a straight path: the displacement moves by du and the
/// slip limit from ts_0 to ts_1, both linearly in tau = 0..1. Stick and slip are solved exactly.
///   stick:  t = t_0 + kt du tau                     while |t| <= ts                              (1)
///   slip:   |t| = ts(tau), the slider moves along t, w' = g t/|t|, g = V cos(psi) - m/kt >= 0     (2)
///           ts psi' = -kt V sin(psi)  =>  tan(psi/2) = tan(psi_s/2) exp(-x)                       (3)
///           x = kt V int dtau/ts = kt V (1 - tau_s) log(ts_1/ts_s)/(ts_1 - ts_s)                  (4)
///   loss:   int ts g dtau                                                                         (5)
/// psi angle from du to t, V = |du|, m = ts_1 - ts_0, subscript s: where slip begins. Once slipping, cos(psi) grows
/// and slip goes on to the end. [Porter2022, Eq. 20] is the same with one radial return per step: first order.
/// Derivation: docs/theory/contact.md.
template <class S>
class Sliding2d {
 public:
  /// Requires kt > 0, ts_0 >= |t_0| (up to rounding) and ts_1 >= 0.
  Sliding2d(const S& kt, const Vector2<S>& t_0, const S& ts_0, const Vector2<S>& du, const S& ts_1)
      : kt_(kt), ts_1_(ts_1), m_(ts_1 - ts_0), du_(du), t_1_(t_0 + kt * du) {
    // |t| - ts is convex along a stuck path: within the limit at both ends means within it throughout.
    constexpr double one = 1 + 8 * std::numeric_limits<double>::epsilon();
    const S trial_squared = dot(t_1_, t_1_);
    if (trial_squared <= S(one) * ts_1 * ts_1) return;
    slips_ = true;
    using std::sqrt;
    const S V_squared = dot(du, du);
    V_ = V_squared > S(0) ? S(sqrt(V_squared)) : S(0);
    const S t_0_squared = dot(t_0, t_0);
    if (!(t_0_squared > S(0)) && !(ts_0 > S(0))) {
      start_at_the_tip(du);
      return;
    }
    tau_ = onset(dot(t_0, du), t_0_squared, ts_0, V_squared);
    h_ = S(1) - tau_;
    ts_s_ = ts_0 + m_ * tau_;
    const Vector2<S> t_s = t_0 + (kt * tau_) * du;
    const S t_s_squared = dot(t_s, t_s);
    if (V_ > S(0)) e_d_ = (S(1) / V_) * du;
    e_s_ = t_s_squared > S(0) ? S(S(1) / sqrt(t_s_squared)) * t_s : e_d_;
    if (!(V_ > S(0))) e_d_ = e_s_;
    cos_ = dot(e_s_, e_d_);
    sin_ = dot(turned(e_d_), e_s_);
    // 1 + cos and 1 - cos, each without cancellation.
    p_ = cos_ > S(0) ? S(S(1) + cos_) : S(sin_ * sin_ / (S(1) - cos_));
    r_ = cos_ > S(0) ? S(sin_ * sin_ / p_) : S(S(1) - cos_);
    turn();
  }

  [[nodiscard]] bool slips() const { return slips_; }
  [[nodiscard]] const Vector2<S>& traction() const { return t_1_; }

  /// d t_1 / d du and d t_1 / d ts_1, from the start of the path held fixed.
  struct Tangent {
    S xx, xy, yx, yy;
    Vector2<S> limit;
  };
  /// Requires ts_1 > 0. The onset tau_s drops out of d theta_1: stick and slip turn t at the same rate there.
  [[nodiscard]] Tangent tangent() const {
    if (!slips_) return {kt_, S(0), S(0), kt_, {}};
    const Vector2<S> e_1 = cos_1_ * e_d_ + sin_1_ * turned(e_d_), n_1 = turned(e_1), n_d = turned(e_d_);
    if (at_tip_) {
      const Vector2<S> by_u = (ts_1_ / V_) * n_d;
      return {n_1.x * by_u.x, n_1.x * by_u.y, n_1.y * by_u.x, n_1.y * by_u.y, e_1};
    }
    // rho = sin(psi_1)/sin(psi_s) = 2E/N;  (1 - rho)/V = kt J ((1 - E)/x) (p - r E)/N stays regular as V -> 0.
    const S rho = S(2) * E_ / N_;
    const S turn_d = kt_ * J_ * detail::expm1_ratio(S(-x_)) * (p_ - r_ * E_) / N_;
    const Vector2<S> by_u =
        ts_1_ * (turn_d * n_d + (rho * kt_ * tau_ / ts_s_) * turned(e_s_) - (sin_1_ * kt_ * J_) * e_d_);
    const S by_limit = sin_1_ * kt_ * V_ * h_ / ts_s_ * (tau_ - ts_1_ * h_ / ts_s_ * log_slope_);
    return {n_1.x * by_u.x, n_1.x * by_u.y, n_1.y * by_u.x, n_1.y * by_u.y, e_1 + by_limit * n_1};
  }

  /// Energy lost in the slider, Eq. (5).
  [[nodiscard]] S dissipated() const {
    if (!slips_) return S(0);
    S loss;
    if (at_tip_) {
      loss = straight_loss(tau_, ts_s_);
    } else if (!(V_ > S(0))) {  // the second term is zero for plain numbers, as in turn()
      loss = straight_loss(tau_, ts_s_) + S(0.5) * (ts_s_ + ts_1_) * h_ * dot(e_s_, du_);
    } else if (detail::vanishes(m_)) {
      loss = constant_limit_loss();
    } else {
      loss = varying_limit_loss();
    }
    return loss > S(0) ? loss : S(0);  // the integrand is never negative; rounding may be
  }

 private:
  /// Slip from the tip of the cone, t = 0 and ts = 0: straight along du from the first instant.
  void start_at_the_tip(const Vector2<S>& du) {
    at_tip_ = true;
    e_d_ = e_s_ = (S(1) / V_) * du;
    cos_1_ = S(1);
    t_1_ = ts_1_ * e_d_;
  }

  /// Smallest tau in [0, 1] with |t_0 + kt du tau| = ts_0 + m tau, given that the trial at tau = 1 lies outside.
  [[nodiscard]] S onset(const S& t_0_du, const S& t_0_squared, const S& ts_0, const S& V_squared) const {
    using std::sqrt;
    const S a = kt_ * kt_ * V_squared - m_ * m_;
    const S b = kt_ * t_0_du - ts_0 * m_;
    const S c = t_0_squared - ts_0 * ts_0;
    if (!(c < S(0)) && !(b < S(0))) return S(0);
    const S discriminant = c < S(0) ? S(b * b - a * c) : S(b * b);
    const S root = discriminant > S(0) ? S(sqrt(discriminant)) : S(0);
    const S tau = b > S(0) ? S(-c / (b + root)) : S((root - b) / a);
    return tau < S(1) ? tau : S(1);
  }

  /// Eqs. (3) and (4): from the onset to the end.
  void turn() {
    using std::exp;
    if (ts_1_ > S(0)) {
      const auto [log_ratio, log_slope] = detail::log_ratio(S(m_ * h_ / ts_s_));
      J_ = h_ / ts_s_ * log_ratio;
      log_slope_ = log_slope;
      x_ = kt_ * V_ * J_;
      E_ = exp(-x_);
    } else {
      x_ = S(std::numeric_limits<double>::infinity());
      E_ = S(0);
    }
    N_ = p_ + r_ * E_ * E_;
    cos_1_ = N_ > S(0) ? S((p_ - r_ * E_ * E_) / N_) : S(-1);
    sin_1_ = N_ > S(0) ? S(S(2) * sin_ * E_ / N_) : S(0);
    t_1_ = ts_1_ * (cos_1_ * e_d_ + sin_1_ * turned(e_d_));
    // At rest, a dual's du still has derivatives: the first order in du, which is zero for plain numbers.
    if (!(V_ > S(0))) t_1_ = t_1_ + (ts_1_ * kt_ * J_ * dot(turned(e_s_), du_)) * turned(e_s_);
  }

  /// From tau, with t along du: mean limit times slip.
  [[nodiscard]] S straight_loss(const S& tau, const S& ts) const {
    return S(0.5) * (ts + ts_1_) * (V_ * (S(1) - tau) - (ts_1_ - ts) / kt_);
  }

  /// ts^2/kt log(sin(psi_s)/sin(psi_1)); both forms are free of cancellation where they are used.
  [[nodiscard]] S constant_limit_loss() const {
    using std::expm1, std::log, std::log1p;
    const S scale = ts_1_ * ts_1_ / kt_;
    if (x_ > S(1)) return scale * (x_ + log(S(0.5) * N_));
    const S turned_off = -expm1(-x_);
    return scale * log1p(turned_off * (S(2) * cos_ + r_ * turned_off) / (S(2) * E_));
  }

  /// (ts_s^2/kt) int_0^x e^(2 kappa y) (cos(psi) - kappa) dy with dy = kt V dtau/ts and kappa = m/(kt V): Gauss on
  /// panels short against the integrand's nearest pole (pi/2 off the axis) and its growth, as far as t still turns;
  /// straight from there on.
  [[nodiscard]] S varying_limit_loss() const {
    using std::exp;
    const S kappa = m_ / (kt_ * V_);
    const double k = value_of(kappa), x = value_of(x_);
    double y_end = 0.5 * std::log(value_of(r_) / value_of(p_) * 0x1p56);  // beyond, 1 - cos(psi) < 2^-55
    if (k < 0) y_end = std::min(y_end, -20 / k);                          // beyond, ts^2 has fallen to e^-40
    const bool turns_to_the_end = x <= y_end;
    S loss(0), y(0), ts_e = ts_s_;
    if (y_end > 0) {
      y = turns_to_the_end ? x_ : S(y_end);
      const int n_panels = std::max(1, static_cast<int>(std::ceil(value_of(y) * std::max(1.0, 0.5 * std::abs(k)))));
      loss = ts_s_ * ts_s_ / kt_ * turning_integral(kappa, y / S(n_panels), n_panels);
      if (turns_to_the_end) return loss;
      ts_e = ts_s_ * exp(kappa * y);
    }
    return loss + straight_loss(tau_ + ts_s_ / (kt_ * V_) * y * detail::expm1_ratio(S(kappa * y)), ts_e);
  }

  [[nodiscard]] S turning_integral(const S& kappa, const S& panel, int n_panels) const {
    using std::exp;
    std::array<S, 10> growth, turn;  // e^(2 kappa y) and r e^(-2y) at the points of the current panel
    for (std::size_t i = 0; i < 10; ++i) {
      growth[i] = S(detail::gauss_weight[i]) * exp(S(2 * detail::gauss_point[i]) * kappa * panel);
      turn[i] = r_ * exp(S(-2 * detail::gauss_point[i]) * panel);
    }
    const S growth_per_panel = exp(S(2) * kappa * panel), turn_per_panel = exp(S(-2) * panel);
    S sum(0);
    for (int j = 0; j < n_panels; ++j) {
      for (std::size_t i = 0; i < 10; ++i) {
        sum += growth[i] * ((p_ - turn[i]) / (p_ + turn[i]) - kappa);
        growth[i] *= growth_per_panel;
        turn[i] *= turn_per_panel;
      }
    }
    return sum * panel;
  }

  S kt_, ts_1_, m_;
  Vector2<S> du_, t_1_;
  bool slips_ = false;
  bool at_tip_ = false;
  S V_{0};
  S tau_{0}, h_{1}, ts_s_{0};        // onset, what is left of the path, limit there
  Vector2<S> e_s_{}, e_d_{};         // directions of the traction at the onset and of the move
  S cos_{1}, sin_{0}, p_{2}, r_{0};  // psi_s; 1 + cos, 1 - cos
  S J_{0}, log_slope_{0}, x_{0};     // int dtau/ts, d(log(1+z)/z)/dz, Eq. (4)
  S E_{1}, N_{2}, cos_1_{1}, sin_1_{0};
};

}  // namespace microslip
