#pragma once

#include <optional>
#include <span>
#include <vector>

#include <microslip/joints/any_law.hpp>
#include <microslip/joints/loop.hpp>

namespace microslip {

/// Masing's rules for a law that obeys them, reversals for the others.
Framework natural_framework(const AnyLaw& law);

/// The steady loop of amplitude a in the law's natural framework, `points` points on each branch.
LoopPath natural_loop(const AnyLaw& law, double a, int points);

/// How a law changes with amplitude: first loading, and force, dissipation, secant stiffness and the slope
/// d ln D / d ln F of its steady loops with its own change, d slope / d ln F: what a manual fit lays over the data.
struct AmplitudeCurves {
  std::vector<double> amplitude = {};
  std::vector<double> monotonic_force = {};  ///< on first loading to the amplitude
  std::vector<double> force = {};            ///< at the upper end of the loop
  std::vector<double> dissipation = {};
  std::vector<double> secant_stiffness = {};
  std::vector<double> slope = {};  ///< NaN where nothing is lost yet, or where the force has stopped growing
  std::vector<double> curvature = {};
};

/// At amplitudes spaced logarithmically, 0 < from < to, at least two points.
AmplitudeCurves amplitude_curves(const AnyLaw& law, double from, double to, int points);

/// A law beside measured energies per cycle.
struct DissipationComparison {
  std::vector<double> dissipation = {};  ///< of the law at each force; NaN where the joint cannot carry it
  std::optional<double> residual = {};   ///< RMS of ln D, model to measured; none where a force is not carried
};

/// Forces zero to peak; the search for their amplitudes starts at `guess` > 0.
DissipationComparison compare_dissipation(const AnyLaw& law, std::span<const double> force,
                                          std::span<const double> dissipation, double guess);

}  // namespace microslip
