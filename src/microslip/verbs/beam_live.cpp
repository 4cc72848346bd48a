#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/verbs/beam_json.hpp>
#include <microslip/verbs/beam_live.hpp>

namespace microslip::verbs {

namespace {

constexpr int n_samples = 100;

io::Json interface_json(const BeamLive& live) {
  std::vector<double> position, traction, limit, sticks;
  for (const beam::Traction& t : live.interface) {
    position.push_back(t.position);
    traction.push_back(t.value);
    limit.push_back(t.limit);
    sticks.push_back(t.sticks ? 1 : 0);
  }
  io::Json json;
  io::set_numbers(json, "position", position);
  io::set_numbers(json, "traction", traction);
  io::set_numbers(json, "limit", limit);
  io::set_numbers(json, "sticks", sticks);
  return json;
}

std::string live_json(const BeamLive& live) {
  io::Json json = begin_result("beam/live");
  json["input"] = input_json(live.input.model);
  json["input"]["load"]["force"] = live.input.force;
  json["pressure"] = pressure_json(live.input.model, live.pressure);
  json["slip"] = slip_json(live.backbone, live.onset);
  json["interface"] = interface_json(live);
  json["loop"] = loop_json(live.loop);
  json["dissipation"] = live.loop.curve.dissipation;
  return io::to_text(json, 0);
}

}  // namespace

BeamLive run_beam_live(const BeamLiveOptions& options) {
  check_beam(options.model);
  positive("load.force", options.force);
  if (options.steps < 2 || options.steps > 1000)
    throw InvalidInput(fmt::format("steps must lie in [2, 1000], got {}", options.steps));
  BeamLive live{.input = options, .pressure = beam::preload_pressure(options.model)};
  const beam::PartialSlip slip(options.model, live.pressure);
  live.onset = slip.onset();
  const auto grow_to = [&](double force) {
    std::vector<double> forces;
    for (int i = 1; i <= options.steps; ++i) forces.push_back(force * i / options.steps);
    return slip.backbone(forces);
  };
  live.backbone = grow_to(options.force);
  if (const std::optional<double> slides = live.backbone.macro_slip_force) {
    constexpr double just_below = 1 - 1e-6;
    live.backbone = grow_to(*slides * just_below);
    live.backbone.macro_slip_force = slides;
  }
  if (live.backbone.states.empty())
    throw NotConverged(fmt::format("no equilibrium was found at load.force {} N", options.force / options.steps));
  live.interface = slip.tractions(live.backbone.states.back(), n_samples);
  live.loop = {.frequency_hz = options.model.load.frequency_hz,
               .curve = beam::masing_loop(live.backbone.states),
               .stuck_compliance = beam::displacement_at_load(
                   options.model, beam::StuckBeam(options.model, live.pressure).response(1))};
  return live;
}

Output beam_live(const BeamLiveOptions& options) {
  const auto live = std::make_shared<const BeamLive>(run_beam_live(options));
  Output output;
  output.json = [live] { return live_json(*live); };
  return output;
}

}  // namespace microslip::verbs
