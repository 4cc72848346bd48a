#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>

namespace microslip::signal {

/// Refuses a record that no analysis can use: no channels, no rate, channels of different lengths, values that are
/// not numbers; the message names the channel and the sample.
void check_record(const Record& record);

/// Time [s] of the last sample that is clipped: a run at the channel's extreme value, longer than a rounded-off
/// oscillation could stay there. Empty where there is none.
std::optional<double> last_clipped(std::span<const double> samples, double sampling_rate_hz);

/// Time [s] of a second pulse of a hammer: the force leaves its noise again, above `share` of its peak.
std::optional<double> second_pulse(std::span<const double> force, double sampling_rate_hz, double share = 0.05);

/// Time [s] of a second sudden rise of a ringing signal: the power of its slope over a few milliseconds jumps to
/// several times that of the blocks before, after the strongest block, or at it where another such jump came well
/// before it.
std::optional<double> sudden_rise(std::span<const double> samples, double sampling_rate_hz);

/// What is wrong with a record as a whole.
struct Faults {
  std::optional<double> clipped;     ///< the last time [s]
  std::optional<double> second_hit;  ///< the first time [s]
  std::vector<std::string> notes;
};

/// Clipping of the responses, and a second hit that they or a force show.
Faults find_faults(const Record& record, std::span<const Channel* const> responses);

}  // namespace microslip::signal
