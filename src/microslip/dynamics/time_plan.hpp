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

  [[nodiscard]] double step() const { return end / static_cast<double>(n_steps); }
  [[nodiscard]] double time(std::int64_t i) const {
    return end * (static_cast<double>(i) / static_cast<double>(n_steps));
  }
};

/// What the user may say about steps. None of it: automatic, 200 per shortest period and 50 per feature of the load.
struct StepChoice {
  std::optional<double> steps_per_period;  ///< counts the shortest retained low-amplitude period
  std::optional<double> step;              ///< [s]
};

/// The plan; the step is shortened a little so that the end is a step. Refused where a step would be longer than a
/// tenth of the shortest period, or of the load's shortest feature half, or where steps would number more than 1e10.
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

/// The times at which results are kept: 0, every, 2 every ... steps.
std::vector<double> output_times(const TimePlan& plan, const OutputPlan& output);

}  // namespace microslip
