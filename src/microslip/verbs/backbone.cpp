#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/modal/small_motion.hpp>
#include <microslip/verbs/backbone.hpp>

namespace microslip::verbs {

namespace {

std::vector<double> values_of(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

template <class Member>
std::vector<double> column(const Rqnma& run, Member member) {
  std::vector<double> values;
  for (const BackbonePoint& point : run.points) values.push_back(static_cast<double>(point.*member));
  return values;
}

std::vector<std::vector<double>> rows(const Rqnma& run, Eigen::VectorXd BackbonePoint::*member) {
  std::vector<std::vector<double>> all;
  for (const BackbonePoint& point : run.points) all.push_back(values_of(point.*member));
  return all;
}

io::Json interface_json(const BackboneResult& result) {
  const Interface& interface = *result.file.structure.interface;
  io::Json json = io::Json::object();
  json["contact"] = std::string(to_string(interface.contact));
  io::set_numbers(json, "areas", values_of(interface.areas));
  if (interface.picture.points.rows() == interface.n_points()) {
    std::vector<std::vector<double>> positions;
    for (Eigen::Index i = 0; i < interface.n_points(); ++i)
      positions.push_back({interface.picture.points(i, 0), interface.picture.points(i, 1)});
    io::set_rows(json, "positions", positions);
  }
  if (result.result.prestress) {
    const Prestress& rest = *result.result.prestress;
    io::set_numbers(json, "prestress_displacement", rest.relative);
    io::set_numbers(json, "prestress_force", rest.force);
    json["open_points"] = rest.n_open;
  }
  io::set_rows(json, "dissipation", rows(result.result, &BackbonePoint::local_loss));
  io::set_rows(json, "displacement", rows(result.result, &BackbonePoint::relative));
  io::set_rows(json, "force", rows(result.result, &BackbonePoint::force));
  return json;
}

io::Json joint_json(const BackboneFile& file) {
  io::Json json = io::Json::object();
  json["model"] = law_name(file.joint.law);
  json["per_area"] = file.joint.per_area;
  json["tangential"] = std::string(to_string(file.joint.tangential));
  json["parameters"] = io::Json::object();
  for (const auto& [name, value] : joint_parameters(file.joint)) json["parameters"][name] = value;
  return json;
}

/// Derivatives by each parameter of the joint: arrays over amplitudes; NaN where a point failed.
io::Json sensitivities_json(const BackboneResult& result) {
  io::Json json = io::Json::object();
  const NamedValues parameters = joint_parameters(result.file.joint);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    io::Json entry = io::Json::object();
    for (const auto& [name, member] : {std::pair{"frequency_hz", &BackbonePoint::d_frequency_hz},
                                       {"damping_ratio", &BackbonePoint::d_damping_ratio},
                                       {"dissipation", &BackbonePoint::d_dissipation}}) {
      std::vector<double> values;
      for (const BackbonePoint& point : result.result.points)
        values.push_back(static_cast<std::size_t>((point.*member).size()) > k
                             ? (point.*member)(static_cast<Eigen::Index>(k))
                             : std::nan(""));
      io::set_numbers(entry, name, values);
    }
    json[parameters[k].first] = std::move(entry);
  }
  return json;
}

std::string backbone_json(const BackboneResult& result) {
  const Rqnma& run = result.result;
  io::Json json = begin_result("backbone");
  json["file"] = result.file.inputs.front().string();
  if (result.file.combination != nullptr) json["combination"] = result.file.combination->name;
  json["mode"] = run.mode;
  json["framework"] = std::string(to_string(run.framework));
  json["dissipation_method"] = std::string(to_string(result.file.options.dissipation));
  if (result.file.options.dissipation == Dissipation::modal)
    json["quadrature_points"] = result.file.options.quadrature_points;
  json["coordinate"] = "modal";
  json["linear_frequency_hz"] = run.linear_frequency_hz;
  json["damping"] = {{"ratio", result.file.options.damping_ratio}};
  json["joint"] = joint_json(result.file);
  io::set_numbers(json, "amplitude", column(run, &BackbonePoint::amplitude));
  io::set_numbers(json, "frequency_hz", column(run, &BackbonePoint::frequency_hz));
  io::set_numbers(json, "damping_ratio", column(run, &BackbonePoint::damping_ratio));
  io::set_numbers(json, "dissipation", column(run, &BackbonePoint::dissipation));
  io::set_numbers(json, "residual", column(run, &BackbonePoint::residual));
  io::set_numbers(json, "assurance", column(run, &BackbonePoint::linear_assurance));
  io::Json converged = io::Json::array(), flags = io::Json::array(), loops = io::Json::array();
  for (const BackbonePoint& point : run.points) {
    converged.push_back(point.converged);
    flags.push_back(point.flag);
    loops.push_back(point.loops);
  }
  json["converged"] = std::move(converged);
  json["flag"] = std::move(flags);
  json["loops"] = std::move(loops);
  json["coordinates"] = result.file.structure.system.coordinates;
  io::set_rows(json, "shape", rows(run, &BackbonePoint::shape));
  json["sensors"] = io::Json::object();
  for (const Sensor& sensor : result.file.structure.system.sensors)
    io::set_numbers(json["sensors"], sensor.name, sensor_amplitude(sensor, run));
  json["interface"] = interface_json(result);
  if (result.file.options.sensitivities) json["sensitivities"] = sensitivities_json(result);
  json["notes"] = run.notes;
  return io::to_text(json);
}

std::string backbone_csv(const BackboneResult& result) {
  const Rqnma& run = result.result;
  io::Table table;
  table.header = {"amplitude", "frequency_hz", "damping_ratio", "dissipation", "residual", "converged"};
  table.columns = {column(run, &BackbonePoint::amplitude),     column(run, &BackbonePoint::frequency_hz),
                   column(run, &BackbonePoint::damping_ratio), column(run, &BackbonePoint::dissipation),
                   column(run, &BackbonePoint::residual),      column(run, &BackbonePoint::converged)};
  for (const Sensor& sensor : result.file.structure.system.sensors) {
    table.header.push_back(sensor.name);
    table.columns.push_back(sensor_amplitude(sensor, run));
  }
  table.line_numbers.resize(run.points.size());
  return io::to_csv(table);
}

std::string backbone_text(const BackboneResult& result) {
  const Rqnma& run = result.result;
  std::string text = fmt::format("mode {}: {:.4f} Hz at vanishing amplitude; {}, {} framework\n", run.mode,
                                 run.linear_frequency_hz, law_name(result.file.joint.law), to_string(run.framework));
  if (run.prestress)
    text += fmt::format("preload: residual {:.1e}, {} of {} points open\n", run.prestress->residual,
                        run.prestress->n_open, result.file.structure.interface->n_points());
  text += "    amplitude    frequency  damping ratio  dissipation  residual\n";
  text += "[sqrt(kg) m]         [Hz]            [1]          [J]       [1]\n";
  for (const BackbonePoint& p : run.points)
    text += fmt::format("{:12.4e} {:12.4f} {:14.4e} {:12.4e} {:9.1e}{}{}\n", p.amplitude, p.frequency_hz,
                        p.damping_ratio, p.dissipation, p.residual, p.flag.empty() ? "" : "  ", p.flag);
  return text;
}

/// The first amplitude at which the structure moves further than a model of small displacement holds.
std::optional<std::string> first_out_of_range(const System& system, const Interface& interface, const Rqnma& run) {
  for (const BackbonePoint& point : run.points) {
    if (point.shape.size() == 0) continue;
    const double moves = largest_motion(system, interface, point.shape) * point.amplitude;
    if (!(moves <= motion_limit(interface)))
      return fmt::format(
          "from amplitude {:.3g} on the model's range is left: the structure moves by {:.3g} m, more "
          "than a tenth of the interface's size ({:.3g} m)",
          point.amplitude, moves, interface_size(interface));
  }
  return std::nullopt;
}

/// Refuses what the method at hand has no use for: nobody should think that it had an effect.
void check_taken(const BackboneOptions& options, const BackboneFile& file) {
  const bool obeys = obeys_masing(file.joint, file.structure.interface->contact);
  if (options.max_loops &&
      file.options.framework.value_or(obeys ? Framework::masing : Framework::reversal) == Framework::masing)
    throw InvalidInput("backbone: loops (--loops) go with framework reversal, not with masing");
  if (options.quadrature_points && file.options.dissipation != Dissipation::modal)
    throw InvalidInput("backbone: quadrature points (--quadrature-points) go with modal dissipation, not with local");
}

}  // namespace

std::vector<double> sensor_amplitude(const Sensor& sensor, const Rqnma& run) {
  std::vector<double> values;
  for (const BackbonePoint& point : run.points)
    values.push_back(point.shape.size() == 0 ? std::nan("") : std::abs(sensor.row.dot(point.shape)) * point.amplitude);
  return values;
}

BackboneResult run_backbone(const BackboneOptions& options, const Progress& progress) {
  if (options.amplitudes.empty()) throw InvalidInput("amplitudes: at least one is expected");
  BackboneResult run{.file = read_backbone_file(options.file, options.combination), .result = {}};
  if (options.framework) run.file.options.framework = options.framework;
  RqnmaOptions& method = run.file.options;
  if (options.max_loops) method.max_loops = static_cast<int>(within("loops", *options.max_loops, 1, 1e6));
  if (options.dissipation) method.dissipation = *options.dissipation;
  if (options.quadrature_points)
    method.quadrature_points = static_cast<int>(within("quadrature points", *options.quadrature_points, 2, 1000));
  method.sensitivities = options.sensitivities;
  check_taken(options, run.file);
  const JointedSystem system(run.file.structure.system, *run.file.structure.interface, options.file.string());
  run.result = rqnma(system, run.file.joint, options.mode, options.amplitudes, run.file.options, progress);
  run.result.notes.insert(run.result.notes.begin(), run.file.notes.begin(), run.file.notes.end());
  if (run.result.points.empty())
    throw NotConverged(fmt::format("{}: stopped before the first amplitude was done", options.file.string()));
  if (run.result.points.size() < options.amplitudes.size())
    run.result.notes.push_back(
        fmt::format("stopped: {} of {} amplitudes are done", run.result.points.size(), options.amplitudes.size()));
  if (const auto far = first_out_of_range(run.file.structure.system, *run.file.structure.interface, run.result))
    run.result.notes.push_back(*far);
  std::size_t failed = 0;
  for (const BackbonePoint& point : run.result.points) failed += point.converged ? 0U : 1U;
  if (failed == run.result.points.size())
    throw NotConverged(fmt::format("{}: none of {} amplitudes converged; the first, {:.3g}: {} (residual {:.1e})",
                                   options.file.string(), failed, run.result.points.front().amplitude,
                                   run.result.points.front().flag, run.result.points.front().residual));
  if (failed > 0)
    run.result.notes.push_back(
        fmt::format("{} of {} amplitudes did not converge: see their flags", failed, run.result.points.size()));
  return run;
}

Output backbone(const BackboneOptions& options, const Progress& progress) {
  BackboneResult made = run_backbone(options, progress);
  const auto inputs = made.file.inputs;
  Output output = output_of(std::move(made), backbone_text, backbone_json, backbone_csv, backbone_page,
                            [](const BackboneResult& done) { return done.result.notes; });
  output.inputs = inputs;
  return output;
}

}  // namespace microslip::verbs
