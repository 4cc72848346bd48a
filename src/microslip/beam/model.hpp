#pragma once

#include <numbers>

namespace microslip::beam {

/// A straight beam of rectangular section: x along it from 0 to length, w across it, positive towards the support.
struct Beam {
  double length;
  double width;
  double height;
  double youngs_modulus;
  double density;
  bool rotary_inertia = true;  ///< of the section; off for comparison with the textbook's Euler beam

  [[nodiscard]] double area() const { return width * height; }
  [[nodiscard]] double bending_stiffness() const {
    return youngs_modulus * width * height * height * height / 12;
  }                                                                                 ///< EI
  [[nodiscard]] double axial_stiffness() const { return youngs_modulus * area(); }  ///< EA
  [[nodiscard]] double mass_per_length() const { return density * area(); }         ///< rho A
  [[nodiscard]] double inertia_per_length() const {
    return rotary_inertia ? density * width * height * height * height / 12 : 0;
  }  ///< rho I
};

/// The frictional support, from x = 0: springs across and along the interface, per metre of beam.
struct Support {
  double length;
  double normal_stiffness;      ///< k_n [N/m per m]
  double tangential_stiffness;  ///< k_t [N/m per m]
  double friction_coefficient;
  bool unilateral = true;  ///< the beam lifts off where the preload does not press; false: the paper's tied beam
};

/// The bolt: a mass on the beam, a spring k_0 along it, and the preload.
struct Bolt {
  double position;
  double mass = 0;
  double rotary_inertia = 0;
  double tangential_stiffness = 0;  ///< k_0 [N/m]
  double preload = 0;               ///< [N]
  double head_diameter = 0;         ///< the preload is spread evenly over it; 0: a point load
};

/// A harmonic force at one point of the beam.
struct Load {
  double position;
  double frequency_hz = 0;  ///< 0: static
  double angle_deg = 0;     ///< 0: across the beam, 90: along it

  [[nodiscard]] double omega() const { return 2 * std::numbers::pi * frequency_hz; }
};

/// The rig of [Asadi2012]: a free beam bolted to a frictional support at one end.
struct Model {
  Beam beam;
  Support support;
  Bolt bolt;
  Load load;
};

/// The model, if its geometry and constants make sense; else InvalidInput naming the key.
Model checked(const Model& model);

/// The largest k_t [N/m per m] for which rounding leaves the exact beam seven digits of its bending, far above that of
/// any joint: it falls as k_n does.
double most_tangential_stiffness(const Model& model);

/// The largest k_n [N/m per m] whose waves along the support are not too short to be followed.
double most_normal_stiffness(const Model& model);

/// Refuses, with the key, a stiffness or frequency whose waves are too short for slip to be followed in reasonable
/// time, or for bending to be computed beside them.
void check_resolution(const Model& model);

}  // namespace microslip::beam
