#include <algorithm>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/simulation.hpp>

namespace microslip {

namespace {

constexpr std::int64_t steps_between_reports = 1 << 15;  // some milliseconds

/// What each row of the response takes of each mode.
struct Rows {
  std::vector<std::string> names;
  std::vector<std::vector<double>> weights;  ///< [row][mode]
};

Rows rows_of(const ModalModel& model) {
  Rows rows;
  const std::size_t n_modes = model.size();
  const auto add = [&](std::string name, const auto& weight) {
    rows.names.push_back(std::move(name));
    auto& row = rows.weights.emplace_back(n_modes);
    for (std::size_t k = 0; k < n_modes; ++k) row[k] = weight(k);
  };
  if (!model.sensors.empty()) {
    for (const Sensor& sensor : model.sensors)
      add(sensor.name, [&](std::size_t k) { return sensor.row.dot(model.modes[k].shape); });
  } else if (model.modes.front().shape.size() > 0) {
    for (Eigen::Index i = 0; i < model.modes.front().shape.size(); ++i)
      add(fmt::format("coordinate {}", i + 1), [&](std::size_t k) { return model.modes[k].shape(i); });
  } else {
    for (std::size_t j = 0; j < n_modes; ++j)
      add(fmt::format("mode {}", j + 1), [&](std::size_t k) { return k == j ? 1.0 : 0.0; });
  }
  return rows;
}

/// rows = weights . modal series; the modal series is given up.
std::vector<std::vector<double>> superpose(const Rows& rows, std::vector<ModeRun>& modes,
                                           std::vector<double> ModeRun::*series) {
  const std::size_t n = (modes.front().*series).size();
  std::vector<std::vector<double>> result(rows.names.size());
  constexpr std::size_t block = 2048;  // the modal series of a block stay in the cache while the rows are written
  for (auto& row : result) row.reserve(n);
  std::vector<double> sum(std::min(block, n));
  for (std::size_t from = 0; from < n; from += block) {
    const std::size_t count = std::min(block, n - from);
    for (std::size_t r = 0; r < result.size(); ++r) {
      for (std::size_t k = 0; k < modes.size(); ++k) {
        const double weight = rows.weights[r][k];
        const double* q = (modes[k].*series).data() + from;
        if (k == 0)
          for (std::size_t j = 0; j < count; ++j) sum[j] = weight * q[j];
        else
          for (std::size_t j = 0; j < count; ++j) sum[j] += weight * q[j];
      }
      result[r].insert(result[r].end(), sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
  for (ModeRun& mode : modes) std::vector<double>().swap(mode.*series);
  return result;
}

}  // namespace

bool stop_after(const Progress& progress, std::int64_t step, const TimePlan& plan, Method method) {
  progress.at(static_cast<double>(step) / static_cast<double>(plan.n_steps), to_string(method));
  return step < plan.n_steps && progress.stopped();
}

JointedMode jointed_mode(const Mode& mode, const std::string& what) {
  JointedMode jointed{mode.mass, mode.damping, mode.linear_stiffness, std::nullopt};
  if (mode.joint) {
    if (mode.joint->per_area)
      throw InvalidInput(what + ": per_area needs an interface with areas; a mode's joint has a force");
    const NamedValues values(mode.joint->parameters.begin(), mode.joint->parameters.end());
    jointed.joint = make_law(mode.joint->model, values);
  }
  return checked(jointed, what);
}

double shortest_period(const ModalModel& model) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < model.size(); ++k) {
    const JointedMode mode = jointed_mode(model.modes[k], fmt::format("mode {}", k + 1));
    shortest = std::min(shortest, 2 * std::numbers::pi / mode.low_amplitude_omega());
  }
  return shortest;
}

Simulation simulate(const ModalModel& model, const Excitation& excitation, const std::vector<ModeStart>& starts,
                    const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options,
                    const Progress& progress) {
  checked(model, "model");
  checked(output);
  if (!starts.empty() && starts.size() != model.size())
    throw InvalidInput(fmt::format("initial: {} values for {} modes", starts.size(), model.size()));
  std::vector<std::unique_ptr<ModeInTime>> runs;
  const auto each = [&](const auto& act) {
    for (std::size_t k = 0; k < model.size(); ++k) {
      try {
        act(k);
      } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("mode {}: {}", k + 1, error.what()));
      } catch (const NotConverged& error) {
        throw NotConverged(fmt::format("mode {}: {}", k + 1, error.what()));
      }
    }
  };
  std::vector<JointedMode> modes;
  for (const Mode& mode : model.modes) modes.push_back(jointed_mode(mode, fmt::format("mode {}", modes.size() + 1)));
  each([&](std::size_t k) {
    const Mode& mode = model.modes[k];
    const double factor = excitation.base ? -mode.mass * mode.load_shape : mode.load_shape;
    const ModeStart start = starts.empty() ? ModeStart{} : starts[k];
    runs.push_back(start_mode(modes[k], excitation.load, factor, start, plan, output, options));
  });
  Simulation result;
  std::int64_t reached = 0;
  while (reached < plan.n_steps && !result.stopped) {
    reached = std::min(reached + steps_between_reports, plan.n_steps);
    each([&](std::size_t k) { runs[k]->advance(reached); });
    result.stopped = stop_after(progress, reached, plan, options.method);
  }
  result.plan = plan;
  if (result.stopped) result.plan.end = plan.time(reached), result.plan.n_steps = reached;
  result.time = output_times(plan, output, reached);
  each([&](std::size_t k) { result.modes.push_back(runs[k]->finish(reached)); });
  for (std::size_t k = 0; k < model.size(); ++k) {
    ModeRun& run = result.modes[k];
    result.energy += run.energy;
    result.n_iterations += run.n_iterations;
    result.n_halved += run.n_halved;
    result.n_refined += run.n_refined;
    for (std::size_t i = 0; i < run.energy_history.size(); ++i) {
      if (k == 0)
        result.energy_history.push_back(run.energy_history[i]);
      else
        result.energy_history[i].energy += run.energy_history[i].energy;
    }
    if (output.envelope) {
      result.envelope_names.push_back(fmt::format("mode {}", k + 1));
      result.envelopes.push_back(std::move(run.series));
    }
  }
  const Rows rows = rows_of(model);
  result.coordinates = rows.names;
  if (output.displacement) result.displacement = superpose(rows, result.modes, &ModeRun::displacement);
  if (output.velocity) result.velocity = superpose(rows, result.modes, &ModeRun::velocity);
  if (output.acceleration) result.acceleration = superpose(rows, result.modes, &ModeRun::acceleration);
  return result;
}

}  // namespace microslip
