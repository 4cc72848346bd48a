#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <microslip/verbs/respond.hpp>
#include <microslip/verbs/simulate.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

/// Rows as one array, [row, time].
Array to_matrix(const std::vector<std::vector<double>>& rows) {
  const auto n = static_cast<py::ssize_t>(rows.empty() ? 0 : rows.front().size());
  Array matrix(std::vector<py::ssize_t>{static_cast<py::ssize_t>(rows.size()), n});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(), matrix.mutable_data(static_cast<py::ssize_t>(i), 0));
  return matrix;
}

py::dict simulate(const std::filesystem::path& file, const std::string& method,
                  const std::optional<std::string>& properties, std::optional<double> steps_per_period,
                  std::optional<double> end, std::optional<std::int64_t> every, std::optional<double> accuracy) {
  verbs::SimulateOptions options;
  options.file = file;
  options.method = verbs::simulation_method_from(method);
  if (properties) options.properties = verbs::simulation_properties_from(*properties);
  options.steps_per_period = steps_per_period;
  options.end = end;
  options.every = every;
  options.accuracy = accuracy;
  const verbs::SimulateResult result =
      interruptible([&](const Progress& progress) { return verbs::run_simulate(options, progress); });
  const Simulation& run = result.simulation;
  const Energy& energy = run.energy;
  py::dict out("time"_a = to_array(run.time), "coordinates"_a = run.coordinates);
  if (!run.displacement.empty()) out["displacement"] = to_matrix(run.displacement);
  if (!run.velocity.empty()) out["velocity"] = to_matrix(run.velocity);
  if (!run.acceleration.empty()) out["acceleration"] = to_matrix(run.acceleration);
  if (!run.envelopes.empty()) {
    const auto column = [&](std::vector<double> EnvelopeSeries::*series) {
      std::vector<std::vector<double>> rows;
      for (const EnvelopeSeries& envelope : run.envelopes) rows.push_back(envelope.*series);
      return to_matrix(rows);
    };
    out["envelopes_of"] = run.envelope_names;
    out["amplitude"] = column(&EnvelopeSeries::amplitude);
    out["frequency_hz"] = column(&EnvelopeSeries::frequency_hz);
    out["damping_ratio"] = column(&EnvelopeSeries::damping_ratio);
  }
  out["energy"] =
      py::dict("initial"_a = energy.initial, "work"_a = energy.work, "kinetic"_a = energy.kinetic,
               "stored"_a = energy.stored, "dissipated"_a = energy.dissipated, "imbalance"_a = energy.imbalance());
  out["notes"] = result.notes;
  return versioned(out);
}

py::dict ridge_point(const RidgePoint& point) {
  return py::dict("frequency_hz"_a = point.frequency_hz, "amplitude"_a = point.amplitude,
                  "damping_ratio"_a = point.damping_ratio, "force"_a = point.force);
}

py::dict respond(const std::filesystem::path& model, std::optional<double> force, std::optional<double> amplitude,
                 const py::object& frequency_hz, int mode) {
  verbs::RespondOptions options;
  options.file = model;
  options.force = force;
  options.amplitude = amplitude;
  options.mode = mode;
  if (!frequency_hz.is_none()) {
    const Array given = series("frequency_hz", frequency_hz);
    options.frequency_hz.assign(given.data(), given.data() + given.size());
  }
  verbs::RespondResult result;
  {
    const py::gil_scoped_release free;
    result = verbs::run_respond(options);
  }
  py::dict out;
  if (result.curve) {
    const SteadyCurve& c = *result.curve;
    py::list branches, folds;
    for (const SteadyBranch& b : c.branches)
      branches.append(py::dict("stable"_a = b.stable, "frequency_hz"_a = to_array(b.frequency_hz),
                               "amplitude"_a = to_array(b.amplitude), "phase"_a = to_array(b.phase)));
    for (const Fold& fold : c.folds)
      folds.append(py::dict("frequency_hz"_a = fold.frequency_hz, "amplitude"_a = fold.amplitude));
    out = py::dict("frequency_hz"_a = to_array(c.frequency_hz), "force"_a = c.force,
                   "amplitude"_a = to_array(c.amplitude), "phase"_a = to_array(c.phase),
                   "third_harmonic"_a = to_array(c.third_harmonic), "branches"_a = branches, "folds"_a = folds);
  } else {
    const HeldCurve& h = *result.held;
    out = py::dict("frequency_hz"_a = to_array(h.frequency_hz), "force"_a = to_array(h.force),
                   "amplitude"_a = h.amplitude, "phase"_a = to_array(h.phase),
                   "third_harmonic"_a = to_array(h.third_harmonic));
  }
  if (result.resonance)
    out["resonance"] = ridge_point(*result.resonance);
  else
    out["resonance"] = py::none();
  const auto column = [&](double RidgePoint::*member) {
    std::vector<double> values;
    for (const RidgePoint& point : result.ridge) values.push_back(point.*member);
    return to_array(values);
  };
  out["ridge"] =
      py::dict("frequency_hz"_a = column(&RidgePoint::frequency_hz), "amplitude"_a = column(&RidgePoint::amplitude),
               "force"_a = column(&RidgePoint::force), "damping_ratio"_a = column(&RidgePoint::damping_ratio));
  out["units"] = py::dict("amplitude"_a = result.units.amplitude, "force"_a = result.units.force,
                          "phase"_a = "degrees, lag negative");
  out["notes"] = result.notes;
  return versioned(out);
}

}  // namespace

void bind_dynamics(py::module_& m) {
  m.def("simulate", &simulate, "file"_a, "method"_a = "newmark", "properties"_a = py::none(),
        "steps_per_period"_a = py::none(), "end"_a = py::none(), "every"_a = py::none(), "accuracy"_a = py::none(),
        "The response in time of the modes or the structure in a TOML file, as `microslip simulate` gives it: arrays "
        "[coordinate, time]; NaN where a value is not known.");
  m.def("respond", &respond, "model"_a, "force"_a = py::none(), "amplitude"_a = py::none(),
        "frequency_hz"_a = py::none(), "mode"_a = 1,
        "The steady harmonic response of a mode to a modal force, or the force that holds an amplitude, as `microslip "
        "respond` gives it. `model` is the result of `fit modal --json` or TOML with [[mode]]; phases in degrees, lag "
        "negative; `frequency_hz` must grow, about the resonance when absent.");
}

}  // namespace microslip::python
