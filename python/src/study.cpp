#include <filesystem>
#include <optional>
#include <string>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <microslip/optimize/front.hpp>
#include <microslip/study/area_fraction.hpp>
#include <microslip/verbs/study.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

py::object study(const std::filesystem::path& file, int threads, const std::optional<std::filesystem::path>& checkpoint,
                 bool resume, bool times) {
  verbs::StudyOptions options;
  options.file = file;
  options.threads = threads;
  if (checkpoint) options.checkpoint = *checkpoint;
  options.resume = resume;
  options.times = times;
  const std::string json = interruptible([&](const Progress& progress) {
    options.stop = progress.stop;
    return verbs::study_json(*verbs::run_study(options), times);
  });
  return py::module_::import("json").attr("loads")(json);
}

std::vector<Point> points_of(std::string_view what, const py::object& given) {
  const Array array = real_array(what, given);
  if (array.ndim() != 2 || array.shape(1) != 2) throw InvalidInput(fmt::format("{} must be rows of two numbers", what));
  std::vector<Point> points;
  for (py::ssize_t i = 0; i < array.shape(0); ++i) points.push_back({array.at(i, 0), array.at(i, 1)});
  return points;
}

}  // namespace

void bind_study(py::module_& m) {
  m.def(
      "study", &study, "file"_a, py::kw_only(), "threads"_a = 0, "checkpoint"_a = py::none(), "resume"_a = false,
      "times"_a = false,
      "Runs a model-form study: the keys of `microslip study --json`. `checkpoint` names a folder from which `resume` "
      "continues; threads 0 takes all processors.");
  m.def(
      "area_fraction",
      [](const py::object& errors, const Point& lower, const Point& upper) {
        return study::area_fraction(points_of("errors", errors), {lower, upper});
      },
      "errors"_a, "lower"_a, "upper"_a,
      "Share of the box from `lower` to `upper` that no row of `errors` (frequency, damping) dominates.");
  m.def(
      "non_dominated", [](const py::object& points) { return non_dominated(points_of("points", points)); }, "points"_a,
      "Rows that no other row dominates, by growing first column: a Pareto front.");
}

}  // namespace microslip::python
