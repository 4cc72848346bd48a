#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <microslip/verbs/simulate.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

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
                  std::optional<double> end, std::optional<std::int64_t> every) {
  verbs::SimulateOptions options;
  options.file = file;
  options.method = verbs::simulation_method_from(method);
  if (properties) options.properties = verbs::simulation_properties_from(*properties);
  options.steps_per_period = steps_per_period;
  options.end = end;
  options.every = every;
  verbs::SimulateResult result;
  {
    const py::gil_scoped_release free;
    result = verbs::run_simulate(options);
  }
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
  return out;
}

}  // namespace

void bind_dynamics(py::module_& m) {
  m.def("simulate", &simulate, "file"_a, "method"_a = "newmark", "properties"_a = py::none(),
        "steps_per_period"_a = py::none(), "end"_a = py::none(), "every"_a = py::none(),
        "The response in time of the modes or the structure in a TOML file, as `microslip simulate` gives it: arrays "
        "[coordinate, time]; NaN where a value is not known.");
}

}  // namespace microslip::python
