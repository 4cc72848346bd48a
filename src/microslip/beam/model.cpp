#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/beam/model.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

/// The exact solution is cut into pieces as short as its waves and decay lengths. A model that would take more of them
/// than this is a slip of the pen in a unit, and would take minutes.
constexpr double most_pieces = 5000;

/// What rounding may take of the bending stiffness.
constexpr double most_rounding = 1e-7;

/// How fast a stuck layer's shear decays along the beam, [1/m].
double shear_rate(const Beam& beam, double kt) {
  const double half = beam.height / 2;
  return std::sqrt(kt * std::max(half * half / beam.bending_stiffness(), 1 / beam.axial_stiffness()));
}

void check_pieces(const char* key, double value, double length, double rate) {
  if (!(length * rate <= most_pieces))
    throw InvalidInput(
        fmt::format("{} {} bends the beam over {:.3g} m, {:.3g} times in {} m; at most {} times are "
                    "computed: check its unit",
                    key, value, 1 / rate, length * rate, length, most_pieces));
}

}  // namespace

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

double most_tangential_stiffness(const Model& model) {
  // Pieces of length l = 1/rate, cut for the layer's shear, bend with EI/l^3 each. Of the stiffness that the chain has
  // over the length that k_n lets it bend, EI/length^3, rounding takes eps (length/l)^4, as of any chain of beam
  // elements.
  const double EI = model.beam.bending_stiffness();
  const double length = std::min(model.beam.length, std::pow(EI / model.support.normal_stiffness, 0.25));
  const double rate = std::pow(most_rounding / std::numeric_limits<double>::epsilon(), 0.25) / length;
  const double unit = shear_rate(model.beam, 1);
  return rate / unit * (rate / unit);
}

double most_normal_stiffness(const Model& model) {
  return model.beam.bending_stiffness() * std::pow(most_pieces / model.support.length, 4);
}

void check_resolution(const Model& model) {
  const auto& [beam, support, bolt, load] = model;
  const double EI = beam.bending_stiffness(), EA = beam.axial_stiffness();
  check_pieces("support.normal_stiffness", support.normal_stiffness, support.length,
               std::pow(support.normal_stiffness / EI, 0.25));
  check_pieces("support.tangential_stiffness", support.tangential_stiffness, support.length,
               shear_rate(beam, support.tangential_stiffness));
  if (const double most = most_tangential_stiffness(model); support.tangential_stiffness > most)
    throw InvalidInput(
        fmt::format("support.tangential_stiffness {} is too stiff beside support.normal_stiffness {} for "
                    "the beam's bending to be computed; at most {:.3g}: check its unit",
                    support.tangential_stiffness, support.normal_stiffness, most));
  const double inertia = load.omega() * load.omega();
  check_pieces("load.frequency_hz", load.frequency_hz, beam.length,
               std::max(std::pow(beam.mass_per_length() * inertia / EI, 0.25),
                        std::sqrt(inertia * std::max(beam.mass_per_length() / EA, beam.inertia_per_length() / EI))));
}

}  // namespace microslip::beam
