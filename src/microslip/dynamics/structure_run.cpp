#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/jointed_structure.hpp>

namespace microslip {

namespace {

/// Rows over the coordinates that are recorded.
struct Rows {
  std::vector<std::string> names;
  Eigen::MatrixXd matrix;
};

Rows rows_of(const System& system) {
  Rows rows;
  const Eigen::Index n = system.size();
  if (system.sensors.empty()) {
    rows.matrix = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      rows.names.push_back(system.coordinates.empty() ? fmt::format("coordinate {}", i + 1)
                                                      : system.coordinates[static_cast<std::size_t>(i)]);
    return rows;
  }
  rows.matrix.resize(static_cast<Eigen::Index>(system.sensors.size()), n);
  for (const Sensor& sensor : system.sensors) {
    rows.matrix.row(static_cast<Eigen::Index>(rows.names.size())) = sensor.row;
    rows.names.push_back(sensor.name);
  }
  return rows;
}

void append(std::vector<std::vector<double>>& series, const Eigen::VectorXd& values) {
  for (std::size_t i = 0; i < series.size(); ++i) series[i].push_back(values(static_cast<Eigen::Index>(i)));
}

}  // namespace

Simulation simulate(const JointedStructure& given, const Excitation& excitation, const StructureStart& start,
                    const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options,
                    const Progress& progress) {
  if (options.method != Method::newmark)
    throw InvalidInput(fmt::format("method {} needs uncoupled modes ([[mode]]); a system of matrices takes newmark",
                                   to_string(options.method)));
  const JointedStructure structure = checked(given, "system");
  NewmarkOptions newmark = checked(options.newmark);
  if (newmark.absolute)
    throw InvalidInput("newmark.absolute: modes stop by newtons; a structure is solved for its joints' displacements");
  const Eigen::Index n = structure.system.size();
  Eigen::VectorXd load_row = structure.load_row;
  if (load_row.size() == 0) {
    if (!excitation.load.none()) throw InvalidInput("load: where it acts (its row over the coordinates) is missing");
    load_row = Eigen::VectorXd::Zero(n);
  }
  if (excitation.base) load_row = -(structure.system.mass * load_row);
  const auto check_start = [&](const Eigen::VectorXd& values, const char* what) {
    if (values.size() != 0 && (values.size() != n || !values.allFinite()))
      throw InvalidInput(fmt::format("initial.{} must have {} finite values, has {}", what, n, values.size()));
  };
  check_start(start.displacement, "displacement");
  check_start(start.velocity, "velocity");

  Simulation result;
  result.plan = plan;
  result.time = output_times(plan, output);
  const Rows rows = rows_of(structure.system);
  result.coordinates = rows.names;
  const auto begin = [&](bool wanted, std::vector<std::vector<double>>& series) {
    if (!wanted) return;
    series.resize(rows.names.size());
    for (auto& row : series) row.reserve(result.time.size());
  };
  begin(output.displacement, result.displacement);
  begin(output.velocity, result.velocity);
  begin(output.acceleration, result.acceleration);

  newmark.accuracy = plan.accuracy;
  StructureStepper stepper(structure, plan.step(), newmark);
  const Eigen::VectorXd steady = structure.static_force.size() != 0 ? structure.static_force : Eigen::VectorXd::Zero(n);
  if (structure.static_force.size() != 0)
    if (const double held = stepper.rest_under(steady); held < 1)
      throw NotConverged(
          fmt::format("found no static balance under more than {:.4g} of the prestress: joints may slip through, or "
                      "nothing hold a motion",
                      held));
  const auto force = [&](double t) -> Eigen::VectorXd { return steady + excitation.load(t) * load_row; };
  stepper.start(start.displacement, start.velocity, force(0));

  std::vector<Extrema> extrema(output.envelope ? rows.names.size() : 0);
  const double load_end = excitation.load.end();
  const std::int64_t stride =
      output.energy_points > 0 ? std::max<std::int64_t>(1, plan.n_steps / output.energy_points) : 0;
  Eigen::VectorXd u = rows.matrix * stepper.displacement(), v = rows.matrix * stepper.velocity(),
                  a = rows.matrix * stepper.acceleration();
  const auto record = [&] {
    append(result.displacement, u);
    append(result.velocity, v);
    append(result.acceleration, a);
  };
  record();
  if (stride > 0) result.energy_history.push_back({0, stepper.energy()});
  Eigen::VectorXd force_1(n);
  std::int64_t reached = 0;
  while (reached < plan.n_steps && !result.stopped) {
    const std::int64_t i = ++reached;
    const double t = plan.time(i);
    force_1 = steady + excitation.load(t) * load_row;
    if (!stepper.advance(force_1))
      throw NotConverged(fmt::format("newmark: step {} at {:.6g} s does not converge", i, t));
    const bool wanted = i % output.every == 0, watch = output.envelope && t >= load_end;
    if (wanted || watch) {
      u.noalias() = rows.matrix * stepper.displacement();
      v.noalias() = rows.matrix * stepper.velocity();
      a.noalias() = rows.matrix * stepper.acceleration();
    }
    if (watch)
      for (std::size_t r = 0; r < extrema.size(); ++r) {
        const auto row = static_cast<Eigen::Index>(r);
        extrema[r].follow(t, u(row), v(row), a(row));
      }
    if (wanted) record();
    if (stride > 0 && i % stride == 0) result.energy_history.push_back({t, stepper.energy()});
    if ((i & 0xFFF) == 0) result.stopped = stop_after(progress, i, plan, Method::newmark);
  }
  if (result.stopped) {
    result.plan.end = plan.time(reached), result.plan.n_steps = reached;
    result.time = output_times(plan, output, reached);
  }
  for (const Extrema& found : extrema) result.envelopes.push_back(at_times(envelope(found.points()), result.time));
  if (output.envelope) result.envelope_names = rows.names;
  result.energy = stepper.energy();
  result.n_iterations = stepper.n_iterations();
  result.n_halved = stepper.n_halved();
  result.n_refined = stepper.n_refined();
  return result;
}

}  // namespace microslip
