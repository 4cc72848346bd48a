#pragma once

#include <microslip/joints/surface_contact.hpp>

namespace microslip {

/// Elastic dry friction in two directions [Porter2022, section 2.2.8]: a Jenkins traction whose limit follows the
/// normal traction of a penalty contact.
///   |t| <= mu tn,  tn = kn un for un > 0, else 0;  slip along t, exact on straight paths (sliding_2d.hpp)
/// What a falling normal traction or a separation releases is dissipated. Derivation: docs/theory/contact.md.
template <class S>
struct ElasticDryFriction2d {
  using Scalar = S;
  using State = SurfaceState<S>;
  static constexpr std::string_view name = "elastic_dry_friction";
  S friction_coefficient;    ///< mu
  S stiffness;               ///< kt [N/m^3]
  S normal_stiffness;        ///< kn [N/m^3]
  S post_slip_stiffness{0};  ///< kp [N/m^3]

  [[nodiscard]] ContactResponse<S> evaluate(const State& s, const ContactMotion<S>& u) const {
    return step(s, u).response();
  }
  ContactResponse<S> advance(State& s, const ContactMotion<S>& u) const { return step(s, u).accept(s); }
  [[nodiscard]] S stored(const State& s) const { return surface_stored(stiffness, post_slip_stiffness, normal(), s); }

  template <class T>
  [[nodiscard]] ElasticDryFriction2d<T> cast() const {
    return {T(friction_coefficient), T(stiffness), T(normal_stiffness), T(post_slip_stiffness)};
  }

 private:
  [[nodiscard]] NormalPenalty<S> normal() const { return {normal_stiffness}; }
  [[nodiscard]] auto step(const State& s, const ContactMotion<S>& u) const {
    return SurfaceStep<S, ProportionalLimit<S>, NormalPenalty<S>>(
        stiffness, post_slip_stiffness, {friction_coefficient * normal_stiffness}, normal(), s, u);
  }
};
static_assert(ContactLaw<ElasticDryFriction2d<double>>);

/// The law, if its parameters are physical.
inline ElasticDryFriction2d<double> checked(const ElasticDryFriction2d<double>& law) {
  return {.friction_coefficient = positive("elastic_dry_friction.friction_coefficient", law.friction_coefficient),
          .stiffness = positive("elastic_dry_friction.stiffness", law.stiffness),
          .normal_stiffness = positive("elastic_dry_friction.normal_stiffness", law.normal_stiffness),
          .post_slip_stiffness = non_negative("elastic_dry_friction.post_slip_stiffness", law.post_slip_stiffness)};
}

}  // namespace microslip
