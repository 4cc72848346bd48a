#pragma once

#include <microslip/joints/surface_contact.hpp>

namespace microslip {

/// Jenkins traction in two directions with normal contact, the same in every direction [Porter2022, Eq. 20].
///   t = kt (u - w),  |t| <= ts,  w moves along t while |t| = ts, exact on straight paths (sliding_2d.hpp)
/// With `NormalPenalty` nothing is carried while the surfaces are apart. Derivation: docs/theory/contact.md.
template <class S, template <class> class Normal = NormalSpring>
struct Jenkins2d {
  using Scalar = S;
  using State = SurfaceState<S>;
  static constexpr std::string_view name = "jenkins";
  S stiffness;   ///< kt [N/m^3]
  S slip_force;  ///< ts [N/m^2]
  Normal<S> normal;

  [[nodiscard]] ContactResponse<S> evaluate(const State& s, const ContactMotion<S>& u) const {
    return step(s, u).response();
  }
  ContactResponse<S> advance(State& s, const ContactMotion<S>& u) const { return step(s, u).accept(s); }
  [[nodiscard]] S stored(const State& s) const { return surface_stored(stiffness, S(0), normal, s); }

  template <class T>
  [[nodiscard]] Jenkins2d<T, Normal> cast() const {
    return {T(stiffness), T(slip_force), normal.template cast<T>()};
  }

 private:
  [[nodiscard]] auto step(const State& s, const ContactMotion<S>& u) const {
    return SurfaceStep<S, ConstantLimit<S>, Normal<S>>(stiffness, S(0), {slip_force}, normal, s, u);
  }
};
static_assert(ContactLaw<Jenkins2d<double>> && ContactLaw<Jenkins2d<double, NormalPenalty>>);

/// The law, if its parameters are physical.
template <template <class> class Normal>
Jenkins2d<double, Normal> checked(const Jenkins2d<double, Normal>& law) {
  return {.stiffness = positive("jenkins.stiffness", law.stiffness),
          .slip_force = positive("jenkins.slip_force", law.slip_force),
          .normal = checked(law.normal)};
}

}  // namespace microslip
