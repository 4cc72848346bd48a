#pragma once

#include <type_traits>
#include <variant>

#include <microslip/joints/any_law.hpp>

namespace microslip {

/// Stiffness of a law before any slip, its post-slip spring included. Elastic dry friction sticks with its stiffness
/// under whatever normal force it will have.
template <class Law>
[[nodiscard]] double initial_tangent(const Law& law) {
  if constexpr (std::is_same_v<Law, ElasticDryFriction<double>>) {
    return law.stiffness + law.post_slip_stiffness;
  } else {
    return law.evaluate({}, 0.0).tangent;
  }
}
[[nodiscard]] inline double initial_tangent(const AnyLaw& any) {
  return std::visit([](const auto& law) { return initial_tangent(law); }, any);
}

/// Whether a law is elastic dry friction that was not told its normal force.
[[nodiscard]] inline bool lacks_normal_force(const AnyLaw& law) {
  const auto* friction = std::get_if<ElasticDryFriction<double>>(&law);
  return friction != nullptr && !(friction->normal_force > 0);
}

/// Refuses elastic dry friction under normal contact where its normal force is missing, or given although contact
/// that opens gives it.
inline void check_normal_force(const AnyLaw& law, bool opens) {
  if (!std::holds_alternative<ElasticDryFriction<double>>(law)) return;
  if (!opens && lacks_normal_force(law))
    throw InvalidInput(
        "elastic_dry_friction with contact 'spring' needs its constant normal_force; 'penalty' gives it");
  if (opens && !lacks_normal_force(law))
    throw InvalidInput("elastic_dry_friction has its normal force from contact 'penalty': leave out normal_force");
}

}  // namespace microslip
