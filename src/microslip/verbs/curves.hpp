#pragma once

#include <optional>
#include <string>

#include <microslip/joints/any_law.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct CurvesOptions {
  std::string model;
  NamedValues parameters;
  std::optional<double> amplitude;  ///< of a loop to go with the curves
  double from = 0, to = 0;          ///< amplitudes, spaced logarithmically
  int points = 60;
  std::vector<double> measured_force = {}, measured_dissipation = {};  ///< zero to peak, per cycle: to compare with
};

/// How a law changes with amplitude: first loading, and force, dissipation, secant stiffness and the slope
/// d ln D / d ln F of its steady loops with its own change, d slope / d ln F: what a manual fit lays over the data.
struct CurvesResult {
  AnyLaw law;
  std::vector<double> amplitude = {};
  std::vector<double> monotonic_force = {};  ///< on first loading to the amplitude
  std::vector<double> force = {};            ///< half the loop's peak-to-peak
  std::vector<double> dissipation = {};
  std::vector<double> secant_stiffness = {};
  std::vector<double> slope = {};  ///< NaN where nothing is lost yet, or where the force has stopped growing
  std::vector<double> curvature = {};
  std::vector<double> dissipation_at_measured = {};  ///< NaN where the joint cannot carry the force
  std::optional<double> residual = {};  ///< RMS of ln D, model to measured; none where a force is not carried
};

CurvesResult run_curves(const CurvesOptions& options);
Output curves(const CurvesOptions& options);

}  // namespace microslip::verbs
