// From a page's JSON to a verb's options: keys go by the names of the command line.
#include "serve_verbs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/verbs/curves.hpp>
#include <microslip/verbs/fit_dissipation.hpp>
#include <microslip/verbs/fit_modal.hpp>
#include <microslip/verbs/loop.hpp>
#include <microslip/verbs/predict.hpp>
#include <microslip/verbs/ringdown.hpp>
#include <microslip/verbs/zefft.hpp>

namespace microslip::app {

void only(const io::JsonReader& request, const std::vector<std::string>& known) {
  for (const std::string& key : request.keys())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidInput(fmt::format("{} is not known here{}", request.where(key), suggestion(key, known)));
}

int count(const io::JsonReader& request, const std::string& key, int fallback, int most) {
  const double value = request.number(key, fallback);
  if (!(value >= 2 && value <= most) || value != static_cast<int>(value))
    throw InvalidInput(fmt::format("{} must be a whole number in [2, {}], got {}", request.where(key), most, value));
  return static_cast<int>(value);
}

namespace {

NamedValues parameters(const io::JsonReader& request) {
  NamedValues values;
  const io::JsonReader given = request.object("parameters");
  for (const std::string& name : given.keys()) values.emplace_back(name, given.number(name));
  return values;
}

std::filesystem::path received(const Call& call, const std::string& key, double id) {
  if (!(id >= 1 && id <= 1e15) || id != std::floor(id))
    throw InvalidInput(fmt::format("{} is not the number of a file", call.request.where(key)));
  return call.files.get(static_cast<std::uint64_t>(id)).path;
}

std::vector<std::filesystem::path> received_files(const Call& call) {
  const std::vector<double> ids = call.request.numbers("files");
  if (ids.empty() || ids.size() > 100)
    throw InvalidInput(fmt::format("{}: expected 1 to 100 files, got {}", call.request.where("files"), ids.size()));
  std::vector<std::filesystem::path> paths;
  for (const double id : ids) paths.push_back(received(call, "files", id));
  return paths;
}

io::ReadOptions reading(const io::JsonReader& request) {
  io::ReadOptions options;
  if (request.contains("sampling_rate_hz"))
    options.sampling_rate_hz = positive(request.where("sampling_rate_hz"), request.number("sampling_rate_hz"));
  if (request.contains("quantity")) options.quantity = quantity_from(request.text("quantity"));
  return options;
}

std::uint64_t whole_number(const io::JsonReader& request, const std::string& key, std::uint64_t fallback) {
  constexpr double most = 9007199254740992;  // 2^53: whole numbers up to here are exact
  const double value = request.number(key, static_cast<double>(fallback));
  if (!(value >= 0 && value <= most) || value != std::floor(value))
    throw InvalidInput(fmt::format("{} must be a whole number in [0, 2^53], got {}", request.where(key), value));
  return static_cast<std::uint64_t>(value);
}

verbs::Output run_loop(const Call& call) {
  only(call.request, {"model", "parameters", "amplitude", "points", "framework"});
  verbs::LoopOptions options;
  options.model = call.request.text("model");
  options.parameters = parameters(call.request);
  options.amplitude = call.request.number("amplitude");
  if (call.request.contains("points")) options.points = count(call.request, "points", 0);
  if (call.request.contains("framework")) options.framework = framework_from(call.request.text("framework"));
  return verbs::loop(options);
}

verbs::Output run_curves(const Call& call) {
  only(call.request, {"model", "parameters", "amplitude", "from", "to", "points", "measured"});
  verbs::CurvesOptions options{.model = call.request.text("model"),
                               .parameters = parameters(call.request),
                               .amplitude = call.request.number("amplitude"),
                               .from = call.request.number("from"),
                               .to = call.request.number("to"),
                               .points = count(call.request, "points", 60)};
  if (call.request.contains("measured")) {
    const io::JsonReader measured = call.request.object("measured");
    options.measured_force = measured.numbers("force");
    options.measured_dissipation = measured.numbers("dissipation");
    if (options.measured_force.size() > 1000)
      throw InvalidInput(fmt::format("{}: at most 1000 points are compared", measured.where("force")));
  }
  return verbs::curves(options);
}

verbs::Output run_table(const Call& call) {
  only(call.request, {"file"});
  const io::Table table = io::read_csv(received(call, "file", call.request.number("file")));
  if (table.n_rows() * table.columns.size() > 2'000'000)
    throw InvalidInput(fmt::format("{}: too large to be drawn as a table", table.source));
  io::Json json = verbs::begin_result("table");
  json["header"] = table.header;
  json["units"] = table.units;
  json["warnings"] = table.warnings;
  io::set_rows(json, "columns", table.columns);
  verbs::Output output;
  output.json = [json] { return io::to_text(json, 0); };
  return output;
}

verbs::Output run_fit_dissipation(const Call& call) {
  only(call.request, {"files", "slip_force", "stiffness", "method"});
  verbs::FitDissipationOptions options;
  options.files = received_files(call);
  for (const std::filesystem::path& path : options.files) options.sets.push_back(verbs::read_dissipation(path));
  options.fit.slip_force = call.request.number("slip_force");
  if (call.request.contains("stiffness")) options.fit.stiffness = call.request.number("stiffness");
  options.method = verbs::dissipation_method_from(call.request.text("method", "best"));
  return verbs::fit_dissipation(options);
}

verbs::Output run_ringdown(const Call& call) {
  only(call.request, {"files", "mode", "band", "method", "quantity", "sampling_rate_hz", "shapes"});
  verbs::RingdownVerb options;
  if (call.request.contains("shapes")) options.shapes = received(call, "shapes", call.request.number("shapes"));
  options.files = received_files(call);
  options.reading = reading(call.request);
  if (call.request.contains("quantity")) options.measuring.quantity = options.reading.quantity;
  options.measuring.method = verbs::method_from(call.request.text("method", "both"));
  const std::vector<double> band = call.request.contains("band") ? call.request.numbers("band") : std::vector<double>{};
  options.measuring.modes = verbs::mode_requests({call.request.number("mode")}, band);
  options.progress = call.progress;
  return verbs::ringdown(options);
}

/// From results of `ringdown --json`, as the page that measured them sends them back.
verbs::Output run_fit_modal(const Call& call) {
  only(call.request, {"files", "objective", "forms", "viscous", "macro_slip", "use_flagged", "replicas", "seed",
                      "frequency_tolerance", "damping_tolerance"});
  verbs::FitModalOptions options;
  options.fit.objective = verbs::modal_objective_from(call.request.text("objective", "default"));
  options.fit.forms = verbs::modal_forms_from(call.request.text("forms", "exact"));
  options.fit.viscous = call.request.flag("viscous", options.fit.viscous);
  options.fit.macro_slip = call.request.flag("macro_slip", options.fit.macro_slip);
  options.fit.use_flagged = call.request.flag("use_flagged", options.fit.use_flagged);
  if (call.request.number("replicas", options.fit.replicas) == 0)
    options.fit.replicas = 0;
  else
    options.fit.replicas = count(call.request, "replicas", options.fit.replicas, 1000);
  options.fit.seed = whole_number(call.request, "seed", options.fit.seed);
  options.fit.frequency_tolerance = call.request.number("frequency_tolerance", options.fit.frequency_tolerance);
  options.fit.damping_tolerance = call.request.number("damping_tolerance", options.fit.damping_tolerance);
  options.measurements = verbs::read_modal_measurements(received_files(call));
  return verbs::fit_modal(options, call.progress);
}

verbs::Output run_predict(const Call& call) {
  only(call.request, {"model", "record", "shapes", "hit", "quantity", "sampling_rate_hz"});
  verbs::PredictOptions options;
  options.model = received(call, "model", call.request.number("model"));
  options.record = received(call, "record", call.request.number("record"));
  if (call.request.contains("shapes")) options.shapes = received(call, "shapes", call.request.number("shapes"));
  options.reading = reading(call.request);
  options.comparing.hit = call.request.text("hit", "");
  return verbs::predict(options, call.progress);
}

/// Without times: the spectrum of the whole record.
verbs::Output run_zefft(const Call& call) {
  only(call.request, {"file", "times", "quantity", "sampling_rate_hz"});
  verbs::ZefftVerb options;
  options.file = received(call, "file", call.request.number("file"));
  options.reading = reading(call.request);
  if (call.request.contains("times")) options.times = call.request.numbers("times");
  return verbs::zefft(options);
}

}  // namespace

const std::map<std::string, ServedVerb>& served_verbs() {
  static const std::map<std::string, ServedVerb> table = {
      {"beam", {.quick = false, .run = run_beam}},
      {"beam/live", {.quick = true, .run = run_beam_live}},
      {"curves", {.quick = true, .run = run_curves}},
      {"loop", {.quick = true, .run = run_loop}},
      {"fit/dissipation", {.quick = true, .run = run_fit_dissipation}},
      {"fit/modal", {.quick = false, .run = run_fit_modal}},
      {"predict", {.quick = false, .run = run_predict}},
      {"ringdown", {.quick = false, .run = run_ringdown}},
      {"table", {.quick = true, .run = run_table}},
      {"zefft", {.quick = true, .run = run_zefft}},
  };
  return table;
}

}  // namespace microslip::app
