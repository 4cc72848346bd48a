#pragma once

#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/surface_contact.hpp>

namespace microslip {

/// Generalized Jenkins-Prager traction in two directions with normal contact [Porter2022, Eqs. 23-26]: a Jenkins
/// element that does not know directions, and a post-slip spring beside it.
///   t = t_J + kp (u - u_0),  |t_J| <= ts,  slip along t_J, exact on straight paths (sliding_2d.hpp)
/// With `NormalPenalty` nothing is carried while the surfaces are apart. Derivation: docs/theory/contact.md.
template <class S, template <class> class Normal = NormalSpring>
struct JenkinsPrager2d {
  using Scalar = S;
  using State = SurfaceState<S>;
  static constexpr std::string_view name = "jenkins_prager";
  S stiffness;            ///< kt [N/m^3] of the spring in series with the slider; the initial stiffness is kt + kp
  S slip_force;           ///< ts [N/m^2]
  S post_slip_stiffness;  ///< kp [N/m^3]
  Normal<S> normal;

  [[nodiscard]] ContactResponse<S> evaluate(const State& s, const ContactMotion<S>& u) const {
    return step(s, u).response();
  }
  ContactResponse<S> advance(State& s, const ContactMotion<S>& u) const { return step(s, u).accept(s); }
  [[nodiscard]] S stored(const State& s) const { return surface_stored(stiffness, post_slip_stiffness, normal, s); }

  template <class T>
  [[nodiscard]] JenkinsPrager2d<T, Normal> cast() const {
    return {T(stiffness), T(slip_force), T(post_slip_stiffness), normal.template cast<T>()};
  }

 private:
  [[nodiscard]] auto step(const State& s, const ContactMotion<S>& u) const {
    return SurfaceStep<S, ConstantLimit<S>, Normal<S>>(stiffness, post_slip_stiffness, {slip_force}, normal, s, u);
  }
};
static_assert(ContactLaw<JenkinsPrager2d<double>> && ContactLaw<JenkinsPrager2d<double, NormalPenalty>>);

/// The law, if its parameters are physical.
template <template <class> class Normal>
JenkinsPrager2d<double, Normal> checked(const JenkinsPrager2d<double, Normal>& law) {
  return {.stiffness = positive("jenkins_prager.stiffness", law.stiffness),
          .slip_force = positive("jenkins_prager.slip_force", law.slip_force),
          .post_slip_stiffness = non_negative("jenkins_prager.post_slip_stiffness", law.post_slip_stiffness),
          .normal = checked(law.normal)};
}

/// The Prager law [Porter2022, Eq. 21]: rigid until it slips. Its set-valued stick is regularised by a penalty, larger
/// than any stiffness that a fit would find [Porter2022, section 2.2.9].
template <template <class> class Normal>
JenkinsPrager2d<double, Normal> prager_2d(double slip_force, double post_slip_stiffness, const Normal<double>& normal,
                                          double stiffness = Prager<double>::penalty) {
  return {.stiffness = positive("prager.stiffness", stiffness),
          .slip_force = positive("prager.slip_force", slip_force),
          .post_slip_stiffness = non_negative("prager.post_slip_stiffness", post_slip_stiffness),
          .normal = checked(normal)};
}

}  // namespace microslip
