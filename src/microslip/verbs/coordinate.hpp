#pragma once

#include <string>
#include <string_view>

#include <microslip/core/record.hpp>

namespace microslip::verbs {

/// What the numbers of a mode are measured in, as files write it ("sqrt(kg) m"); report::unit_text prints it.
struct CoordinateUnits {
  std::string amplitude, acceleration, force, dissipation;
};

/// Units in a coordinate as `ringdown` names it: "modal" is mass-normalised; a sensor, and a modal coordinate whose
/// shapes are not mass-normalised, measure per unit mass. Mass is 1, so force per unit mass is an acceleration.
CoordinateUnits units_of(std::string_view coordinate, Quantity quantity);

/// Units of modes that a TOML file gives: those of a structure, mass-normalised, where every mass is 1.
CoordinateUnits units_of_modes(bool unit_masses);

/// "mass-normalised modal coordinate", "modal coordinate (not mass-normalised)" or "sensor acc1".
std::string coordinate_text(std::string_view coordinate);

}  // namespace microslip::verbs
