#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <microslip/dynamics/amplitude_law.hpp>
#include <microslip/dynamics/extrema.hpp>
#include <microslip/dynamics/load.hpp>
#include <microslip/dynamics/newmark.hpp>
#include <microslip/dynamics/time_plan.hpp>

namespace microslip {

///  newmark    the equations of motion, step by step, with the joint's exact force
///  averaging  amplitude and phase only [Shetty2019]
///  hybrid     newmark while the load acts and until three extrema after it, averaging from there
enum class Method { newmark, averaging, hybrid };

std::string_view to_string(Method method);
std::string_view to_string(Properties properties);

struct SimulationOptions {
  Method method = Method::newmark;
  Properties properties = Properties::exact;
  NewmarkOptions newmark = {};
};

/// Where a mode begins: at rest under the static force, moved by u and pushed with v. The static force goes on acting.
struct ModeStart {
  double displacement = 0;
  double velocity = 0;
  double static_force = 0;
};

/// The ledger at one time.
struct EnergyPoint {
  double time;
  Energy energy;
};

/// The switch from stepping to averaging: at an extremum, about the mean there.
struct HandOver {
  double time, amplitude, offset;
};

/// One mode's response. Series are empty where they were not asked for.
struct ModeRun {
  std::vector<double> displacement, velocity, acceleration;
  EnvelopeSeries series;  ///< at output times; NaN where not known
  Envelope extrema;       ///< newmark: at the extrema themselves
  Energy energy;
  std::vector<EnergyPoint> energy_history;
  std::optional<HandOver> hand_over;
  double averaged_up_to = 0;   ///< largest amplitude at which averaging took frequency and damping; 0: at none
  long long n_steps = 0;       ///< of Newmark's method and of Runge and Kutta's
  long long n_iterations = 0;  ///< of Newton's method
  long long n_halved = 0;      ///< steps halved because it did not converge
  long long n_refined = 0;     ///< steps halved because they were rough, in an automatic plan
};

/// A mode on its way, so that modes can go side by side and be stopped together. The plan, the load and the choices
/// must outlive it. Throws NotConverged, saying when, where a step cannot be solved or the motion leaves the numbers.
class ModeInTime {
 public:
  ModeInTime() = default;
  ModeInTime(const ModeInTime&) = delete;
  ModeInTime& operator=(const ModeInTime&) = delete;
  virtual ~ModeInTime() = default;
  /// Steps as far as `step`; what needs no stepping waits for `finish`.
  virtual void advance(std::int64_t step) = 0;
  /// The response up to `step`, to which it must have been advanced.
  virtual ModeRun finish(std::int64_t step) = 0;
};

std::unique_ptr<ModeInTime> start_mode(const JointedMode& mode, const Load& load, double load_factor,
                                       const ModeStart& start, const TimePlan& plan, const OutputPlan& output,
                                       const SimulationOptions& options);

/// All of it.
ModeRun run_mode(const JointedMode& mode, const Load& load, double load_factor, const ModeStart& start,
                 const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options);

}  // namespace microslip
