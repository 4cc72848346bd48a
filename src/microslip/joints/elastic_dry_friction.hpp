#pragma once

#include <array>
#include <cmath>

#include <microslip/core/dual.hpp>
#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/parameter.hpp>

namespace microslip {

/// The response of a law that also feels the normal force.
template <class Scalar>
struct CoupledResponse {
  Scalar force;           ///< f [N], resists u
  Scalar tangent;         ///< df/du at fixed history [N/m]
  Scalar tangent_normal;  ///< df/d(normal force at the end of the move)
  Scalar dissipated;      ///< energy lost in the move [J]: exact, never negative
};

/// Jenkins element whose strength follows the normal force [Porter2022, section 2.2.8].
///   |f| <= mu fn,  slip only while |f| = mu fn                                                       (1)
/// On a straight path (u and fn linear) |f| - mu fn is convex, so that slip, once begun, goes on to the end:
///   f_1 = sgn(trial) min(|trial|, mu fn_1),  trial = f_0 + kt (u_1 - u_0)                             (2)
///   loss = (fs_s + fs_1)/2 (|trial| - fs_1)/kt,  fs_s the strength where slip began                   (3)
/// With a constant `normal_force` it is a FrictionLaw; with a normal force at the end of each move it is the contact
/// law in one direction. A negative normal force kn un means an open gap: nothing is carried, what the springs held is
/// dissipated, and contact is lost and found where the normal force passes zero [Eq. 5]. Derivation:
/// docs/theory/contact.md.
template <class S>
struct ElasticDryFriction {
  using Scalar = S;
  static constexpr std::string_view name = "elastic_dry_friction";
  static constexpr std::string_view title = "Elastic dry friction";
  static constexpr bool masing = false;  ///< it would be, were the normal force always constant

  S friction_coefficient;    ///< mu
  S stiffness;               ///< kt [N/m]
  S normal_force{0};         ///< fn [N], where it is constant
  S post_slip_stiffness{0};  ///< kp [N/m]

  struct State {
    S u{0};
    S slider{0};     ///< force of the spring in series with the slider
    S normal{0};     ///< normal force at the last accepted instant; an open gap where <= 0
    S reference{0};  ///< where the post-slip spring is free
  };

  static constexpr std::array<Parameter<ElasticDryFriction>, 4> parameters() {
    return {{{"friction_coefficient", "mu", "1", "slip force over normal force",
              above_zero("a joint without friction is no joint"), 0.3, true, &ElasticDryFriction::friction_coefficient},
             detail::stick_stiffness_row<ElasticDryFriction>(1e7, true, "stiffness while it sticks"),
             {"normal_force", "f_n", "N", "constant normal force; absent where it comes with the motion",
              from_zero("an open gap carries nothing"), 1000, false, &ElasticDryFriction::normal_force},
             post_slip_row<ElasticDryFriction>()}};
  }

  /// What it is while the normal force is constant.
  [[nodiscard]] Jenkins<S> element() const {
    return {stiffness, friction_coefficient * normal_force, post_slip_stiffness};
  }
  /// First loading at the constant normal force, without the post-slip spring.
  [[nodiscard]] Curve<S> curve(const S& x) const { return element().curve(x); }

  /// A move at the law's constant normal force.
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    State from = s;
    from.normal = normal_force;
    return uncoupled(step(from, u, normal_force).response);
  }
  Response<S> advance(State& s, const S& u) const {
    s.normal = normal_force;
    const Step moved = step(s, u, normal_force);
    s = moved.state;
    return uncoupled(moved.response);
  }

  /// A move during which the normal force goes linearly from the state's to `normal_force_end`.
  [[nodiscard]] CoupledResponse<S> evaluate(const State& s, const S& u, const S& normal_force_end) const {
    return step(s, u, normal_force_end).response;
  }
  CoupledResponse<S> advance(State& s, const S& u, const S& normal_force_end) const {
    const Step moved = step(s, u, normal_force_end);
    s = moved.state;
    return moved.response;
  }

  /// Energy in the springs.
  [[nodiscard]] S stored(const State& s) const {
    if (!(s.normal > S(0))) return S(0);
    return spring_energy(s.slider, s.u - s.reference);
  }

  template <class T>
  [[nodiscard]] ElasticDryFriction<T> cast() const {
    return {convert<T>(friction_coefficient), convert<T>(stiffness), convert<T>(normal_force),
            convert<T>(post_slip_stiffness)};
  }

 private:
  struct Step {
    State state;
    CoupledResponse<S> response;
  };
  struct Slide {
    S force, loss;
    bool slips;
  };

  [[nodiscard]] S spring_energy(const S& slider, const S& stretch) const {
    return S(0.5) * (slider * slider / stiffness + post_slip_stiffness * stretch * stretch);
  }
  static Response<S> uncoupled(const CoupledResponse<S>& r) { return {r.force, r.tangent, r.dissipated}; }

  /// Eqs. (2) and (3).
  [[nodiscard]] Slide slide(const S& f_0, const S& fs_0, const S& du, const S& fs_1) const {
    using std::abs;
    const S trial = f_0 + stiffness * du, beyond = abs(trial) - fs_1;
    if (!(beyond > S(0))) return {trial, S(0), false};
    const bool forward = trial > S(0);
    const S room = fs_0 - (forward ? f_0 : S(-f_0));  // of the spring at the start; rounding may make it negative
    const S fs_s = room > S(0) ? S((fs_0 * beyond + fs_1 * room) / (beyond + room)) : fs_0;
    return {forward ? fs_1 : S(-fs_1), S(0.5) * (fs_s + fs_1) * beyond / stiffness, true};
  }

  [[nodiscard]] Step step(const State& from, const S& u, const S& fn) const {
    const S &kt = stiffness, &kp = post_slip_stiffness, &mu = friction_coefficient, &fn_0 = from.normal;
    const bool was_closed = fn_0 > S(0), is_closed = fn > S(0);
    const S move = u - from.u;
    State state{.u = u, .slider = S(0), .normal = fn, .reference = from.reference};
    if (is_closed) {
      // The part of the move made in contact, and its derivative with the normal force.
      const S share = was_closed ? S(1) : S(fn / (fn - fn_0));
      const S d_share = was_closed ? S(0) : S(-fn_0 / ((fn - fn_0) * (fn - fn_0)));
      const S du = was_closed ? move : S(share * move);
      if (!was_closed) state.reference = u - du;
      const Slide s = slide(was_closed ? from.slider : S(0), was_closed ? S(mu * fn_0) : S(0), du, mu * fn);
      state.slider = s.force;
      const S k = (s.slips ? S(0) : kt) + kp;
      const S by_limit = s.slips ? (s.force < S(0) ? S(-mu) : mu) : S(0);
      return {state,
              {.force = s.force + kp * (was_closed ? S(u - from.reference) : du),
               .tangent = share * k,
               .tangent_normal = by_limit + d_share * k * move,
               .dissipated = s.loss}};
    }
    S lost(0);
    if (was_closed) {
      const S du = fn_0 / (fn_0 - fn) * move;
      const Slide s = slide(from.slider, mu * fn_0, du, S(0));
      lost = s.loss + spring_energy(s.force, from.u + du - from.reference);
    }
    return {state, {.force = S(0), .tangent = S(0), .tangent_normal = S(0), .dissipated = lost}};
  }
};
static_assert(FrictionLaw<ElasticDryFriction<double>> && HasCurve<ElasticDryFriction<double>>);

}  // namespace microslip
