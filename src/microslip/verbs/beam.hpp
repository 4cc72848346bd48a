#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/beam/harmonic_balance.hpp>
#include <microslip/beam/partial_slip.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/identify/support_stiffness.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

/// What was measured on a rig, for the identification of its support.
struct MeasuredSupport {
  std::vector<double> frequencies_hz;   ///< the lowest, in order
  double frequency_uncertainty = 1e-3;  ///< one standard deviation, relative; 0: from their own disagreement
  std::optional<double> elastic_slope;  ///< of the loop at load.frequency_hz [N/m]
  double slope_uncertainty = 0.01;
  std::filesystem::path record;  ///< signals named force and acceleration at load.frequency_hz; empty: none
  int harmonics = 7;             ///< kept of the record [Asadi2012, Eq. 23]
};

/// What a beam file asks for.
struct BeamCase {
  beam::Model model;
  std::vector<double> forces;               ///< amplitudes, growing
  std::vector<double> loop_frequencies_hz;  ///< empty: four about the first natural frequency, placed as in Fig. 7
  beam::MeshOptions mesh;                   ///< of the marching check
  std::optional<MeasuredSupport> measured;
  std::vector<std::filesystem::path> files;  ///< that it was read from
};

/// Reads BEAM.toml (docs/beam.md). Messages name file, line and key.
BeamCase read_beam(const std::filesystem::path& path);

/// Refuses what the verb cannot work with; the message names section and key.
void check_beam(const beam::Model& model);

/// The steady loop at one frequency.
struct BeamLoop {
  double frequency_hz = 0;
  beam::LoopCurve curve;        ///< by Masing's rule on the exact solution
  double stuck_compliance = 0;  ///< displacement per force before anything slips
};

/// A loop from a measured force and acceleration [Asadi2012, Eqs. 23-24].
struct MeasuredLoop {
  beam::LoopCurve curve;
  double elastic_slope = 0;          ///< just after the reversals [N/m]
  double force_residual = 0;         ///< root mean square of what the series leaves of the force [N]
  double acceleration_residual = 0;  ///< [m/s^2]
};

struct BeamResult {
  BeamCase input;
  beam::Pressure pressure;
  std::vector<beam::Mode> modes;                  ///< stuck over the whole support [Asadi2012, Eqs. 14-15]
  std::vector<double> frequencies_in_contact_hz;  ///< stuck where the preload presses
  beam::Onset onset{};
  beam::Onset onset_dynamic{};
  beam::SlipBackbone backbone;
  std::vector<double> slope;                         ///< d ln(dissipation) / d ln(force); NaN below onset
  BeamLoop loop;                                     ///< at load.frequency_hz and the largest force
  std::vector<BeamLoop> loops;                       ///< at the loop frequencies
  beam::CycleResult marched;                         ///< the same loop, marched by finite elements
  std::optional<beam::CycleResult> marched_dynamic;  ///< with the pressure following the deflection, where it is found
  std::optional<beam::SuperHarmonics> harmonics;     ///< not for a static load
  std::optional<beam::SuperHarmonics> harmonics_dynamic;
  std::optional<identify::StiffnessEstimate> normal_stiffness;
  std::optional<identify::StiffnessEstimate> tangential_stiffness;
  std::optional<MeasuredLoop> measured_loop;
  std::vector<std::string> notes;
};

BeamResult run_beam(const BeamCase& input);
report::Page beam_page(const BeamResult& result);
Output beam(const BeamCase& input);

}  // namespace microslip::verbs
