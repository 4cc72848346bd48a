// The beam on friction from a page's values.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/verbs/beam_live.hpp>

#include "serve_verbs.hpp"

namespace microslip::app {

namespace {

bool flag(const Call& call, const char* section, const char* key) {
  const io::Json& values = call.body.at(section);
  if (!values.contains(key)) return true;
  if (values.at(key).is_boolean()) return values.at(key).get<bool>();
  throw InvalidInput(fmt::format("{} must be true or false", call.request.object(section).where(key)));
}

/// The same keys as [beam], [support], [bolt] and [load] of BEAM.toml.
beam::Model model_of(const Call& call) {
  const io::JsonReader& request = call.request;
  const io::JsonReader beam = request.object("beam"), support = request.object("support"),
                       bolt = request.object("bolt"), load = request.object("load");
  only(beam, {"length", "width", "height", "youngs_modulus", "density", "rotary_inertia"});
  only(support, {"length", "normal_stiffness", "tangential_stiffness", "friction_coefficient", "unilateral"});
  only(bolt, {"position", "mass", "rotary_inertia", "tangential_stiffness", "preload", "head_diameter"});
  only(load, {"position", "frequency_hz", "angle_deg", "force"});
  const beam::Model model{.beam = {.length = beam.number("length"),
                                   .width = beam.number("width"),
                                   .height = beam.number("height"),
                                   .youngs_modulus = beam.number("youngs_modulus"),
                                   .density = beam.number("density"),
                                   .rotary_inertia = flag(call, "beam", "rotary_inertia")},
                          .support = {.length = support.number("length"),
                                      .normal_stiffness = support.number("normal_stiffness"),
                                      .tangential_stiffness = support.number("tangential_stiffness"),
                                      .friction_coefficient = support.number("friction_coefficient"),
                                      .unilateral = flag(call, "support", "unilateral")},
                          .bolt = {.position = bolt.number("position"),
                                   .mass = bolt.number("mass", 0),
                                   .rotary_inertia = bolt.number("rotary_inertia", 0),
                                   .tangential_stiffness = bolt.number("tangential_stiffness", 0),
                                   .preload = bolt.number("preload"),
                                   .head_diameter = bolt.number("head_diameter", 0)},
                          .load = {.position = load.number("position"),
                                   .frequency_hz = load.number("frequency_hz", 0),
                                   .angle_deg = load.number("angle_deg", 0)}};
  verbs::check_beam(model);
  return model;
}

}  // namespace

verbs::Output run_beam_live(const Call& call) {
  only(call.request, {"beam", "support", "bolt", "load", "steps"});
  return verbs::beam_live({.model = model_of(call),
                           .force = call.request.object("load").number("force"),
                           .steps = count(call.request, "steps", 40, 200)});
}

/// The whole verb for one force, which its backbone reaches from a hundredth.
verbs::Output run_beam(const Call& call) {
  only(call.request, {"beam", "support", "bolt", "load"});
  verbs::BeamCase input;
  input.model = model_of(call);
  const double force = positive("load.force", call.request.object("load").number("force"));
  constexpr int n_forces = 40;
  constexpr double decades = 2;
  for (int i = 0; i < n_forces; ++i)
    input.forces.push_back(force * std::pow(10.0, decades * (static_cast<double>(i) / (n_forces - 1) - 1)));
  return verbs::beam(input);
}

}  // namespace microslip::app
