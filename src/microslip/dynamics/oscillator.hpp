#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include <microslip/dynamics/newmark.hpp>
#include <microslip/joints/masing.hpp>
#include <microslip/joints/stored_energy.hpp>

namespace microslip {

/// No joint at all, as a law.
struct NoJoint {
  using Scalar = double;
  static constexpr std::string_view name = "none";
  struct State {};
  [[nodiscard]] Response<double> evaluate(const State& /*s*/, double /*u*/) const { return {0, 0, 0}; }
  Response<double> advance(State& /*s*/, double /*u*/) const { return {0, 0, 0}; }
};
inline double stored_energy(const NoJoint& /*law*/, const NoJoint::State& /*s*/, double /*u*/) { return 0; }

/// mass u'' + damping u' + stiffness u + joint(u) = F(t), stepped by Newmark's method with Newton's on the exact law.
/// The residual grows with the acceleration, so Newton is kept inside a bracket and finds the one root; the history
/// moves once per accepted step. Nothing is allocated but the law's own memory of reversals.
template <class Law>
class Oscillator {
 public:
  Oscillator(double mass, double damping, double stiffness, const Law& law, const NewmarkOptions& options)
      : m_(mass), c_(damping), k_(stiffness), law_(law), options_(options) {
    if constexpr (requires { state_.reversals; }) state_.reversals.reserve(4096);
  }

  /// Starts at displacement u, the joint loaded monotonically from rest, with velocity v while `force` acts.
  void start(double u, double v, double force) {
    const Response<double> r = law_.advance(state_, u);
    u_ = u, v_ = v, force_ = force, f_ = r.force, tangent_ = last_tangent_ = r.tangent;
    a_ = (force - c_ * v - k_ * u - f_) / m_;
    energy_ = {};
    energy_.initial = kinetic() + stored();
  }

  /// Moves the joint to where it balances a static force, and stays there at rest. False where it cannot.
  bool rest_under(double force) {
    double u = 0, low = -std::numeric_limits<double>::infinity(), high = -low;
    for (int i = 0; i < 400; ++i) {
      const Response<double> r = law_.evaluate(state_, u);
      const double residual = k_ * u + r.force - force, slope = k_ + r.tangent;
      if (std::abs(residual) <= 1e-13 * (std::abs(k_ * u) + std::abs(r.force) + std::abs(force))) {
        start(u, 0, force);
        return true;
      }
      (residual > 0 ? high : low) = u;
      double next = slope > 0 ? u - residual / slope : std::numeric_limits<double>::quiet_NaN();
      if (!(next > low && next < high)) {
        if (std::isinf(low) || std::isinf(high)) return false;
        next = 0.5 * (low + high);
      }
      if (next == u) {
        start(u, 0, force);
        return true;
      }
      u = next;
    }
    return false;
  }

  /// One step of length step.dt under a force that goes linearly to force_1. False where Newton's method does not
  /// converge even after halving; the oscillator is then at the last point that it reached.
  bool advance(const NewmarkStep& step, double force_1, int halvings = 0) {
    const bool last = halvings >= options_.max_halvings;
    const Attempt attempt = solve(step, force_1, last ? 0 : options_.accuracy);
    if (attempt == Attempt::solved) [[likely]]
      return true;
    if (last) return false;
    ++(attempt == Attempt::stalled ? n_halved_ : n_refined_);
    const NewmarkStep half(0.5 * step.dt, options_.hht_alpha);
    const double middle = 0.5 * (force_ + force_1);
    return advance(half, middle, halvings + 1) && advance(half, force_1, halvings + 1);
  }

  [[nodiscard]] double displacement() const { return u_; }
  [[nodiscard]] double velocity() const { return v_; }
  [[nodiscard]] double acceleration() const { return a_; }
  [[nodiscard]] double kinetic() const { return 0.5 * m_ * v_ * v_; }
  [[nodiscard]] double stored() const { return 0.5 * k_ * u_ * u_ + stored_energy(law_, state_, u_); }
  [[nodiscard]] long long n_iterations() const { return n_iterations_; }
  [[nodiscard]] long long n_halved() const { return n_halved_; }
  [[nodiscard]] long long n_refined() const { return n_refined_; }
  /// The ledger up to now.
  [[nodiscard]] Energy energy() const {
    Energy now = energy_;
    now.kinetic = kinetic();
    now.stored = stored();
    return now;
  }

