// The beam on friction from a page's values.
#include <cmath>

#include <microslip/beam/model_sections.hpp>
#include <microslip/core/check.hpp>
#include <microslip/verbs/beam_live.hpp>

#include "serve_verbs.hpp"

namespace microslip::app {

namespace {

/// The same keys as [beam], [support], [bolt] and [load] of BEAM.toml.
beam::Model model_of(const io::JsonReader& request) {
  const io::JsonReader own = request.object("beam"), support = request.object("support"), bolt = request.object("bolt"),
                       load = request.object("load");
  only(own, beam::beam_keys);
  only(support, beam::support_keys);
  only(bolt, beam::bolt_keys);
  only(load, beam::with(beam::load_keys, {"force"}));
  const beam::Model model = beam::model_of(own, support, bolt, load);
  verbs::check_beam(model);
  return model;
}

}  // namespace

verbs::Output run_beam_live(const Call& call) {
  only(call.request, {"beam", "support", "bolt", "load", "steps"});
  return verbs::beam_live({.model = model_of(call.request),
                           .force = call.request.object("load").number("force"),
                           .steps = count(call.request, "steps", 40, 200)});
}

/// The whole verb for one force, which its backbone reaches from a hundredth.
verbs::Output run_beam(const Call& call) {
  only(call.request, {"beam", "support", "bolt", "load"});
  verbs::BeamCase input;
  input.model = model_of(call.request);
  const double force = positive("load.force", call.request.object("load").number("force"));
  constexpr int n_forces = 40;
  constexpr double decades = 2;
  for (int i = 0; i < n_forces; ++i)
    input.forces.push_back(force * std::pow(10.0, decades * (static_cast<double>(i) / (n_forces - 1) - 1)));
  return verbs::beam(input);
}

}  // namespace microslip::app
