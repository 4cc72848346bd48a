#pragma once

#include <optional>
#include <string>

#include <microslip/joints/amplitude_curves.hpp>
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

struct CurvesResult {
  AnyLaw law;
  AmplitudeCurves curves = {};
  std::optional<DissipationComparison> comparison = {};  ///< where something was measured
};

CurvesResult run_curves(const CurvesOptions& options);
Output curves(const CurvesOptions& options);

}  // namespace microslip::verbs
