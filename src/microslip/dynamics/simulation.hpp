#pragma once

#include <string>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/structure/modal_model.hpp>

namespace microslip {

/// A response in time. Rows are coordinates (sensors, where there are any), each as long as `time`.
struct Simulation {
  TimePlan plan;
  std::vector<double> time;
  std::vector<std::string> coordinates;
  std::vector<std::vector<double>> displacement, velocity, acceleration;
  std::vector<std::string> envelope_names;  ///< what amplitude, frequency and damping belong to: modes or sensors
  std::vector<EnvelopeSeries> envelopes;
  Energy energy;
  std::vector<EnergyPoint> energy_history;
  std::vector<ModeRun> modes;  ///< without the series that went into the rows
  long long n_iterations = 0, n_halved = 0, n_refined = 0;
  bool stopped = false;  ///< before its time, by the user: everything ends where `plan` now does
};

/// Tells how far a run is; whether it is to be stopped short of its end.
bool stop_after(const Progress& progress, std::int64_t step, const TimePlan& plan, Method method);

/// How a load reaches a structure: as a force, or as an acceleration of its base, the response then being relative to
/// the base.
struct Excitation {
  Load load;
  bool base = false;
};

/// The mode with its law made from the specification.
JointedMode jointed_mode(const Mode& mode, const std::string& what);
/// 2 pi / omega at vanishing amplitude of the fastest mode.
double shortest_period(const ModalModel& model);

/// Uncoupled modes, superposed at the sensors. A force acts on each mode through its load_shape; a base acceleration
/// pushes it by -mass load_shape. `starts` is empty or one per mode.
Simulation simulate(const ModalModel& model, const Excitation& excitation, const std::vector<ModeStart>& starts,
                    const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options,
                    const Progress& progress = {});

}  // namespace microslip
