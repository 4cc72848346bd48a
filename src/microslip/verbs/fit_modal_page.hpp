#pragma once

#include <vector>

#include <microslip/verbs/fit_modal.hpp>

namespace microslip::verbs {

struct FitModalResult {
  std::vector<ModalFit> fits;  ///< one per mode
  std::vector<std::string> notes;
};

/// The report: frequency and damping against amplitude, dissipation against force with its slope, parameters.
report::Page fit_modal_page(const FitModalOptions& options, const FitModalResult& result);

}  // namespace microslip::verbs
