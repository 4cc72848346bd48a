#pragma once

#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>

namespace microslip {

/// Stiffness of the joint alone, from that of the jointed specimen and of the same specimen in one piece: springs in
/// series. [Segalman2002, Eq. 45] prints the two swapped, which would make the result negative.
inline double joint_stiffness(double jointed, double monolithic) {
  positive("jointed stiffness", jointed);
  positive("monolithic stiffness", monolithic);
  if (!(monolithic > jointed))
    throw InvalidInput(
        fmt::format("the monolithic stiffness must exceed the jointed one, got {} and {}: a joint adds compliance",
                    monolithic, jointed));
  return 1 / (1 / jointed - 1 / monolithic);
}

/// A force in the interface as the test rig sees it, along a line of action at `angle_deg` to the interface
/// [Segalman2002, Eq. 46]: the axial force whose component in the interface it is.
inline double seen_from_rig(double interface_force, double angle_deg) {
  if (!(angle_deg >= 0 && angle_deg < 90))
    throw InvalidInput(fmt::format("the interface's angle must lie in [0, 90) degrees, got {}", angle_deg));
  return interface_force / std::cos(angle_deg * std::numbers::pi / 180);
}

}  // namespace microslip
