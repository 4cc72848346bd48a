#pragma once

#include <microslip/verbs/ringdown.hpp>

namespace microslip::verbs {

/// Record, spectrum, frequency and damping by both estimators, dissipation with its slope, zeroed early-time spectra.
report::Page ringdown_page(const RingdownVerb& options, const RingdownAll& all);

}  // namespace microslip::verbs