 private:
  static constexpr bool remembers_reversals = std::same_as<typename Law::State, MasingState<double>>;

  Attempt solve(const NewmarkStep& step, double force_1, double accuracy) {
    const double s = step.s, dt = step.dt;
    const double u_p = u_ + dt * v_ + (0.5 * dt * dt - step.b) * a_, v_p = v_ + (dt - step.g) * a_;
    const double linear = m_ + s * (step.g * c_ + step.b * k_);
    double rhs = s * (force_1 - c_ * v_p - k_ * u_p);
    if (s != 1) rhs += (1 - s) * (force_ - c_ * v_ - k_ * u_ - f_);
    // The joint's tangent at mid-step, from the last two steps, makes the first guess good to third order.
    const double tangent = std::max(0.0, 1.5 * tangent_ - 0.5 * last_tangent_);
    double a = (rhs - s * (f_ + tangent * (u_p - u_))) / (linear + s * step.b * tangent);
    if (options_.absolute) a = a_;  // as in the paper, whose trouble it is to show
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    const double rounding = (k_ + tangent_) * dt * std::abs(v_);  // u_p may be a small difference of larger numbers
    for (int i = 0; i < options_.max_iterations; ++i) {
      ++n_iterations_;
      const double u_1 = u_p + step.b * a;
      const auto trial = walk(u_1);
      const Response<double> r = response(trial, u_1);
      const double residual = linear * a + s * r.force - rhs;
      const double scale = std::abs(linear * a) + s * std::abs(r.force) + std::abs(rhs) + rounding;
      const double change = residual / (linear + s * step.b * r.tangent);
      if (std::abs(residual) <= options_.tolerance * (options_.absolute ? 1 : scale) || a - change == a)
        return accept(trial, step, u_1, v_p + step.g * a, a, r, force_1, accuracy);
      (residual > 0 ? high : low) = a;
      double next = a - change;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (!std::isfinite(next)) return Attempt::stalled;
      if (next == low || next == high)  // a jump of the law: the root lies between two neighbouring numbers
        return accept(trial, step, u_1, v_p + step.g * a, a, r, force_1, accuracy);
      a = next;
    }
    return Attempt::stalled;
  }

  // A Masing law's walk is kept and committed, so that accepting costs no second evaluation.
  [[nodiscard]] auto walk(double u) const {
    if constexpr (remembers_reversals) {
      return MasingWalk<Law>(law_, state_, u);
    } else {
      return law_.evaluate(state_, u);
    }
  }
  template <class Trial>
  [[nodiscard]] Response<double> response(const Trial& trial, double u) const {
    if constexpr (remembers_reversals) {
      return beside_spring(trial.response(), law_.post_slip_stiffness, u);
    } else {
      return trial;
    }
  }
  template <class Trial>
  Attempt accept(const Trial& trial, const NewmarkStep& step, double u, double v, double a, const Response<double>& r,
                 double force, double accuracy) {
    if (accuracy > 0 && step.rough(accuracy, (a - a_) * (a - a_), v * v, a * a)) return Attempt::rough;
    if constexpr (remembers_reversals) {
      trial.commit(state_, u);
    } else {
      law_.advance(state_, u);
    }
    energy_.work += 0.5 * (force_ + force) * (u - u_);
    // The velocity is linear over a step: its square is integrated as such.
    energy_.dissipated += r.dissipated + c_ * step.dt * (v_ * v_ + v_ * v + v * v) / 3;
    u_ = u, v_ = v, a_ = a, force_ = force, f_ = r.force;
    last_tangent_ = tangent_;
    tangent_ = r.tangent;
    return Attempt::solved;
  }

  double m_, c_, k_;
  Law law_;
  NewmarkOptions options_;
  typename Law::State state_{};
  double u_ = 0, v_ = 0, a_ = 0, force_ = 0, f_ = 0, tangent_ = 0, last_tangent_ = 0;
  Energy energy_;
  long long n_iterations_ = 0, n_halved_ = 0, n_refined_ = 0;
};

}  // namespace microslip
