#include <microslip/beam/model.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

Model checked(const Model& model) {
  const auto& [beam, support, bolt, load] = model;
  positive("beam.length", beam.length);
  positive("beam.width", beam.width);
  positive("beam.height", beam.height);
  positive("beam.youngs_modulus", beam.youngs_modulus);
  positive("beam.density", beam.density);
  if (beam.height > beam.length / 5)
    throw InvalidInput(fmt::format("beam.height {} is more than a fifth of beam.length {}: not a slender beam",
                                   beam.height, beam.length));

  positive("support.length", support.length);
  if (support.length > beam.length)
    throw InvalidInput(
        fmt::format("support.length {} is longer than the beam, beam.length = {}", support.length, beam.length));
  non_negative("support.normal_stiffness", support.normal_stiffness);
  non_negative("support.tangential_stiffness", support.tangential_stiffness);
  non_negative("support.friction_coefficient", support.friction_coefficient);

  within("bolt.position", bolt.position, 0, support.length);
  non_negative("bolt.mass", bolt.mass);
  non_negative("bolt.rotary_inertia", bolt.rotary_inertia);
  non_negative("bolt.tangential_stiffness", bolt.tangential_stiffness);
  non_negative("bolt.preload", bolt.preload);
  non_negative("bolt.head_diameter", bolt.head_diameter);
  const double radius = bolt.head_diameter / 2;
  const double room = support.length * 1e-12;  // a head as wide as the support is fine, rounding included
  if (bolt.position - radius < -room || bolt.position + radius > support.length + room)
    throw InvalidInput(fmt::format("bolt.head_diameter {} at bolt.position {} reaches past the support, [0, {}]",
                                   bolt.head_diameter, bolt.position, support.length));

  within("load.position", load.position, 0, beam.length);
  non_negative("load.frequency_hz", load.frequency_hz);
  within("load.angle_deg", load.angle_deg, -90, 90);
  return model;
}

}  // namespace microslip::beam
