#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/verbs/simulate.hpp>

namespace microslip::verbs {

namespace {

using Series = std::vector<double> EnvelopeSeries::*;

std::vector<std::vector<double>> column(const Simulation& run, Series series) {
  std::vector<std::vector<double>> rows;
  for (const EnvelopeSeries& envelope : run.envelopes) rows.push_back(envelope.*series);
  return rows;
}

io::Json energy_json(const Energy& energy) {
  io::Json json = io::Json::object();
  for (const auto& [name, value] : {std::pair{"initial", energy.initial},
                                    {"work", energy.work},
                                    {"kinetic", energy.kinetic},
                                    {"stored", energy.stored},
                                    {"dissipated", energy.dissipated},
                                    {"imbalance", energy.imbalance()}})
    io::set_number(json, name, value);
  return json;
}

io::Json hand_overs(const Simulation& run) {
  io::Json list = io::Json::array();
  for (std::size_t k = 0; k < run.modes.size(); ++k)
    if (const auto& at = run.modes[k].hand_over)
      list.push_back({{"mode", k + 1}, {"time", at->time}, {"amplitude", at->amplitude}, {"offset", at->offset}});
  return list;
}

std::string simulate_json(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  io::Json json = begin_result("simulate");
  json["file"] = result.file.inputs.front().string();
  json["method"] = std::string(to_string(result.method));
  if (result.method != Method::newmark) json["properties"] = std::string(to_string(result.file.properties));
  json["n_steps"] = run.plan.n_steps;
  json["step"] = run.plan.step();
  if (result.file.seed) json["seed"] = *result.file.seed;
  json["coordinates"] = run.coordinates;
  io::set_numbers(json, "time", run.time);
  if (!run.displacement.empty()) io::set_rows(json, "displacement", run.displacement);
  if (!run.velocity.empty()) io::set_rows(json, "velocity", run.velocity);
  if (!run.acceleration.empty()) io::set_rows(json, "acceleration", run.acceleration);
  if (!run.envelopes.empty()) {
    json["envelopes_of"] = run.envelope_names;
    io::set_rows(json, "amplitude", column(run, &EnvelopeSeries::amplitude));
    io::set_rows(json, "frequency_hz", column(run, &EnvelopeSeries::frequency_hz));
    io::set_rows(json, "damping_ratio", column(run, &EnvelopeSeries::damping_ratio));
  }
  json["energy"] = energy_json(run.energy);
  json["newton_iterations"] = run.n_iterations;
  json["halved_steps"] = run.n_halved;
  if (run.plan.accuracy > 0) {
    json["accuracy"] = run.plan.accuracy;
    json["refined_steps"] = run.n_refined;
  }
  if (run.stopped) json["stopped_at"] = run.plan.end;
  if (result.method == Method::hybrid) json["hand_over"] = hand_overs(run);
  json["notes"] = result.notes;
  return io::to_text(json);
}

/// The list of the JSON, an array for each of its keys.
Archive hand_over_arrays(const Simulation& run) {
  std::vector<double> mode, time, amplitude, offset;
  for (std::size_t k = 0; k < run.modes.size(); ++k)
    if (const auto& at = run.modes[k].hand_over) {
      mode.push_back(static_cast<double>(k + 1));
      time.push_back(at->time);
      amplitude.push_back(at->amplitude);
      offset.push_back(at->offset);
    }
  Archive archive;
  archive.set("mode", mode);
  archive.set("time", time);
  archive.set("amplitude", amplitude);
  archive.set("offset", offset);
  return archive;
}

Archive simulate_archive(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  Archive archive;
  archive.set("microslip", std::string(version));
  archive.set("verb", std::string("simulate"));
  archive.set("file", result.file.inputs.front().string());
  archive.set("method", std::string(to_string(result.method)));
  if (result.method != Method::newmark) archive.set("properties", std::string(to_string(result.file.properties)));
  archive.set("n_steps", static_cast<double>(run.plan.n_steps));
  archive.set("step", run.plan.step());
  if (result.file.seed) archive.set("seed", fmt::format("{}", *result.file.seed));  // a double would round a large one
  archive.set("time", run.time);
  archive.set("coordinates", run.coordinates);
  const auto matrix = [&](const std::string& name, const std::vector<std::vector<double>>& rows) {
    if (rows.empty()) return;
    NamedArray array{{rows.size(), rows.front().size()}, {}};
    array.data.reserve(rows.size() * rows.front().size());
    for (const auto& row : rows) array.data.insert(array.data.end(), row.begin(), row.end());
    archive.set(name, std::move(array));
  };
  matrix("displacement", run.displacement);
  matrix("velocity", run.velocity);
  matrix("acceleration", run.acceleration);
  if (result.method == Method::hybrid) archive.set("hand_over", hand_over_arrays(run));
  if (!run.envelopes.empty()) {
    archive.set("envelopes_of", run.envelope_names);
    matrix("amplitude", column(run, &EnvelopeSeries::amplitude));
    matrix("frequency_hz", column(run, &EnvelopeSeries::frequency_hz));
    matrix("damping_ratio", column(run, &EnvelopeSeries::damping_ratio));
  }
  Archive energy;
  energy.set("initial", run.energy.initial);
  energy.set("work", run.energy.work);
  energy.set("kinetic", run.energy.kinetic);
  energy.set("stored", run.energy.stored);
  energy.set("dissipated", run.energy.dissipated);
  energy.set("imbalance", run.energy.imbalance());
  archive.set("energy", std::move(energy));
  archive.set("newton_iterations", static_cast<double>(run.n_iterations));
  archive.set("halved_steps", static_cast<double>(run.n_halved));
  if (run.plan.accuracy > 0) {
    archive.set("accuracy", run.plan.accuracy);
    archive.set("refined_steps", static_cast<double>(run.n_refined));
  }
  if (run.stopped) archive.set("stopped_at", run.plan.end);
  if (!result.notes.empty()) archive.set("notes", result.notes);
  return archive;
}

std::string simulate_csv(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  io::Table table{.source = "",
                  .header = {"time"},
                  .units = {},
                  .columns = {run.time},
                  .line_numbers = std::vector<int>(run.time.size()),
                  .warnings = {}};
  // A table has no place for what is not known: a series with gaps (an envelope, while the load acts) is left out.
  const auto known_throughout = [](const std::vector<std::vector<double>>& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const std::vector<double>& row) {
      return std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); });
    });
  };
  const auto add = [&](const std::string& quantity, const std::vector<std::string>& names,
                       const std::vector<std::vector<double>>& rows) {
    if (!known_throughout(rows)) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.header.push_back(rows.size() == 1 ? quantity : quantity + " " + names[i]);
      table.columns.push_back(rows[i]);
    }
  };
  add("displacement", run.coordinates, run.displacement);
  add("velocity", run.coordinates, run.velocity);
  add("acceleration", run.coordinates, run.acceleration);
  add("amplitude", run.envelope_names, column(run, &EnvelopeSeries::amplitude));
  add("frequency_hz", run.envelope_names, column(run, &EnvelopeSeries::frequency_hz));
  add("damping_ratio", run.envelope_names, column(run, &EnvelopeSeries::damping_ratio));
  return io::to_csv(table);
}

