#pragma once

#include <array>

#include <microslip/dynamics/amplitude_law.hpp>

namespace microslip::test {

/// The first three elastic modes of the two-beam structure at 3.39 N m [Deaner2015, Table 6], mass 1. Mode 1 is printed
/// with C = 3.96, which disagrees with its own damping ratio of 0.099 %; that means 1.505.
inline std::array<JointedMode, 3> two_beam_modes() {
  return {JointedMode{1, 1.505, 4.41e5, AnyLaw(Iwan4<double>{2.33, 1.37e5, -0.178, 0.0316})},
          JointedMode{1, 15.11, 1.31e6, AnyLaw(Iwan4<double>{27.0, 5.10e5, -0.310, 0.523})},
          JointedMode{1, 2.96, 7.50e6, AnyLaw(Iwan4<double>{5.26, 1.36e6, -0.228, 5.94})}};
}

}  // namespace microslip::test
