#pragma once

#include <string>
#include <vector>

#include <microslip/beam/model.hpp>

namespace microslip::beam {

// The keys of BEAM.toml, a request to the workbench and a Python model alike, section by section.
inline const std::vector<std::string> beam_keys{"length",         "width",   "height",
                                                "youngs_modulus", "density", "rotary_inertia"};
inline const std::vector<std::string> support_keys{"length", "normal_stiffness", "tangential_stiffness",
                                                   "friction_coefficient", "unilateral"};
inline const std::vector<std::string> bolt_keys{"position", "mass",         "rotary_inertia", "tangential_stiffness",
                                                "preload",  "head_diameter"};
inline const std::vector<std::string> load_keys{"position", "frequency_hz", "angle_deg"};

/// The model from its four sections. A section is anything that gives `number(key)`, `number(key, fallback)` and
/// `flag(key, fallback)`, and refuses what is missing in words of its own. Nothing is checked here.
template <class Section>
Model model_of(const Section& beam, const Section& support, const Section& bolt, const Section& load) {
  return {.beam = {.length = beam.number("length"),
                   .width = beam.number("width"),
                   .height = beam.number("height"),
                   .youngs_modulus = beam.number("youngs_modulus"),
                   .density = beam.number("density"),
                   .rotary_inertia = beam.flag("rotary_inertia", true)},
          .support = {.length = support.number("length"),
                      .normal_stiffness = support.number("normal_stiffness"),
                      .tangential_stiffness = support.number("tangential_stiffness"),
                      .friction_coefficient = support.number("friction_coefficient"),
                      .unilateral = support.flag("unilateral", true)},
          .bolt = {.position = bolt.number("position"),
                   .mass = bolt.number("mass", 0),
                   .rotary_inertia = bolt.number("rotary_inertia", 0),
                   .tangential_stiffness = bolt.number("tangential_stiffness", 0),
                   .preload = bolt.number("preload"),
                   .head_diameter = bolt.number("head_diameter", 0)},
          .load = {.position = load.number("position"),
                   .frequency_hz = load.number("frequency_hz", 0),
                   .angle_deg = load.number("angle_deg", 0)}};
}

/// `keys` and some more.
inline std::vector<std::string> with(std::vector<std::string> keys, const std::vector<std::string>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace microslip::beam