std::string simulate_text(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  std::string text = fmt::format("{:<22} {}\n", "method", to_string(result.method));
  text += fmt::format("{:<22} {} of {:.6g} s", "steps", run.plan.n_steps, run.plan.step());
  text += run.n_refined > 0 ? fmt::format(", {} halvings where they were rough\n", run.n_refined) : "\n";
  for (std::size_t i = 0; i < run.displacement.size(); ++i) {
    double peak = 0;
    for (const double u : run.displacement[i]) peak = std::max(peak, std::abs(u));
    text += fmt::format("{:<22} {:.6g} m\n", fmt::format("peak of {}", run.coordinates[i]), peak);
  }
  for (std::size_t k = 0; k < run.envelopes.size(); ++k) {
    const EnvelopeSeries& e = run.envelopes[k];
    const auto known = [](double x) { return std::isfinite(x); };
    const auto first = std::find_if(e.frequency_hz.begin(), e.frequency_hz.end(), known);
    const auto last = std::find_if(e.frequency_hz.rbegin(), e.frequency_hz.rend(), known);
    if (first == e.frequency_hz.end()) continue;
    const auto i = static_cast<std::size_t>(first - e.frequency_hz.begin());
    const auto j = e.frequency_hz.size() - 1 - static_cast<std::size_t>(last - e.frequency_hz.rbegin());
    const auto line = [&](const char* when, std::size_t at) {
      text += fmt::format("{:<22} {:.6g} s: amplitude {:.5g} m, {:.6g} Hz, damping ratio {:.4g}\n",
                          fmt::format("{} {}", run.envelope_names[k], when), run.time[at], e.amplitude[at],
                          e.frequency_hz[at], e.damping_ratio[at]);
    };
    line("from", i);
    line("to", j);
  }
  const Energy& energy = run.energy;
  text += fmt::format("{:<22} initial {:.6g}, work {:.6g}, kinetic {:.6g}, stored {:.6g}, dissipated {:.6g} J\n",
                      "energy", energy.initial, energy.work, energy.kinetic, energy.stored, energy.dissipated);
  text += fmt::format("{:<22} {:.3g} of what was put in\n", "imbalance", energy.imbalance());
  return text;
}

