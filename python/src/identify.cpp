#include <array>
#include <optional>
#include <string>

#include <pybind11/stl.h>

#include <microslip/core/suggestion.hpp>
#include <microslip/identify/dissipation.hpp>
#include <microslip/verbs/fit_modal.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

std::vector<double> values(const char* what, const py::object& given) {
  const Array array = series(what, given);
  return {array.data(), array.data() + array.size()};
}

/// (lower, upper); None where the data do not set an end.
py::tuple interval_tuple(const ParameterInterval& interval) { return py::make_tuple(interval.lower, interval.upper); }

/// The keys of `microslip fit dissipation --json`, and the law itself.
py::dict fit_dict(const DissipationFit& fit) {
  py::dict parameters, intervals, identifiable;
  for (const auto& row : Iwan4<double>::parameters())
    if (row.required) parameters[py::str(std::string(row.name))] = fit.law.*row.member;
  for (std::size_t i = 0; fit.has_intervals && i < iwan_parameters.size(); ++i) {
    const py::str name{std::string(to_string(iwan_parameters[i]))};
    intervals[name] = interval_tuple(fit.intervals[i]);
    identifiable[name] = py::bool_(fit.identifiable[i]);
  }
  const SliderDensity<double> density = slider_density(fit.law);
  return versioned(py::dict(
      "law"_a = py::module_::import("microslip").attr("Iwan4")(**parameters), "parameters"_a = parameters,
      "intervals"_a = intervals, "identifiable"_a = identifiable,
      "derived"_a = py::dict("phi_max"_a = density.phi_max, "R"_a = density.R, "S"_a = density.S_delta),
      "residual"_a = fit.residual, "dissipation"_a = to_array(fit.model), "held"_a = fit.held, "notes"_a = fit.notes));
}

py::dict fit_from(const py::object& force, const py::object& dissipation, double slip_force,
                  std::optional<double> stiffness, const std::string& method, std::optional<double> noise) {
  const DissipationData data{
      .name = "data", .force = values("force", force), .dissipation = values("dissipation", dissipation)};
  if (data.force.size() != data.dissipation.size())
    throw InvalidInput(fmt::format("force has {} entries, dissipation {}", data.force.size(), data.dissipation.size()));
  positive("slip_force", slip_force);
  if (stiffness) positive("stiffness", *stiffness);
  if (noise) positive("noise", *noise);
  const std::array<std::string, 2> known{"best", "segalman"};
  if (method != known[0] && method != known[1])
    throw InvalidInput(fmt::format("unknown method '{}'{}", method, suggestion(method, known)));
  if (noise && method == "segalman") throw InvalidInput("noise goes with method 'best', not with 'segalman'");
  const DissipationFit fit = [&] {
    const py::gil_scoped_release release;
    check(data);
    if (method == "segalman") return fit_dissipation_segalman(data, slip_force, stiffness);
    return fit_dissipation(data, {.slip_force = slip_force, .stiffness = stiffness, .noise = noise});
  }();
  return fit_dict(fit);
}

/// JSON has no NaN and no Infinity, which Python writes all the same: they become null, but for those within a text.
std::string finite_json(const std::string& given) {
  std::string text;
  bool quoted = false;
  for (std::size_t at = 0; at < given.size();) {
    const auto word = [&](std::string_view name) { return given.compare(at, name.size(), name) == 0; };
    const std::size_t skip = quoted ? 0 : word("NaN") ? 3 : word("Infinity") ? 8 : word("-Infinity") ? 9 : 0;
    if (skip > 0) {
      text += "null";
      at += skip;
      continue;
    }
    if (given[at] == '"') quoted = !quoted;
    if (quoted && given[at] == '\\') text += given[at++];  // what it protects is copied unseen
    text += given[at++];
  }
  return text;
}

/// The text of a `ringdown` result given as a dictionary, or as the list of modes that `ringdown` returns here.
std::string as_json(const py::object& given) {
  const py::module_ json = py::module_::import("json");
  py::object result = given;
  if (py::isinstance<py::list>(given)) result = py::dict("modes"_a = given);
  const py::cpp_function plain([](const py::object& x) { return x.attr("tolist")(); });
  return finite_json(py::cast<std::string>(json.attr("dumps")(result, "default"_a = plain)));
}

py::object fit_modal_from(const py::object& measured, const std::string& objective, const std::string& forms,
                          bool viscous, bool macro_slip, bool use_flagged, int replicas, std::uint64_t seed) {
  verbs::FitModalOptions options;
  options.fit.objective = verbs::modal_objective_from(objective);
  options.fit.forms = verbs::modal_forms_from(forms);
  options.fit.viscous = viscous;
  options.fit.macro_slip = macro_slip;
  options.fit.use_flagged = use_flagged;
  options.fit.replicas = replicas;
  options.fit.seed = seed;
  if (py::isinstance<py::dict>(measured) || py::isinstance<py::list>(measured))
    options.measurements = verbs::parse_modal_measurements(as_json(measured), "ringdown");
  else
    options.measurements =
        verbs::read_modal_measurements({py::cast<std::string>(py::module_::import("os").attr("fspath")(measured))});
  const std::string text =
      interruptible([&](const Progress& progress) { return verbs::fit_modal(options, progress).json(); });
  return py::module_::import("json").attr("loads")(text);
}

}  // namespace

void bind_identify(py::module_& m) {
  m.def(
      "fit_modal", &fit_modal_from, "measured"_a, py::kw_only(), "objective"_a = "default", "forms"_a = "exact",
      "viscous"_a = true, "macro_slip"_a = true, "use_flagged"_a = false, "replicas"_a = 16, "seed"_a = 1,
      "An Iwan joint with spring and damper for each mode, from what `ringdown` measured: its list of modes, the\n"
      "dictionary of `microslip ringdown --json`, or the path of such a file. `objective` and `forms` may be 'paper'\n"
      "for those of Deaner et al. (2015). `replicas` are simulated decays per record, from which bias and intervals\n"
      "come; 0 for none. Returns the dictionary of `microslip fit modal --json`.");
  m.def(
      "fit_dissipation", &fit_from, "force"_a, "dissipation"_a, py::kw_only(), "slip_force"_a,
      "stiffness"_a = py::none(), "method"_a = "best", "noise"_a = py::none(),
      "The four-parameter Iwan model of measured dissipation: energy lost per cycle [J] at force amplitudes [N], zero\n"
      "to peak. `slip_force` [N] must be known, `stiffness` [N/m] may be; `method` is 'best' or 'segalman'; `noise` "
      "is\n"
      "the standard deviation of ln D, from the misfit by default. Returns the law, its parameters, 95 % intervals\n"
      "(None where the data set no end), whether each is identifiable, phi_max, R and S, the RMS of ln D as residual,\n"
      "the model's dissipation at the forces, and notes.");
}

}  // namespace microslip::python
