#pragma once

#include <optional>
#include <string>
#include <vector>

#include <microslip/verbs/fit_dissipation.hpp>

namespace microslip::verbs {

struct FitDissipationResult {
  std::vector<DissipationFit> fits;  ///< one per set
  std::optional<Variability> variability;
  std::vector<std::string> notes;
};

/// The report: dissipation with data, fit and band; slope and curvature; monotonic curve and loops; parameters.
report::Page fit_dissipation_page(const FitDissipationOptions& options, const FitDissipationResult& result);

}  // namespace microslip::verbs
