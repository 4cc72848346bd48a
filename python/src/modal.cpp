#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <microslip/verbs/backbone.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

py::dict parameters_of(const Joint& joint) {
  py::dict values;
  for (const auto& [name, value] : joint_parameters(joint)) values[py::str(name)] = value;
  return values;
}

/// One row per amplitude; NaN where a point has none.
Array rows_of(const Rqnma& run, Eigen::VectorXd BackbonePoint::*member) {
  Eigen::Index width = 0;
  for (const BackbonePoint& point : run.points) width = std::max(width, (point.*member).size());
  Array matrix(std::vector<py::ssize_t>{static_cast<py::ssize_t>(run.points.size()), width});
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const Eigen::VectorXd& row = run.points[i].*member;
    for (Eigen::Index j = 0; j < width; ++j)
      *matrix.mutable_data(static_cast<py::ssize_t>(i), j) = j < row.size() ? row(j) : std::nan("");
  }
  return matrix;
}

Array column_of(const Rqnma& run, double BackbonePoint::*member) {
  std::vector<double> values;
  for (const BackbonePoint& point : run.points) values.push_back(point.*member);
  return to_array(values);
}

py::dict backbone(const std::filesystem::path& file, const py::object& amplitudes, int mode,
                  const std::optional<std::string>& framework, const std::optional<std::string>& combination,
                  std::optional<int> loops, const std::optional<std::string>& dissipation,
                  std::optional<int> quadrature_points) {
  verbs::BackboneOptions options;
  options.file = file;
  options.mode = mode;
  const Array q = positive_array("amplitudes", series("amplitudes", amplitudes));
  options.amplitudes.assign(q.data(), q.data() + q.size());
  if (framework) options.framework = framework_from(*framework);
  if (combination) options.combination = *combination;
  options.max_loops = loops;
  if (dissipation) options.dissipation = dissipation_from(*dissipation);
  options.quadrature_points = quadrature_points;
  const verbs::BackboneResult result =
      interruptible([&](const Progress& progress) { return verbs::run_backbone(options, progress); });
  const Rqnma& run = result.result;
  py::list flags;
  py::array_t<bool> converged(static_cast<py::ssize_t>(run.points.size()));
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    flags.append(run.points[i].flag);
    converged.mutable_at(static_cast<py::ssize_t>(i)) = run.points[i].converged;
  }
  py::dict out("mode"_a = run.mode, "framework"_a = std::string(to_string(run.framework)),
               "linear_frequency_hz"_a = run.linear_frequency_hz,
               "amplitude"_a = column_of(run, &BackbonePoint::amplitude),
               "frequency_hz"_a = column_of(run, &BackbonePoint::frequency_hz),
               "damping_ratio"_a = column_of(run, &BackbonePoint::damping_ratio),
               "dissipation"_a = column_of(run, &BackbonePoint::dissipation),
               "residual"_a = column_of(run, &BackbonePoint::residual), "converged"_a = converged, "flag"_a = flags,
               "coordinates"_a = result.file.structure.system.coordinates,
               "shape"_a = rows_of(run, &BackbonePoint::shape), "parameters"_a = parameters_of(result.file.joint),
               "local_dissipation"_a = rows_of(run, &BackbonePoint::local_loss), "notes"_a = run.notes);
  py::dict sensors;
  for (const Sensor& sensor : result.file.structure.system.sensors)
    sensors[py::str(sensor.name)] = to_array(verbs::sensor_amplitude(sensor, run));
  out["sensors"] = sensors;
  if (run.prestress) out["prestress_force"] = to_array(run.prestress->force);
  return versioned(out);
}

py::list list_combinations() {
  py::list all;
  for (const Combination& c : combinations()) {
    py::list spans;
    for (const ParameterSpan& span : c.spans)
      spans.append(py::dict("name"_a = span.name, "lower"_a = span.lower, "upper"_a = span.upper,
                            "logarithmic"_a = span.logarithmic));
    all.append(py::dict("name"_a = c.name, "key"_a = c.key, "model"_a = c.model,
                        "interface"_a = c.full_joint ? "full_joint" : "whole_joint",
                        "contact"_a = std::string(to_string(c.contact)),
                        "framework"_a = c.masing ? "masing" : "reversal", "viscous"_a = c.viscous,
                        "conservative_prestress"_a = c.conservative_prestress, "max_loops"_a = c.max_loops,
                        "quadrature_points"_a = c.quadrature_points, "parameters"_a = spans));
  }
  return all;
}

}  // namespace

void bind_modal(py::module_& m) {
  m.def("backbone", &backbone, "file"_a, "amplitudes"_a, "mode"_a = 1, "framework"_a = py::none(),
        "combination"_a = py::none(), "loops"_a = py::none(), "dissipation"_a = py::none(),
        "quadrature_points"_a = py::none(),
        "Frequency, damping and shape of a bolted structure against modal amplitude, as `microslip backbone` gives "
        "them: arrays over amplitudes; shape and local_dissipation have one row each.");
  m.def("combinations", &list_combinations,
        "The 26 pairs of friction model and interface of Porter et al. (2022), with the ranges of their parameters.");
}

}  // namespace microslip::python
