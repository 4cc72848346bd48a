#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/time_plan.hpp>

namespace microslip {

TimePlan plan_time(double end, const StepChoice& choice, double shortest_period, const Load& load) {
  positive("time.end", end);
  double step = 0, accuracy = 0;
  if (choice.accuracy && (choice.step || choice.steps_per_period))
    throw InvalidInput("time: accuracy belongs to the automatic step; leave out step and steps_per_period");
  if (choice.step && choice.steps_per_period)
    throw InvalidInput("time: give either step or steps_per_period, not both");
  if (choice.step) {
    step = positive("time.step", *choice.step);
  } else if (choice.steps_per_period) {
    step = shortest_period / positive("time.steps_per_period", *choice.steps_per_period);
  } else {
    accuracy = within("time.accuracy", choice.accuracy.value_or(1e-4), 1e-9, 0.03);
    const double shortest = std::min(shortest_period, load.shortest_period());
    step = shortest * std::sqrt(12 * accuracy) / (2 * std::numbers::pi);
  }
  if (step > 0.1 * shortest_period * (1 + 1e-9))
    throw InvalidInput(
        fmt::format("time: a step of {:.4g} s is longer than a tenth of the shortest period, {:.4g} s; "
                    "take {} steps per period or more",
                    step, shortest_period, 10));
  if (step > 0.25 * load.shortest_period())
    throw InvalidInput(
        fmt::format("time: a step of {:.4g} s misses the load, whose shortest period is {:.4g} s; take a "
                    "step of at most a quarter of that",
                    step, load.shortest_period()));
  // A hair less than a whole number of steps is that number.
  const double count = std::max(1.0, std::ceil(end / step * (1 - 1e-12)));
  if (!(count <= 1e10)) throw InvalidInput(fmt::format("time: {:.3g} steps are too many, at most 1e10", count));
  return {end, static_cast<std::int64_t>(count), accuracy};
}

OutputPlan checked(const OutputPlan& output) {
  if (output.every < 1) throw InvalidInput(fmt::format("output.every must be at least 1, got {}", output.every));
  return output;
}

std::vector<double> output_times(const TimePlan& plan, const OutputPlan& output) {
  return output_times(plan, output, plan.n_steps);
}

std::vector<double> output_times(const TimePlan& plan, const OutputPlan& output, std::int64_t n_steps) {
  checked(output);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(n_steps / output.every + 1));
  for (std::int64_t i = 0; i <= n_steps; i += output.every) times.push_back(plan.time(i));
  return times;
}

}  // namespace microslip
