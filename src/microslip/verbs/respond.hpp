#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/dynamics/steady_response.hpp>
#include <microslip/structure/modal_model.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct RespondOptions {
  std::filesystem::path file;        ///< of the model
  std::optional<double> force;       ///< modal, peak
  std::optional<double> amplitude;   ///< to be held, in place of a force
  std::vector<double> frequency_hz;  ///< growing; empty: about the resonance
  int mode = 1;                      ///< counted from 1
};

struct RespondResult {
  RespondOptions options;
  std::size_t n_modes = 0;
  JointedMode mode;
  CoordinateUnits units;
  std::optional<SteadyCurve> curve;     ///< where a force was given
  std::optional<HeldCurve> held;        ///< where an amplitude was given
  std::optional<RidgePoint> resonance;  ///< of the force, or at the amplitude
  bool bounded = true;                  ///< of the motion at the force, where there is no resonance
  double third_harmonic = 0;            ///< largest over the frequencies
  std::vector<RidgePoint> ridge;        ///< growing in amplitude
  std::vector<std::string> notes;
};

/// LO:HI:COUNT -> equally spaced numbers.
std::vector<double> parse_frequencies(const std::string& text);

RespondResult run_respond(const RespondOptions& options);
Output respond(const RespondOptions& options);

/// The report of a steady response.
report::Page respond_page(const RespondResult& result);

}  // namespace microslip::verbs
