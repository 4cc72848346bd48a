#pragma once

#include <string_view>

namespace microslip {

/// How an iteration ended. Not converging is an answer, not an error.
enum class Outcome { converged, iteration_limit, step_too_small };

constexpr std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::iteration_limit:
      return "iteration_limit";
    case Outcome::step_too_small:
      return "step_too_small";
  }
  return "unknown";
}

}  // namespace microslip
