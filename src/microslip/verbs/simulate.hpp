#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/verbs/output.hpp>
#include <microslip/verbs/simulate_file.hpp>

namespace microslip::verbs {

struct SimulateOptions {
  std::filesystem::path file;
  Method method = Method::newmark;
  std::optional<Properties> properties;    ///< in place of what the file says
  std::optional<double> steps_per_period;  ///< likewise
  std::optional<double> accuracy;          ///< of the automatic step, in place of the file's choice of steps
  std::optional<double> end;
  std::optional<std::int64_t> every;
};

struct SimulateResult {
  SimulateFile file;  ///< as run
  Method method = Method::newmark;
  Simulation simulation;
  std::vector<std::string> notes;
};

SimulateResult run_simulate(const SimulateOptions& options, const Progress& progress = {});
Output simulate(const SimulateOptions& options, const Progress& progress = {});

/// The report of a simulation.
report::Page simulate_page(const SimulateResult& result);

}  // namespace microslip::verbs
