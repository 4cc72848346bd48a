#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <microslip/beam/model_sections.hpp>
#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/records.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/io/units.hpp>
#include <microslip/verbs/beam.hpp>
#include <microslip/verbs/beam_json.hpp>
#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

namespace {

constexpr int n_modes = 6;
constexpr int loop_points = 100;  ///< on each branch
constexpr int cycle_steps = 200;
constexpr int n_harmonics = 7;
/// Where Fig. 7's 25, 31, 38 and 45 Hz stand against the first natural frequency.
constexpr std::array<double, 4> figure_7{0.71, 0.88, 1.08, 1.275};

std::vector<double> read_forces(const io::TomlTable& load) {
  if (load.is_number("force")) return {positive(load.where("force"), load.number("force"))};
  const io::TomlTable force = load.table("force");
  force.only({"from", "to", "count"});
  const double from = positive(force.where("from"), force.number("from"));
  const double to = positive(force.where("to"), force.number("to"));
  const auto count = force.integer("count");
  if (count < 2 || count > 10000)
    throw InvalidInput(fmt::format("{} must lie in [2, 10000], got {}", force.where("count"), count));
  if (to <= from)
    throw InvalidInput(fmt::format("{} must be larger than from = {}, got {}", force.where("to"), from, to));
  std::vector<double> forces;
  for (std::int64_t i = 0; i < count; ++i)
    forces.push_back(
        i + 1 == count ? to : from * std::pow(to / from, static_cast<double>(i) / static_cast<double>(count - 1)));
  return forces;
}

MeasuredSupport read_measured(const io::TomlTable& table) {
  table.only({"frequencies_hz", "frequency_uncertainty", "elastic_slope", "slope_uncertainty", "record", "harmonics"});
  const auto uncertainty = [&](const char* key, double fallback) {
    return non_negative(table.where(key), table.number(key, fallback));
  };
  MeasuredSupport m;
  if (table.contains("frequencies_hz")) m.frequencies_hz = table.numbers("frequencies_hz");
  for (const double f : m.frequencies_hz) positive(table.where("frequencies_hz"), f);
  m.frequency_uncertainty = uncertainty("frequency_uncertainty", m.frequency_uncertainty);
  if (m.frequencies_hz.size() == 1 && m.frequency_uncertainty == 0)
    throw InvalidInput(
        fmt::format("{} must be > 0 with 1 measured frequency, got 0", table.where("frequency_uncertainty")));
  if (table.contains("elastic_slope"))
    m.elastic_slope = finite(table.where("elastic_slope"), table.number("elastic_slope"));
  m.slope_uncertainty = uncertainty("slope_uncertainty", m.slope_uncertainty);
  if (table.contains("record")) m.record = table.file("record");
  const auto harmonics = table.integer("harmonics", m.harmonics);
  if (harmonics < 1 || harmonics > 100)
    throw InvalidInput(fmt::format("{} must lie in [1, 100], got {}", table.where("harmonics"), harmonics));
  m.harmonics = static_cast<int>(harmonics);
  return m;
}

MeasuredLoop measured_loop(const MeasuredSupport& measured, double frequency_hz, std::vector<std::string>& notes) {
  const std::string source = measured.record.string();
  std::vector<Record> records = io::read_records(measured.record);
  for (Record& record : records) {
    io::convert_to_si(record);
    for (const std::string& warning : record.warnings) notes.push_back(fmt::format("{}: {}", source, warning));
  }
  const auto found = [](const Record& record, std::string_view name) {
    return std::find_if(record.channels.begin(), record.channels.end(),
                        [&](const Channel& channel) { return channel.name == name; });
  };
  const auto has = [&](const Record& record, std::string_view name) {
    return found(record, name) != record.channels.end();
  };
  try {
    for (const char* name : {"force", "acceleration"})
      if (std::none_of(records.begin(), records.end(), [&](const Record& r) { return has(r, name); }))
        throw InvalidInput(fmt::format("no channel named '{}'", name));
    // Channels of one record begin together; what lies between the starts of two would pass for a phase.
    const auto both = std::find_if(records.begin(), records.end(),
                                   [&](const Record& r) { return has(r, "force") && has(r, "acceleration"); });
    if (both == records.end())
      throw InvalidInput("no record has both channels 'force' and 'acceleration', sampled together");
    const auto series = [&](std::string_view name) {
      return beam::fit_harmonic_series(found(*both, name)->samples, both->sampling_rate_hz, frequency_hz,
                                       measured.harmonics);
    };
    const beam::HarmonicSeries force = series("force"), acceleration = series("acceleration");
    MeasuredLoop loop{.curve = beam::loop_of(force, beam::integrated_twice(acceleration), 2 * loop_points)};
    loop.elastic_slope = identify::elastic_slope(loop.curve);
    loop.force_residual = force.residual;
    loop.acceleration_residual = acceleration.residual;
    return loop;
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  }
}

/// What the measurements tell of the support; all that is wrong with them shows here.
void identify_support(BeamResult& r) {
  if (!r.input.measured) return;
  const MeasuredSupport& m = *r.input.measured;
  const beam::Model& model = r.input.model;
  if (!m.record.empty()) {
    positive("load.frequency_hz", model.load.frequency_hz);
    r.measured_loop = measured_loop(m, model.load.frequency_hz, r.notes);
  }
  if (m.elastic_slope)
    r.tangential_stiffness = identify::tangential_stiffness(model, *m.elastic_slope, m.slope_uncertainty);
  if (!m.frequencies_hz.empty()) {
    std::vector<identify::MeasuredFrequency> measured;
    for (double f : m.frequencies_hz) measured.push_back({static_cast<int>(measured.size()) + 1, f});
    r.normal_stiffness = identify::normal_stiffness(model, measured, m.frequency_uncertainty);
  }
}

BeamLoop loop_at(beam::Model model, const beam::Pressure& pressure, double frequency_hz, double force) {
  model.load.frequency_hz = frequency_hz;
  return {.frequency_hz = frequency_hz,
          .curve = beam::PartialSlip(model, pressure).masing_loop(force, loop_points),
          .stuck_compliance = beam::displacement_at_load(model, beam::StuckBeam(model, pressure).response(1))};
}

/// Local slope between neighbours, where both have slipped.
std::vector<double> slopes(const std::vector<beam::SlipState>& states) {
  std::vector<double> result(states.size(), std::nan(""));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::size_t a = i > 0 ? i - 1 : 0, b = std::min(i + 1, states.size() - 1);
    if (a == b || !(states[a].dissipation > 0)) continue;
    result[i] = std::log(states[b].dissipation / states[a].dissipation) / std::log(states[b].force / states[a].force);
  }
  return result;
}

