#include <nlohmann/json.hpp>

#include <microslip/verbs/beam_json.hpp>

namespace microslip::verbs {

namespace {

/// Force over displacement at the tips; negative above a resonance, where the beam moves against the force.
double secant(const beam::LoopCurve& loop) { return loop.force.front() / loop.displacement.front(); }

io::Json onset_json(const beam::Onset& onset) { return {{"force", onset.force}, {"position", onset.position}}; }

io::Json cycle_json(const beam::CycleResult& cycle) {
  io::Json json;
  io::set_numbers(json, "displacement", cycle.loop.displacement);
  io::set_numbers(json, "force", cycle.loop.force);
  json["dissipation"] = cycle.dissipation;
  json["cycles"] = cycle.cycles;
  json["closure"] = cycle.closure;
  return json;
}

io::Json estimate_json(const identify::StiffnessEstimate& e) {
  io::Json json;
  json["value"] = e.value;
  json["lower"] = e.lower;
  json["upper"] = e.upper ? io::Json(*e.upper) : io::Json(nullptr);  // null: no upper bound
  json["confidence"] = 0.95;
  json["identifiable"] = e.identifiable;
  json["sensitivity"] = e.sensitivity;
  io::set_numbers(json, "predicted", e.predicted);
  json["residual"] = e.residual;
  json["outcome"] = std::string(to_string(e.outcome));
  return json;
}

std::string_view name_of(beam::ContactState state) {
  switch (state) {
    case beam::ContactState::open:
      return "open";
    case beam::ContactState::stick:
      return "stick";
    case beam::ContactState::slip_forward:
      return "slip_forward";
    case beam::ContactState::slip_backward:
      return "slip_backward";
  }
  return "unknown";
}

}  // namespace

io::Json input_json(const beam::Model& model) {
  const auto& [b, s, t, l] = model;
  return {{"beam",
           {{"length", b.length},
            {"width", b.width},
            {"height", b.height},
            {"youngs_modulus", b.youngs_modulus},
            {"density", b.density},
            {"rotary_inertia", b.rotary_inertia}}},
          {"support",
           {{"length", s.length},
            {"normal_stiffness", s.normal_stiffness},
            {"tangential_stiffness", s.tangential_stiffness},
            {"friction_coefficient", s.friction_coefficient},
            {"unilateral", s.unilateral}}},
          {"bolt",
           {{"position", t.position},
            {"mass", t.mass},
            {"rotary_inertia", t.rotary_inertia},
            {"tangential_stiffness", t.tangential_stiffness},
            {"preload", t.preload},
            {"head_diameter", t.head_diameter}}},
          {"load", {{"position", l.position}, {"frequency_hz", l.frequency_hz}, {"angle_deg", l.angle_deg}}}};
}

io::Json pressure_json(const beam::Model& model, const beam::Pressure& pressure) {
  constexpr int n = 200;
  io::Json json;
  std::vector<double> x, q;
  for (int i = 0; i <= n; ++i) {
    x.push_back(model.support.length * i / n);
    q.push_back(pressure.at(x.back()));
  }
  io::set_numbers(json, "position", x);
  io::set_numbers(json, "density", q);
  json["total"] = pressure.total;
  io::set_numbers(json, "lift_off", pressure.lift_off);
  json["unilateral"] = !pressure.tied;
  return json;
}

io::Json slip_json(const beam::SlipBackbone& backbone, const beam::Onset& onset) {
  io::Json slip;
  std::vector<double> force, length, stick, displacement, dissipation, residual;
  io::Json regions = io::Json::array();
  for (const beam::SlipState& s : backbone.states) {
    force.push_back(s.force);
    length.push_back(s.slip_length);
    stick.push_back(s.stick_length);
    displacement.push_back(s.displacement);
    dissipation.push_back(s.dissipation);
    residual.push_back(s.residual);
    io::Json row = io::Json::array();
    for (const beam::Region& region : s.regions)
      row.push_back({{"from", region.from}, {"to", region.to}, {"state", std::string(name_of(region.state))}});
    regions.push_back(std::move(row));
  }
  io::set_numbers(slip, "force", force);
  io::set_numbers(slip, "length", length);
  io::set_numbers(slip, "stick_length", stick);
  io::set_numbers(slip, "displacement", displacement);
  io::set_numbers(slip, "dissipation", dissipation);
  io::set_numbers(slip, "residual", residual);
  slip["regions"] = std::move(regions);
  slip["onset"] = onset_json(onset);
  slip["macro_slip_force"] = backbone.macro_slip_force ? io::Json(*backbone.macro_slip_force) : io::Json(nullptr);
  return slip;
}

io::Json loop_json(const BeamLoop& loop) {
  io::Json json;
  json["frequency_hz"] = loop.frequency_hz;
  io::set_numbers(json, "displacement", loop.curve.displacement);
  io::set_numbers(json, "force", loop.curve.force);
  json["dissipation"] = loop.curve.dissipation;
  json["secant_stiffness"] = secant(loop.curve);
  json["elastic_stiffness"] = 1 / loop.stuck_compliance;
  return json;
}

std::string beam_json(const BeamResult& r) {
  io::Json json = begin_result("beam");
  json["input"] = input_json(r.input.model);
  std::vector<double> frequencies;
  io::Json modes = io::Json::array();
  for (const beam::Mode& m : r.modes) {
    frequencies.push_back(m.frequency_hz);
    modes.push_back({{"frequency_hz", m.frequency_hz},
                     {"bending_share", m.bending_share},
                     {"normal_stiffness_sensitivity", m.normal_sensitivity},
                     {"tangential_stiffness_sensitivity", m.shear_sensitivity}});
  }
  io::set_numbers(json, "natural_frequencies_hz", frequencies);
  io::set_numbers(json, "natural_frequencies_in_contact_hz", r.frequencies_in_contact_hz);
  json["modes"] = std::move(modes);

  json["pressure"] = pressure_json(r.input.model, r.pressure);
  json["slip"] = slip_json(r.backbone, r.onset);
  io::set_numbers(json["slip"], "dissipation_slope", r.slope);
  json["slip"]["onset_with_dynamic_pressure"] = onset_json(r.onset_dynamic);
  json["loop"] = loop_json(r.loop);
  json["loop"]["marched"] = cycle_json(r.marched);
  if (r.marched_dynamic) json["loop"]["dynamic_pressure"] = cycle_json(*r.marched_dynamic);
  json["loops"] = io::Json::array();
  for (const BeamLoop& loop : r.loops) json["loops"].push_back(loop_json(loop));
  json["dissipation"] = r.loop.curve.dissipation;
  if (r.harmonics) {
    io::Json& h = json["super_harmonics"];
    for (const auto& [name, source] : {std::pair{"acceleration", &*r.harmonics},
                                       std::pair{"acceleration_with_dynamic_pressure", &*r.harmonics_dynamic}}) {
      std::vector<double> amplitude;
      for (std::size_t m = 1; m <= source->acceleration.sine.size(); ++m)
        amplitude.push_back(source->acceleration.amplitude(m));
      io::set_numbers(h, name, amplitude);
    }
    h["residual"] = r.harmonics->residual;
    h["residual_with_dynamic_pressure"] = r.harmonics_dynamic->residual;
  }
  if (r.normal_stiffness) json["identified"]["normal_stiffness"] = estimate_json(*r.normal_stiffness);
  if (r.tangential_stiffness) json["identified"]["tangential_stiffness"] = estimate_json(*r.tangential_stiffness);
  if (r.measured_loop) {
    io::Json& m = json["measured_loop"];
    io::set_numbers(m, "displacement", r.measured_loop->curve.displacement);
    io::set_numbers(m, "force", r.measured_loop->curve.force);
    m["dissipation"] = r.measured_loop->curve.dissipation;
    m["elastic_slope"] = r.measured_loop->elastic_slope;
    m["force_residual"] = r.measured_loop->force_residual;
    m["acceleration_residual"] = r.measured_loop->acceleration_residual;
  }
  json["notes"] = r.notes;
  return io::to_text(json);
}

}  // namespace microslip::verbs
