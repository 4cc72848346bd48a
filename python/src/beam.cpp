#include <algorithm>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/harmonic_series.hpp>
#include <microslip/beam/model_sections.hpp>
#include <microslip/beam/partial_slip.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/identify/support_stiffness.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

/// A section of the model, {"beam": {"length": 0.3, ...}, ...}: the same names as in BEAM.toml.
class Section {
 public:
  Section(const py::dict& model, const char* name, const std::vector<std::string>& known) : name_(name) {
    if (!model.contains(name)) throw InvalidInput(fmt::format("model['{}'] is missing", name));
    const py::object given = model[name];
    if (!py::isinstance<py::dict>(given))
      throw py::type_error(fmt::format("model['{}'] must be a dictionary, got {}", name, type_name(given)));
    values_ = given.cast<py::dict>();
    for (const auto& [key, value] : values_) {
      const auto text = key.cast<std::string>();
      if (std::find(known.begin(), known.end(), text) == known.end())
        throw InvalidInput(fmt::format("{}.{} is unknown{}", name, text, suggestion(text, known)));
    }
  }
  [[nodiscard]] double number(const char* key) const {
    if (!values_.contains(key)) throw InvalidInput(fmt::format("{}.{} is missing", name_, key));
    return real_number(fmt::format("{}.{}", name_, key), values_[key]);
  }
  [[nodiscard]] double number(const char* key, double fallback) const {
    return values_.contains(key) ? number(key) : fallback;
  }
  [[nodiscard]] bool flag(const char* key, bool fallback) const {
    if (!values_.contains(key)) return fallback;
    const py::object given = values_[key];
    const std::string type = type_name(given);
    if (!py::isinstance<py::bool_>(given) && type != "bool_" && type != "bool")  // NumPy's are welcome
      throw py::type_error(fmt::format("{}.{} must be True or False, got {}", name_, key, type));
    return given.cast<bool>();
  }

 private:
  std::string name_;
  py::dict values_;
};

beam::Model model_from(const py::dict& given) {
  const beam::Model model = beam::checked(
      beam::model_of(Section(given, "beam", beam::beam_keys), Section(given, "support", beam::support_keys),
                     Section(given, "bolt", beam::bolt_keys), Section(given, "load", beam::load_keys)));
  beam::check_resolution(model);
  return model;
}

Array frequencies(const py::dict& model, int count) {
  if (count < 1 || count > 1000) throw InvalidInput(fmt::format("count must lie in [1, 1000], got {}", count));
  return to_array(beam::StuckBeam(model_from(model)).natural_frequencies_hz(count));
}

py::dict pressure(const py::dict& model, int points) {
  if (points < 2) throw InvalidInput(fmt::format("points must be >= 2, got {}", points));
  const beam::Model m = model_from(model);
  const beam::Pressure p = beam::preload_pressure(m);
  std::vector<double> x, q;
  for (int i = 0; i < points; ++i) {
    x.push_back(m.support.length * i / (points - 1));
    q.push_back(p.at(x.back()));
  }
  return versioned(
      py::dict("position"_a = to_array(x), "density"_a = to_array(q), "lift_off"_a = to_array(p.lift_off)));
}

py::dict backbone(const py::dict& model, const py::object& force, bool dynamic_pressure) {
  const beam::Model m = model_from(model);
  const Array given = series("force", force);
  const beam::PartialSlip slip(m, beam::preload_pressure(m),
                               dynamic_pressure ? beam::NormalForce::dynamic : beam::NormalForce::constant);
  const beam::SlipBackbone b = slip.backbone({given.data(), given.data() + given.size()});
  std::vector<double> f, u, length, stick, loss;
  for (const beam::SlipState& s : b.states) {
    f.push_back(s.force);
    u.push_back(s.displacement);
    length.push_back(s.slip_length);
    stick.push_back(s.stick_length);
    loss.push_back(s.dissipation);
  }
  py::dict result("force"_a = to_array(f), "displacement"_a = to_array(u), "slip_length"_a = to_array(length),
                  "stick_length"_a = to_array(stick), "onset_force"_a = slip.onset().force,
                  "macro_slip_force"_a = b.macro_slip_force);
  if (!dynamic_pressure) result["dissipation"] = to_array(loss);  // else the half-cycles differ: Masing says nothing
  return versioned(result);
}

py::dict loop_dict(const beam::LoopCurve& curve) {
  return versioned(py::dict("displacement"_a = to_array(curve.displacement), "force"_a = to_array(curve.force),
                            "dissipation"_a = curve.dissipation));
}