/// What a run has to say about itself.
std::vector<std::string> notes_of(const SimulateResult& result) {
  const Simulation& run = result.simulation;
  std::vector<std::string> notes;
  if (run.n_halved > 0)
    notes.push_back(fmt::format("{} steps were halved because Newton's method did not converge", run.n_halved));
  if (run.stopped)
    notes.push_back(fmt::format("stopped at {:.6g} s of {:.6g} s; what was computed until then is kept", run.plan.end,
                                result.file.end));
  // Modes that the paper's closed forms were used for past the micro-slip that they are made for.
  for (std::size_t k = 0; k < run.modes.size() && result.file.properties == Properties::paper; ++k) {
    const JointedMode mode = jointed_mode(result.file.model.modes[k], fmt::format("mode {}", k + 1));
    const auto* law = mode.joint ? std::get_if<Iwan4<double>>(&*mode.joint) : nullptr;
    if (law != nullptr && run.modes[k].averaged_up_to > law->phi_max())
      notes.push_back(
          fmt::format("mode {}: properties 'paper' hold up to phi_max = {:.4g} m, the run reaches {:.4g} m: frequency "
                      "and damping there are wrong, use 'exact'",
                      k + 1, law->phi_max(), run.modes[k].averaged_up_to));
  }
  if (result.method == Method::hybrid && hand_overs(run).empty())
    notes.emplace_back("hybrid: the load never ended, or the end came first; all steps are Newmark's");
  return notes;
}

}  // namespace

SimulateResult run_simulate(const SimulateOptions& options, const Progress& progress) {
  SimulateResult result{read_simulate_file(options.file), options.method, {}, {}};
  SimulateFile& file = result.file;
  if (options.properties && options.method == Method::newmark)
    throw InvalidInput(
        "properties are those of averaging; newmark steps the joint itself: leave them out, or use method averaging or "
        "hybrid");
  if (options.properties) file.properties = *options.properties;
  if (options.steps_per_period && options.accuracy)
    throw InvalidInput("give either steps_per_period or accuracy, not both");
  if (options.steps_per_period || options.accuracy)
    file.step = {options.steps_per_period, std::nullopt, options.accuracy};
  if (options.end) file.end = *options.end;
  if (options.every) file.output.every = *options.every;
  file.output.energy_points = 200;
  const TimePlan plan = [&] {
    try {
      return plan_time(file.end, file.step, shortest_period(file), file.excitation.load);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", options.file.string(), error.what()));
    }
  }();
  const SimulationOptions how{options.method, file.properties, file.newmark};
  result.simulation =
      file.structure ? microslip::simulate(*file.structure, file.excitation, file.structure_start, plan, file.output,
                                           how, progress)
                     : microslip::simulate(file.model, file.excitation, file.starts, plan, file.output, how, progress);
  result.notes = notes_of(result);
  return result;
}

Output simulate(const SimulateOptions& options, const Progress& progress) {
  const auto result = std::make_shared<const SimulateResult>(run_simulate(options, progress));
  Output output;
  output.text = [result] { return simulate_text(*result); };
  output.json = [result] { return simulate_json(*result); };
  output.csv = [result] { return simulate_csv(*result); };
  output.archive = [result] { return simulate_archive(*result); };
  output.page = [result] { return simulate_page(*result); };
  output.inputs = result->file.inputs;
  output.notes = result->notes;
  return output;
}

}  // namespace microslip::verbs
