#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <microslip/core/record.hpp>

namespace microslip::io {

/// What a declared unit means.
struct Unit {
  Quantity quantity;
  double si_factor;     ///< value in SI = value * si_factor
  std::string_view si;  ///< the SI unit's name
};

/// "m/s2", "m/s²", "mm/s^2", "g", "N", "kip" …; nothing for a unit that is not known.
std::optional<Unit> known_unit(std::string_view unit);
/// Seconds in one "s", "ms", "us", "min", "milliseconds" …; nothing for what is not a time.
std::optional<double> seconds_per(std::string_view unit);

/// The quantity that a word of a channel's name begins with: "acc1", "Impact force", "tipDisp" …; unknown where none
/// does.
Quantity quantity_of_name(std::string_view name);

/// Channels with a known unit in SI, so that formulas apply; the others stay as they are, and say so in the warnings.
void convert_to_si(Record& record);

}  // namespace microslip::io