std::string beam_csv(const BeamResult& r) {
  io::Table table{.source = "",
                  .header = {"force", "displacement", "slip_length", "stick_length", "dissipation"},
                  .units = {},
                  .columns = std::vector<std::vector<double>>(5),
                  .line_numbers = std::vector<int>(r.backbone.states.size()),
                  .warnings = {}};
  for (const beam::SlipState& s : r.backbone.states) {
    const std::array<double, 5> row{s.force, s.displacement, s.slip_length, s.stick_length, s.dissipation};
    for (std::size_t k = 0; k < row.size(); ++k) table.columns[k].push_back(row[k]);
  }
  return io::to_csv(table);
}

std::string interval_text(const char* name, const identify::StiffnessEstimate& e) {
  if (e.outcome != Outcome::converged) return fmt::format("{:<24} not found: no value gives what was measured\n", name);
  const int digits = interval_digits(e.lower, e.upper, 4);
  return fmt::format("{:<24} {:.{}g} N/m per m, 95 % interval {:.{}g} to {}{}\n", name, e.value, digits, e.lower,
                     digits, e.upper ? fmt::format("{:.{}g}", *e.upper, digits) : std::string("no bound"),
                     e.identifiable ? "" : " (not identifiable from this)");
}

std::string beam_text(const BeamResult& r) {
  std::string text = fmt::format("{:<24}", "natural frequencies");
  for (const beam::Mode& m : r.modes) text += fmt::format(" {:.2f}", m.frequency_hz);
  text += " Hz\n";
  text += fmt::format("{:<24} {:.3g} mm left, {:.3g} mm right\n", "lifted or pulled ends", 1e3 * r.pressure.lift_off[0],
                      1e3 * r.pressure.lift_off[1]);
  text += fmt::format("{:<24} {:.4g} N at x = {:.4g} mm ({:.4g} N with dynamic pressure)\n", "slip begins at",
                      r.onset.force, 1e3 * r.onset.position, r.onset_dynamic.force);
  const beam::SlipState& top = r.backbone.states.back();
  text += fmt::format("{:<24} {:.4g} N: slips over {:.4g} mm of {:.4g} mm, displacement {:.5g} mm\n", "largest force",
                      top.force, 1e3 * top.slip_length, 1e3 * r.input.model.support.length, 1e3 * top.displacement);
  text += fmt::format(
      "{:<24} {:.5g} J per cycle (marched {:.5g}{})\n", "dissipation", r.loop.curve.dissipation, r.marched.dissipation,
      r.marched_dynamic ? fmt::format("; with dynamic pressure {:.5g}", r.marched_dynamic->dissipation) : "");
  if (std::isfinite(r.slope.back())) text += fmt::format("{:<24} {:.3g}\n", "slope of ln D over ln F", r.slope.back());
  if (r.measured_loop)
    text += fmt::format("{:<24} {:.5g} J per cycle, elastic slope {:.5g} N/m\n", "measured loop",
                        r.measured_loop->curve.dissipation, r.measured_loop->elastic_slope);
  if (r.normal_stiffness) text += interval_text("normal stiffness", *r.normal_stiffness);
  if (r.tangential_stiffness) text += interval_text("tangential stiffness", *r.tangential_stiffness);
  return text;
}

}  // namespace