py::dict loop(const py::dict& model, double force, int points) {
  const beam::Model m = model_from(model);
  return loop_dict(beam::PartialSlip(m, beam::preload_pressure(m)).masing_loop(force, points));
}

py::dict marched_loop(const py::dict& model, double force, int steps, bool dynamic_pressure, int cycles) {
  const beam::Model m = model_from(model);
  const beam::CycleResult cycle =
      beam::FiniteElementBeam(m, beam::preload_pressure(m), {})
          .march(positive("force", force), steps,
                 dynamic_pressure ? beam::NormalForce::dynamic : beam::NormalForce::constant, cycles);
  py::dict result = loop_dict(cycle.loop);
  result["dissipation"] = cycle.dissipation;
  result["cycles"] = cycle.cycles;
  result["closure"] = cycle.closure;
  return result;
}

py::dict estimate_dict(const identify::StiffnessEstimate& e) {
  return versioned(py::dict("value"_a = e.value, "lower"_a = e.lower, "upper"_a = e.upper,
                            "identifiable"_a = e.identifiable, "sensitivity"_a = e.sensitivity,
                            "predicted"_a = to_array(e.predicted), "residual"_a = e.residual,
                            "outcome"_a = std::string(to_string(e.outcome))));
}

py::dict fit_normal_stiffness(const py::dict& model, const py::object& frequencies_hz, double uncertainty) {
  const Array given = series("frequencies_hz", frequencies_hz);
  std::vector<identify::MeasuredFrequency> measured;
  for (py::ssize_t i = 0; i < given.size(); ++i) measured.push_back({static_cast<int>(i) + 1, given.data()[i]});
  return estimate_dict(identify::normal_stiffness(model_from(model), measured, uncertainty));
}

py::dict fit_tangential_stiffness(const py::dict& model, double elastic_slope, double uncertainty) {
  return estimate_dict(identify::tangential_stiffness(model_from(model), elastic_slope, uncertainty));
}

py::dict harmonic_loop(const py::object& force, const py::object& acceleration, double sampling_rate_hz,
                       double frequency_hz, int harmonics, int points) {
  const auto fitted = [&](const char* name, const py::object& samples) {
    const Array given = series(name, samples);
    return beam::fit_harmonic_series({given.data(), given.data() + given.size()}, sampling_rate_hz, frequency_hz,
                                     harmonics);
  };
  const beam::HarmonicSeries f = fitted("force", force), a = fitted("acceleration", acceleration);
  py::dict result = loop_dict(beam::loop_of(f, beam::integrated_twice(a), points));
  result["force_residual"] = f.residual;
  result["acceleration_residual"] = a.residual;
  return result;
}

}  // namespace

void bind_beam(py::module_& m) {
  m.def("beam_frequencies", &frequencies, "model"_a, "count"_a = 6,
        "Natural frequencies [Hz] of the beam stuck to its support. `model` holds the sections of BEAM.toml.");
  m.def("beam_pressure", &pressure, "model"_a, "points"_a = 201, "Normal force per length [N/m] of the preload.");
  m.def("beam_backbone", &backbone, "model"_a, "force"_a, "dynamic_pressure"_a = false,
        "Slip, displacement and energy lost per cycle under growing force amplitudes [N].");
  m.def("beam_loop", &loop, "model"_a, "force"_a, "points"_a = 100,
        "The steady loop between +-force by Masing's rule on the exact solution.");
  m.def("beam_marched_loop", &marched_loop, "model"_a, "force"_a, "steps"_a = 200, "dynamic_pressure"_a = false,
        "cycles"_a = 20, "The same loop by finite elements, marched through the cycle, at most `cycles` times.");
  m.def(
      "fit_normal_stiffness", &fit_normal_stiffness, "model"_a, "frequencies_hz"_a, "uncertainty"_a = 1e-3,
      "k_n from the lowest measured frequencies of the stuck beam, in order, with its 95 % interval; `uncertainty` is "
      "one relative standard deviation of a frequency. `upper` is None where the data set no bound.");
  m.def("fit_tangential_stiffness", &fit_tangential_stiffness, "model"_a, "elastic_slope"_a, "uncertainty"_a = 0.01,
        "k_t from the slope [N/m] of a measured loop just after its reversals, with its 95 % interval.");
  m.def("harmonic_loop", &harmonic_loop, "force"_a, "acceleration"_a, "sampling_rate_hz"_a, "frequency_hz"_a,
        "harmonics"_a = 7, "points"_a = 200,
        "The loop and its energy from a measured force and acceleration, as harmonic series.");
}

}  // namespace microslip::python
