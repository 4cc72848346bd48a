#include <algorithm>
#include <array>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/modal/rqnma.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip {

namespace {

const std::array<std::string, 2> dissipation_names{"local", "modal"};

void check(std::span<const double> amplitudes, const RqnmaOptions& options) {
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    positive(fmt::format("amplitude {}", i + 1), amplitudes[i]);
    if (i > 0 && !(amplitudes[i] > amplitudes[i - 1]))
      throw InvalidInput(
          fmt::format("amplitudes must ascend: number {} is {}, after {}", i + 1, amplitudes[i], amplitudes[i - 1]));
  }
  non_negative("damping_ratio", options.damping_ratio);
  if (options.max_loops < 1) throw InvalidInput(fmt::format("max_loops must be >= 1, got {}", options.max_loops));
  if (options.sensitivities && options.dissipation == Dissipation::modal)
    throw InvalidInput("sensitivities need dissipation = local: modal dissipation is not differentiated");
}

}  // namespace

std::string_view to_string(Dissipation dissipation) { return dissipation_names[static_cast<std::size_t>(dissipation)]; }

Dissipation dissipation_from(std::string_view name) {
  const auto found = std::find(dissipation_names.begin(), dissipation_names.end(), name);
  if (found == dissipation_names.end())
    throw InvalidInput(fmt::format("unknown dissipation '{}'{}", name, suggestion(name, dissipation_names)));
  return static_cast<Dissipation>(found - dissipation_names.begin());
}

Rqnma rqnma(const JointedSystem& system, const Joint& joint, int mode, std::span<const double> amplitudes,
            const RqnmaOptions& options, const Progress& progress) {
  check(amplitudes, options);
  detail::RqnmaRun run(system, joint, mode, options);
  for (std::size_t i = 0; i < amplitudes.size() && !progress.stopped(); ++i) {
    progress.at(static_cast<double>(i) / static_cast<double>(amplitudes.size()), "backbone");
    run.add(amplitudes[i]);
  }
  return run.take();
}

}  // namespace microslip
