#pragma once

#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

/// The table of laws and their parameters.
Output models();

}  // namespace microslip::verbs
