#include <optional>
#include <string>

#include <pybind11/stl.h>

#include <microslip/joints/amplitude_curves.hpp>
#include <microslip/joints/describing_function.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/joints/loop.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

/// What every law class of the package is: the methods live here once and visit the variant once per call.
struct Law {
  AnyLaw value;
};
/// One class per law on top of it, for its constructor and attributes.
template <class L>
struct LawOf : Law {};

py::object as_python(const AnyLaw& law) {
  return std::visit([](const auto& l) { return py::cast(LawOf<std::decay_t<decltype(l)>>{{l}}); }, law);
}

/// "bouc_wen_1" -> "BoucWen1".
std::string class_name(std::string_view law) {
  std::string name;
  bool upper = true;
  for (const char c : law) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name;
}

/// A parameter's name where Python reserves it: lambda is spelt lambda_, as is the custom.
std::string python_name(std::string_view parameter) {
  return parameter == "lambda" ? "lambda_" : std::string(parameter);
}

NamedValues named_values(const std::string& law, const py::kwargs& given) {
  NamedValues values;
  for (const auto& [key, value] : given) {
    auto name = key.cast<std::string>();
    if (name == python_name("lambda")) name = "lambda";
    values.emplace_back(name, real_number(fmt::format("{}.{}", law, name), value));
  }
  return values;
}

Framework framework_of(const Law& law, const std::optional<std::string>& name) {
  if (name) return framework_from(*name);
  return natural_framework(law.value);
}

py::object result(const char* type) { return py::module_::import("microslip.results").attr(type); }

/// Calls f(law) with the law's own type while other Python threads may run.
template <class F>
auto without_gil(const Law& law, const F& f) {
  if (lacks_normal_force(law.value)) throw InvalidInput("elastic_dry_friction: give normal_force=N");
  const py::gil_scoped_release release;
  return std::visit(f, law.value);
}

/// Calls each(i, response) at every step of the law along the displacements.
template <class Each>
void walk(const Law& law, const Array& history, const Each& each) {
  const double* u = history.data();
  const py::ssize_t n = history.size();
  without_gil(law, [&](const auto& l) {
    typename std::decay_t<decltype(l)>::State state{};
    for (py::ssize_t i = 0; i < n; ++i) each(i, l.advance(state, u[i]));
  });
}

py::object follow(const Law& law, const py::object& given) {
  const Array history = series("history", given);
  Array force = like(history), tangent = like(history), dissipated = like(history);
  double *f = force.mutable_data(), *k = tangent.mutable_data(), *d = dissipated.mutable_data(), total = 0;
  walk(law, history, [&](py::ssize_t i, const Response<double>& r) {
    f[i] = r.force;
    k[i] = r.tangent;
    d[i] = total += r.dissipated;
  });
  return result("History")(history, force, tangent, dissipated);
}

Array force_along(const Law& law, const py::object& given) {
  const Array history = series("history", given);
  Array force = like(history);
  double* f = force.mutable_data();
  walk(law, history, [&](py::ssize_t i, const Response<double>& r) { f[i] = r.force; });
  return force;
}

Array tangent_along(const Law& law, const py::object& given) {
  const Array history = series("history", given);
  Array tangent = like(history);
  double* k = tangent.mutable_data();
  walk(law, history, [&](py::ssize_t i, const Response<double>& r) { k[i] = r.tangent; });
  return tangent;
}

Array dissipated_along(const Law& law, const py::object& given) {
  const Array history = series("history", given);
  Array dissipated = like(history);
  double *d = dissipated.mutable_data(), total = 0;
  walk(law, history, [&](py::ssize_t i, const Response<double>& r) { d[i] = total += r.dissipated; });
  return dissipated;
}

/// d force / d parameter along a history, one row per parameter, by dual numbers with one direction per parameter.
py::dict derivatives(const Law& law, const py::object& given) {
  const Array history = series("history", given);
  const double* u = history.data();
  const py::ssize_t n = history.size();
  const NamedValues parameters = law_parameters(law.value);
  std::vector<Array> columns;
  std::vector<double*> out;
  for (std::size_t j = 0; j < parameters.size(); ++j) out.push_back(columns.emplace_back(like(history)).mutable_data());
  without_gil(law, [&](const auto& l) {
    constexpr int count = static_cast<int>(std::decay_t<decltype(l)>::parameters().size());
    using Number = DualN<count>;
    auto dual = l.template cast<Number>();
    int direction = 0;
    for (const auto& row : decltype(dual)::parameters()) (dual.*row.member).grad[direction++] = 1;
    typename decltype(dual)::State state{};
    for (py::ssize_t i = 0; i < n; ++i) {
      const Number force = dual.advance(state, Number(u[i])).force;
      for (int j = 0; j < count; ++j) out[static_cast<std::size_t>(j)][i] = force.grad[j];
    }
  });
  py::dict by_name;
  for (std::size_t j = 0; j < parameters.size(); ++j) by_name[py::str(parameters[j].first)] = columns[j];
  return by_name;
}

