#pragma once

#include <array>

#include <microslip/joints/iwan4.hpp>

namespace microslip::test {

/// A column of Table 6 of Deaner, Allen, Starr, Segalman and Sumali (2015) as printed: a mode of the two-beam
/// structure, of mass 1, at one torque.
struct DeanerColumn {
  const char* name;
  double slip_force, stiffness, linear_stiffness, chi, beta, damping;
  double frequency_hz, damping_percent;
  // Two columns disagree with themselves: 0.099 % means C = 1.505 and not 3.96; C = 5.69 means 0.212 % and not 0.216 %.
  double meant_damping = damping, meant_damping_percent = damping_percent;

  [[nodiscard]] bool misprinted() const { return meant_damping != damping || meant_damping_percent != damping_percent; }
  [[nodiscard]] Iwan4<double> joint() const {
    return {.slip_force = slip_force, .stiffness = stiffness, .chi = chi, .beta = beta};
  }
};

/// Mode by mode, at 1.13, 3.39 and 5.65 N m each.
inline constexpr std::array<DeanerColumn, 9> deaner_table_6{
    {{"mode 1, 1.13 N m", 0.562, 1.16e5, 5.03e5, -0.0237, 0.0237, 1.89, 125.2, 0.120},
     {"mode 1, 3.39 N m", 2.33, 1.37e5, 4.41e5, -0.178, 0.0316, 3.96, 121.0, 0.099, 1.505},
     {"mode 1, 5.65 N m", 3.08, 1.35e5, 4.44e5, -0.0102, 1.19, 1.12, 121.1, 0.074},
     {"mode 2, 1.13 N m", 1.10, 1.61e5, 1.80e6, -0.195, 0.000458, 5.62, 222.9, 0.201},
     {"mode 2, 3.39 N m", 27.0, 5.10e5, 1.31e6, -0.310, 0.523, 15.11, 214.7, 0.560},
     {"mode 2, 5.65 N m", 27.34, 4.08e5, 1.40e6, -0.303, 3.80, 5.69, 214.0, 0.216, 5.69, 0.212},
     {"mode 3, 1.13 N m", 6.77, 1.45e6, 7.15e6, -0.112, 1.46, 11.8, 466.7, 0.201},
     {"mode 3, 3.39 N m", 5.26, 1.36e6, 7.50e6, -0.228, 5.94, 2.96, 473.7, 0.050},
     {"mode 3, 5.65 N m", 23.04, 2.79e6, 6.39e6, -0.0196, 13.68, 4.18, 482.2, 0.069}}};

}  // namespace microslip::test
