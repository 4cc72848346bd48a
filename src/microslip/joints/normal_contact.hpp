#pragma once

#include <string_view>

#include <microslip/core/check.hpp>

namespace microslip {

/// Normal contact as a linear spring in both directions [Porter2022, Eqs. 1-2]: it never opens.
///   fn = kn un
template <class S>
struct NormalSpring {
  using Scalar = S;
  static constexpr std::string_view name = "spring";
  static constexpr bool separates = false;
  S normal_stiffness;  ///< kn [N/m], or [N/m^3] per area

  [[nodiscard]] S force(const S& un) const { return normal_stiffness * un; }
  [[nodiscard]] S tangent(const S& /*un*/) const { return normal_stiffness; }
  [[nodiscard]] S stored(const S& un) const { return S(0.5) * normal_stiffness * un * un; }

  template <class T>
  [[nodiscard]] NormalSpring<T> cast() const {
    return {T(normal_stiffness)};
  }
};

/// Normal contact by penalty [Porter2022, Eqs. 3-4]: nothing is carried, in any direction, once the gap is open.
///   fn = kn un  for un > 0 (contact),  0 for un <= 0 (separation)
template <class S>
struct NormalPenalty {
  using Scalar = S;
  static constexpr std::string_view name = "penalty";
  static constexpr bool separates = true;
  S normal_stiffness;  ///< kn [N/m], or [N/m^3] per area

  [[nodiscard]] S force(const S& un) const { return un > S(0) ? S(normal_stiffness * un) : S(0); }
  [[nodiscard]] S tangent(const S& un) const { return un > S(0) ? normal_stiffness : S(0); }
  [[nodiscard]] S stored(const S& un) const { return S(0.5) * force(un) * un; }

  template <class T>
  [[nodiscard]] NormalPenalty<T> cast() const {
    return {T(normal_stiffness)};
  }
};

inline NormalSpring<double> checked(const NormalSpring<double>& contact) {
  return {positive("spring.normal_stiffness", contact.normal_stiffness)};
}
inline NormalPenalty<double> checked(const NormalPenalty<double>& contact) {
  return {positive("penalty.normal_stiffness", contact.normal_stiffness)};
}

}  // namespace microslip