/// value(law, x) at every x of an array of any shape.
template <class Value>
py::object mapped(const Law& law, const Array& x, const Value& value) {
  Array y = like(x);
  const double* in = x.data();
  double* out = y.mutable_data();
  const py::ssize_t n = x.size();
  without_gil(law, [&](const auto& l) {
    for (py::ssize_t i = 0; i < n; ++i) out[i] = value(l, in[i]);
  });
  return unwrapped(y);
}

py::object monotonic(const Law& law, const py::object& u) {
  return mapped(law, finite_array("u", u), [](const auto& l, double x) { return l.evaluate({}, x).force; });
}

py::object dissipation(const Law& law, const py::object& amplitude, const std::optional<std::string>& framework) {
  const Framework by = framework_of(law, framework);
  return mapped(law, positive_array("amplitude", amplitude),
                [by](const auto& l, double a) { return loop_dissipation(l, a, by); });
}

py::object secant(const Law& law, const py::object& amplitude, const std::optional<std::string>& framework) {
  const Framework by = framework_of(law, framework);
  return mapped(law, positive_array("amplitude", amplitude),
                [by](const auto& l, double a) { return secant_stiffness(l, a, by); });
}

py::object first_harmonic(const Law& law, const py::object& amplitude, const std::optional<std::string>& framework) {
  const Framework by = framework_of(law, framework);
  const Array a = positive_array("amplitude", amplitude);
  Array stiffness = like(a), loss = like(a);
  const double* in = a.data();
  double *k = stiffness.mutable_data(), *c = loss.mutable_data();
  const py::ssize_t n = a.size();
  without_gil(law, [&](const auto& l) {
    for (py::ssize_t i = 0; i < n; ++i) {
      const DescribingFunction<double> harmonic = describing_function(l, in[i], by);
      k[i] = harmonic.stiffness;
      c[i] = harmonic.loss;
    }
  });
  return result("DescribingFunction")(unwrapped(stiffness), unwrapped(loss));
}

py::object loop(const Law& law, double amplitude, int points, const std::optional<std::string>& framework) {
  const Framework by = framework_of(law, framework);
  positive("amplitude", amplitude);
  if (points < 2 || points > 1000000)
    throw InvalidInput(fmt::format("points must lie in [2, 1000000], got {}", points));
  const LoopPath path = without_gil(law, [&](const auto& l) { return trace_loop(l, amplitude, by, points); });
  return result("Loop")(to_array(path.displacement), to_array(path.force), path.dissipation, path.secant_stiffness);
}

py::dict parameters_of(const Law& law) {
  py::dict values;
  for (const auto& [name, value] : law_parameters(law.value)) values[py::str(name)] = value;
  return values;
}

std::string repr(const Law& law) {
  std::string arguments;
  for (const auto& [name, value] : law_parameters(law.value))
    arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", python_name(name),
                             std::string(py::repr(py::float_(value))));
  return fmt::format("{}({})", class_name(law_name(law.value)), arguments);
}

bool equal(const Law& a, const Law& b) {
  return a.value.index() == b.value.index() && law_parameters(a.value) == law_parameters(b.value);
}

py::dict to_dict(const ParameterInfo& p) {
  return py::dict("name"_a = p.name, "symbol"_a = p.symbol, "unit"_a = p.unit, "lower"_a = p.range.lower,
                  "upper"_a = p.range.upper, "lower_open"_a = p.range.lower_open, "upper_open"_a = p.range.upper_open,
                  "default"_a = p.start, "required"_a = p.required, "meaning"_a = p.meaning);
}

py::list models() {
  py::list laws;
  for (const LawInfo& law : law_table()) {
    py::list parameters, alternatives;
    for (const ParameterInfo& p : law.parameters) parameters.append(to_dict(p));
    for (const ParameterInfo& p : law.alternatives) alternatives.append(to_dict(p));
    laws.append(py::dict("name"_a = law.name, "title"_a = law.title, "masing"_a = law.masing,
                         "class"_a = class_name(law.name), "parameters"_a = parameters,
                         "alternatives"_a = alternatives));
  }
  return laws;
}

std::string class_doc(const LawInfo& law) {
  std::string doc = fmt::format("{}{}.\n\nKeyword arguments:\n", law.title, law.masing ? "" : " (not a Masing law)");
  const auto line = [&](const ParameterInfo& p, std::string_view need) {
    doc += fmt::format("    {} [{}]: {}; in {}{}\n", python_name(p.name), p.unit, p.meaning, to_string(p.range), need);
  };
  for (const ParameterInfo& p : law.parameters) line(p, p.required ? "" : "; may be left out");
  for (const ParameterInfo& p : law.alternatives) line(p, "; another way to give it");
  return doc;
}

