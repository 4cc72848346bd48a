#pragma once

#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip::signal {

/// The channels of a record that are analysed together, and what they all measure.
struct Responses {
  std::vector<const Channel*> channels;
  Quantity quantity = Quantity::unknown;
  std::vector<std::string> notes;  ///< what was left out
};

/// The channels that the options name, or every one that is not a force: with a quantity given, those that measure it
/// or do not say what they measure; else those that say. Refused where they do not measure the same motion.
Responses choose_responses(const Record& record, const RingdownOptions& options);

}  // namespace microslip::signal
