#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <microslip/core/dual.hpp>
#include <microslip/joints/elastic_dry_friction_2d.hpp>
#include <microslip/joints/jenkins_2d.hpp>
#include <microslip/joints/jenkins_prager_2d.hpp>
#include <microslip/joints/patch_contact.hpp>

namespace microslip::contact_test {

inline double roundoff(double n, double x) { return n * std::numeric_limits<double>::epsilon() * std::abs(x); }

/// Stiff scales of a real interface: kt 4e12 N/m^3, limits around 2e6 N/m^2, so lengths around 5e-7 m.
inline constexpr double kt = 4e12, kn = 6e12, ts = 2e6, mu = 0.4, kp = 3e11;
inline constexpr double reach = 4 * ts / kt;     // of tangential displacement
inline constexpr double press = ts / (mu * kn);  // normal displacement that gives the limit ts
/// What 1-D laws and 2-D laws alike can carry: limit and post-slip spring at the ends of the tests' walks.
inline constexpr double f_max = mu * kn * 2 * press + kp * 2 * reach;

template <class L>
struct Sample;
template <template <class> class Normal>
struct Sample<Jenkins2d<double, Normal>> {
  static Jenkins2d<double, Normal> law() { return {.stiffness = kt, .slip_force = ts, .normal = {kn}}; }
};
template <template <class> class Normal>
struct Sample<JenkinsPrager2d<double, Normal>> {
  static JenkinsPrager2d<double, Normal> law() {
    return {.stiffness = kt, .slip_force = ts, .post_slip_stiffness = kp, .normal = {kn}};
  }
};
template <>
struct Sample<ElasticDryFriction2d<double>> {
  static ElasticDryFriction2d<double> law() {
    return {.friction_coefficient = mu, .stiffness = kt, .normal_stiffness = kn, .post_slip_stiffness = kp};
  }
};
template <template <class> class Normal>
struct Sample<PatchContact<ElasticDryFriction<double>, Normal>> {
  static PatchContact<ElasticDryFriction<double>, Normal> law() {
    return {
        .tangential = {.friction_coefficient = mu, .stiffness = kt, .normal_force = ts / mu, .post_slip_stiffness = kp},
        .normal = {kn}};
  }
};

/// A state's plain numbers as those of another scalar.
template <class T>
ContactMotion<T> cast(const ContactMotion<double>& u) {
  return {T(u.x), T(u.y), T(u.n)};
}
template <class T>
Vector2<T> cast(const Vector2<double>& v) {
  return {T(v.x), T(v.y)};
}
template <class Law, class T>
typename Law::State cast_state(const SurfaceState<double>& s) {
  return {cast<T>(s.at), cast<T>(s.slider), cast<T>(s.reference)};
}
template <class T>
typename ElasticDryFriction<T>::State cast(const ElasticDryFriction<double>::State& s) {
  return {T(s.u), T(s.slider), T(s.normal), T(s.reference)};
}
template <class Law, class T, class PatchState>
typename Law::State cast_state(const PatchState& s) {
  return {cast<T>(s.x), cast<T>(s.y), cast<T>(s.at), cast<T>(s.origin)};
}

/// Random instants: now and then the surfaces separate, touch again, stay put in one direction, or sit exactly at the
/// edge of contact.
class Walk {
 public:
  explicit Walk(unsigned seed) : rng_(seed) {}

  ContactMotion<double> next() {
    ContactMotion<double> u{tangential_(rng_), tangential_(rng_), normal_(rng_)};
    switch (kind_(rng_)) {
      case 0:
        u.n = at_.n;
        break;
      case 1:
        u.x = at_.x, u.y = at_.y;
        break;
      case 2:
        u.x = at_.x;
        break;
      case 3:
        u.n = 0;
        break;
      case 4:  // a small step
        u = {at_.x + 1e-3 * u.x, at_.y + 1e-3 * u.y, at_.n + 1e-3 * u.n};
        break;
      default:
        break;
    }
    return at_ = u;
  }
  double cut() { return cut_(rng_); }

 private:
  std::mt19937 rng_;
  std::uniform_real_distribution<double> tangential_{-reach, reach}, normal_{-0.5 * press, 2 * press}, cut_{0, 1};
  std::uniform_int_distribution<int> kind_{0, 11};
  ContactMotion<double> at_{};
};

inline ContactMotion<double> between(const ContactMotion<double>& a, const ContactMotion<double>& b, double cut) {
  return {a.x + cut * (b.x - a.x), a.y + cut * (b.y - a.y), a.n + cut * (b.n - a.n)};
}

/// Integral over (a, b) by seven-point Gauss-Lobatto, halved where two halves tell more than the whole: a corner or a
/// jump is closed in on forty times, also beside an end, which the rule sees. The tolerance is absolute, for integrands
/// of order one.
template <class F>
double integral(const F& f, double a, double b, double tolerance, int depth = 40) {
  const auto rule = [&f](double lower, double upper) {
    const double c = 0.5 * (lower + upper), h = 0.5 * (upper - lower), root = 2.0 / 11 * std::sqrt(5.0 / 3);
    const double near = std::sqrt(5.0 / 11 - root), far = std::sqrt(5.0 / 11 + root), w = 7 * std::sqrt(15.0);
    return h * (256.0 / 525 * f(c) + (124 + w) / 350 * (f(c - h * near) + f(c + h * near)) +
                (124 - w) / 350 * (f(c - h * far) + f(c + h * far)) + 1.0 / 21 * (f(lower) + f(upper)));
  };
  // Cut in two ways: at one cut a corner may agree by chance.
  const double middle = 0.5 * (a + b), other = a + 0.3 * (b - a), whole = rule(a, b);
  const double halves = rule(a, middle) + rule(middle, b), uneven = rule(a, other) + rule(other, b);
  if (depth == 0 || std::max(std::abs(whole - halves), std::abs(whole - uneven)) < tolerance) return halves;
  return integral(f, a, middle, tolerance, depth - 1) + integral(f, middle, b, tolerance, depth - 1);
}

/// Work on the straight path from u_0 to u_1, by quadrature of the forces on the way.
template <class Law>
double work(const Law& law, const typename Law::State& s, const ContactMotion<double>& u_0,
            const ContactMotion<double>& u_1, double scale, double tolerance = 2e-15) {
  const auto power = [&](double tau) {
    const auto f = law.evaluate(s, between(u_0, u_1, tau)).force;
    return (f[0] * (u_1.x - u_0.x) + f[1] * (u_1.y - u_0.y) + f[2] * (u_1.n - u_0.n)) / scale;
  };
  return scale * integral(power, 0, 1, tolerance);
}

}  // namespace microslip::contact_test