void check_beam(const beam::Model& model) {
  beam::checked(model);
  beam::check_resolution(model);
  positive("support.normal_stiffness", model.support.normal_stiffness);
  positive("support.tangential_stiffness", model.support.tangential_stiffness);
  positive("support.friction_coefficient", model.support.friction_coefficient);
  positive("bolt.preload", model.bolt.preload);
}

BeamCase read_beam(const std::filesystem::path& path) {
  const io::TomlTable top = io::TomlTable::read(path);
  top.only({"beam", "support", "bolt", "load", "mesh", "measured"});
  const io::TomlTable own = top.table("beam"), support = top.table("support"), bolt = top.table("bolt"),
                      load = top.table("load");
  own.only(beam::beam_keys);
  support.only(beam::support_keys);
  bolt.only(beam::bolt_keys);
  load.only(beam::with(beam::load_keys, {"force", "loop_frequencies_hz"}));
  BeamCase c;
  c.files = {path};
  c.model = beam::model_of(own, support, bolt, load);
  try {
    check_beam(c.model);
  } catch (const InvalidInput& error) {  // "section.key ...": the line is looked up for it
    const std::string message = error.what();
    const std::size_t dot = message.find('.'), end = message.find(' ');
    const std::string section = message.substr(0, dot), key = message.substr(dot + 1, end - dot - 1);
    throw InvalidInput(fmt::format("{}{}", top.table(section).where(key), message.substr(end)));
  }
  c.forces = read_forces(load);
  if (load.contains("loop_frequencies_hz")) {
    c.loop_frequencies_hz = load.numbers("loop_frequencies_hz");
    for (double f : c.loop_frequencies_hz) non_negative(load.where("loop_frequencies_hz"), f);
  }
  if (const auto mesh = top.find_table("mesh")) {
    mesh->only({"support_elements", "overhang_elements"});
    const auto elements = [&](const char* key, int fallback) {
      const auto n = mesh->integer(key, fallback);
      if (n < 4 || n > 400) throw InvalidInput(fmt::format("{} must lie in [4, 400], got {}", mesh->where(key), n));
      return static_cast<int>(n);
    };
    c.mesh = {.support_elements = elements("support_elements", c.mesh.support_elements),
              .overhang_elements = elements("overhang_elements", c.mesh.overhang_elements)};
  }
  if (const auto measured = top.find_table("measured")) c.measured = read_measured(*measured);
  if (c.measured && !c.measured->record.empty()) {
    positive(load.where("frequency_hz"), c.model.load.frequency_hz);
    c.files.push_back(c.measured->record);
  }
  return c;
}