template <class L>
void bind_law(py::module_& m, const LawInfo& info) {
  const std::string doc = class_doc(info);
  py::class_<LawOf<L>, Law> bound(m, class_name(L::name).c_str(), doc.c_str());
  bound.def(py::init([](const py::kwargs& given) {
    return LawOf<L>{{make_law(std::string(L::name), named_values(std::string(L::name), given))}};
  }));
  bound.def(py::pickle([](const LawOf<L>& law) { return py::make_tuple(parameters_of(law)); },
                       [](const py::tuple& state) {
                         const auto kwargs = py::kwargs(state[0].cast<py::dict>());
                         return LawOf<L>{{make_law(std::string(L::name), named_values(std::string(L::name), kwargs))}};
                       }));
  for (const auto& row : L::parameters()) {
    const auto member = row.member;
    const std::string meaning = fmt::format("{} [{}]: {}", row.symbol, row.unit, row.meaning);
    bound.def_property_readonly(
        python_name(row.name).c_str(), [member](const LawOf<L>& law) { return std::get<L>(law.value).*member; },
        meaning.c_str());
  }
  if constexpr (requires(L law) { law.phi_max(); })
    bound.def_property_readonly(
        "phi_max", [](const LawOf<L>& law) { return std::get<L>(law.value).phi_max(); },
        "phi_max [m]: displacement at which macro-slip begins on first loading");
  if constexpr (requires(L law) { slider_density(law); }) {
    bound.def_property_readonly(
        "R", [](const LawOf<L>& law) { return slider_density(std::get<L>(law.value)).R; },
        "R [N/m^(2+chi)]: weight of the power-law part of the slider density");
    bound.def_property_readonly(
        "S", [](const LawOf<L>& law) { return slider_density(std::get<L>(law.value)).S_delta; },
        "S [N/m]: weight of the delta function at phi_max");
  }
  if constexpr (requires(L law) {
                  law.alpha;
                  law.beta;
                })
    bound.def_property_readonly(
        "eta", [](const LawOf<L>& law) { return std::get<L>(law.value).alpha - std::get<L>(law.value).beta; },
        "eta = alpha - beta [N^(1-n)/m]");
}

template <std::size_t... I>
void bind_laws(py::module_& m, std::index_sequence<I...> /*indices*/) {
  (bind_law<std::variant_alternative_t<I, AnyLaw>>(m, law_table()[I]), ...);
}

constexpr const char* framework_doc =
    "`framework` is 'masing' (Masing's rules on the first loading curve) or 'reversal' (the law itself, traced); "
    "by default what the law obeys.";

}  // namespace

void bind_joints(py::module_& m) {
  const std::string by = std::string("\n\n") + framework_doc;
  py::class_<Law>(m, "Law", "A friction law: an immutable value of parameters. Made by its own class or by `law`.")
      .def_property_readonly(
          "name", [](const Law& law) { return law_name(law.value); }, "name, as in files")
      .def_property_readonly(
          "masing", [](const Law& law) { return obeys_masing(law.value); }, "whether it obeys Masing's rules")
      .def_property_readonly("parameters", &parameters_of, "values by name")
      .def("force", &force_along, "history"_a, "Force [N] along a displacement history [m] that starts from rest at 0.")
      .def("tangent", &tangent_along, "history"_a, "df/du at fixed history [N/m] along a displacement history [m].")
      .def("dissipated", &dissipated_along, "history"_a,
           "Energy lost so far [J] along a displacement history [m]: exact for any step, never falling.")
      .def("follow", &follow, "history"_a,
           "Force, tangent and energy lost so far along a displacement history [m], in one pass.")
      .def("derivatives", &derivatives, "history"_a,
           "d force / d parameter along a displacement history [m], by the parameter's name; exact.")
      .def("monotonic", &monotonic, "u"_a, "Force [N] on first loading from rest to each displacement u [m].")
      .def("loop", &loop, "amplitude"_a, "points"_a = 200, "framework"_a = py::none(),
           ("Steady loop of a displacement amplitude [m], with `points` points on each branch, from the upper end down "
            "and back." +
            by)
               .c_str())
      .def("dissipation", &dissipation, "amplitude"_a, "framework"_a = py::none(),
           ("Energy [J] lost per cycle of the steady loop at each displacement amplitude [m]." + by).c_str())
      .def("secant_stiffness", &secant, "amplitude"_a, "framework"_a = py::none(),
           ("(F_max - F_min)/(u_max - u_min) [N/m] of the steady loop at each amplitude [m]." + by).c_str())
      .def("describing_function", &first_harmonic, "amplitude"_a, "framework"_a = py::none(),
           ("First harmonic of the force for u = a cos(theta): f ~ a (stiffness cos(theta) - loss sin(theta)) [N/m]." +
            by)
               .c_str())
      .def("__repr__", &repr)
      .def("__eq__",
           [](const Law& a, const py::object& b) { return py::isinstance<Law>(b) && equal(a, b.cast<Law>()); })
      .def("__hash__", [](const Law& law) { return py::hash(py::str(repr(law))); });
  bind_laws(m, std::make_index_sequence<std::variant_size_v<AnyLaw>>{});

  m.def("models", &models, "The library's laws: name, title, class, whether they obey Masing's rules, and parameters.");
  m.def(
      "law",
      [](const std::string& name, const py::kwargs& parameters) {
        return as_python(make_law(name, named_values(name, parameters)));
      },
      "name"_a, "The law of that name, e.g. law('jenkins', slip_force=100.0, stiffness=1e7).");
}

}  // namespace microslip::python
