#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/identify/dissipation.hpp>
#include <microslip/identify/variability.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

enum class DissipationMethod { best, segalman, manual };

struct FitDissipationOptions {
  std::vector<DissipationData> sets;
  std::vector<std::filesystem::path> files;  ///< that they were read from
  DissipationFitOptions fit;                 ///< of `best`; the others take its slip force, and segalman its stiffness
  std::optional<std::array<double, 2>> chi_bounds, beta_bounds;  ///< of `best`, in place of those in `fit`
  DissipationMethod method = DissipationMethod::best;
  std::optional<double> jointed_stiffness;  ///< with the monolithic one: K_T from Eq. 45
  std::optional<double> monolithic_stiffness;
  double angle_deg = 0;             ///< of the interface to the rig's line of action, Eq. 46
  std::optional<double> chi, beta;  ///< manual method
  int point = 0;                    ///< manual method: which point, from 1; 0 takes the middle one
};

DissipationMethod dissipation_method_from(const std::string& name);

/// CSV with the columns force and dissipation, and weight where there is one. Every complaint names file and line.
DissipationData read_dissipation(const std::filesystem::path& path);

Output fit_dissipation(const FitDissipationOptions& options);

}  // namespace microslip::verbs