BeamResult run_beam(const BeamCase& input) {
  const beam::Model& model = input.model;
  BeamResult r;
  r.input = input;
  identify_support(r);  // first: its input may be wrong, and what follows takes longer
  r.pressure = beam::preload_pressure(model);
  r.modes = beam::StuckBeam(model).modes(n_modes);
  r.frequencies_in_contact_hz = beam::StuckBeam(model, r.pressure).natural_frequencies_hz(n_modes);
  const beam::PartialSlip slip(model, r.pressure);
  r.onset = slip.onset();
  r.onset_dynamic = beam::PartialSlip(model, r.pressure, beam::NormalForce::dynamic).onset();
  r.backbone = slip.backbone(input.forces);
  if (r.backbone.states.empty())
    throw InvalidInput(fmt::format("load.force: the smallest, {} N, is past macro-slip, which comes at {:.6g} N",
                                   input.forces.front(), *r.backbone.macro_slip_force));
  if (r.backbone.macro_slip_force)
    r.notes.push_back(
        fmt::format("macro-slip at {:.6g} N: the interface bears no larger force, {} of {} forces are left out",
                    *r.backbone.macro_slip_force, input.forces.size() - r.backbone.states.size(), input.forces.size()));
  r.slope = slopes(r.backbone.states);

  const double force = r.backbone.states.back().force;
  r.loop = loop_at(model, r.pressure, model.load.frequency_hz, force);
  std::vector<double> frequencies = input.loop_frequencies_hz;
  if (frequencies.empty() && model.load.frequency_hz > 0)
    for (double part : figure_7) frequencies.push_back(std::round(part * r.frequencies_in_contact_hz.front()));
  for (double f : frequencies) {
    try {
      r.loops.push_back(loop_at(model, r.pressure, f, force));
    } catch (const InvalidInput& error) {
      r.notes.push_back(fmt::format("no loop at {} Hz: {}", f, error.what()));
    }
  }
  const beam::FiniteElementBeam mesh(model, r.pressure, input.mesh);
  r.marched = mesh.march(force, cycle_steps, beam::NormalForce::constant, 1, true);
  try {
    r.marched_dynamic = mesh.march(force, cycle_steps, beam::NormalForce::dynamic, 20, true);
    if (r.marched_dynamic->closure > 1e-6)
      r.notes.push_back(
          fmt::format("with dynamic pressure the loop still misses closing by {:.2g} of its amplitude after {} cycles",
                      r.marched_dynamic->closure, r.marched_dynamic->cycles));
  } catch (const NotConverged& error) {  // a check, and the exact solution stands without it
    r.notes.push_back(fmt::format("no loop with dynamic pressure: {}", error.what()));
  }
  if (model.load.frequency_hz > 0) {
    r.harmonics = beam::super_harmonics(mesh, force, n_harmonics);
    r.harmonics_dynamic = beam::super_harmonics(mesh, force, n_harmonics, beam::NormalForce::dynamic);
    for (const auto* h : {&*r.harmonics, &*r.harmonics_dynamic})
      if (h->outcome != Outcome::converged)
        r.notes.push_back(fmt::format("super-harmonics did not converge: residual {:.2g}", h->residual));
  }
  return r;
}

Output beam(const BeamCase& input) {
  const auto result = std::make_shared<const BeamResult>(run_beam(input));
  Output output;
  output.text = [result] { return beam_text(*result); };
  output.json = [result] { return beam_json(*result); };
  output.csv = [result] { return beam_csv(*result); };
  output.page = [result] { return beam_page(*result); };
  output.notes = result->notes;
  output.inputs = input.files;
  return output;
}

}  // namespace microslip::verbs
