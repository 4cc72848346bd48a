#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <microslip/dynamics/load.hpp>

namespace microslip {

/// Equal steps from 0 to `end`.
struct TimePlan {
  double end = 0;
  std::int64_t n_steps = 0;
  double accuracy = 0;  ///< of an automatic plan, whose steps are halved where they err twice as much; 0: fixed steps

  [[nodiscard]] double step() const { return end / static_cast<double>(n_steps); }
  [[nodiscard]] double time(std::int64_t i) const {
    return end * (static_cast<double>(i) / static_cast<double>(n_steps));
  }
};

/// What the user may say about steps. Neither of the first two: automatic. Newmark's method lengthens a period T by
/// (2 pi step/T)^2/12 of itself; the automatic step makes that `accuracy` for the shortest period of structure and
/// load, and is halved wherever the error of a step exceeds twice that (newmark.hpp).
struct StepChoice {
  std::optional<double> steps_per_period;  ///< counts the shortest retained low-amplitude period
  std::optional<double> step;              ///< [s]
  std::optional<double> accuracy = {};     ///< of the automatic step; 1e-4 where absent
};

/// The plan; the step is shortened a little so that the end is a step. Refused where a step would be longer than a
/// tenth of the shortest period, or a quarter of the load's, or where steps would number more than 1e10.
TimePlan plan_time(double end, const StepChoice& choice, double shortest_period, const Load& load);

/// Which results are kept, at every how many steps: a long run needs memory for these alone.
struct OutputPlan {
  bool displacement = true;
  bool velocity = true;
  bool acceleration = false;
  bool envelope = true;  ///< amplitude, frequency and damping
  std::int64_t every = 1;
  int energy_points = 0;  ///< of the ledger in time; 0: at the end only
};

/// The plan, if `every` is 1 or more.
OutputPlan checked(const OutputPlan& output);

/// The times at which results are kept: 0, every, 2 every ... steps, of all or of the first n_steps.
std::vector<double> output_times(const TimePlan& plan, const OutputPlan& output);
std::vector<double> output_times(const TimePlan& plan, const OutputPlan& output, std::int64_t n_steps);

}  // namespace microslip
