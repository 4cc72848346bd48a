#pragma once

#include <microslip/beam/model.hpp>

namespace microslip::test {

/// The rig of Asadi, Ahmadian and Jalali (2012). E, rho, mu, preload and the head's width are assumed: the paper does
/// not print them.
inline beam::Model asadi(double frequency_hz = 31) {
  return {.beam = {.length = 0.3, .width = 0.03, .height = 0.003, .youngs_modulus = 2e11, .density = 7850},
          .support = {.length = 0.05,
                      .normal_stiffness = 1.7e9,
                      .tangential_stiffness = 5.8e8,
                      .friction_coefficient = 0.2,
                      .unilateral = true},
          .bolt = {.position = 0.025, .mass = 0.052, .preload = 1e4, .head_diameter = 0.027},
          .load = {.position = 0.13, .frequency_hz = frequency_hz}};
}

}  // namespace microslip::test
