#pragma once

#include <array>

#include <support/deaner.hpp>

#include <microslip/dynamics/amplitude_law.hpp>

namespace microslip::test {

/// The first three elastic modes of the two-beam structure at 3.39 N m.
inline std::array<JointedMode, 3> two_beam_modes() {
  const auto mode = [](const DeanerColumn& c) -> JointedMode {
    return {1, c.meant_damping, c.linear_stiffness, AnyLaw(c.joint())};
  };
  return {mode(deaner_table_6[1]), mode(deaner_table_6[4]), mode(deaner_table_6[7])};
}

}  // namespace microslip::test
