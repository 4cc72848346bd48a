#pragma once

#include <cstddef>
#include <string>

#include <microslip/core/record.hpp>

namespace microslip::signal {

/// Which channel is the hammer: the one of that name or, without a name, the only one that is a force.
std::size_t force_channel(const Record& record, const std::string& name);

}  // namespace microslip::signal
