#pragma once

#include <string_view>

namespace microslip::signal::flag {

// Why a point of a measured backbone is not to be trusted; several are joined by the separator.
inline constexpr std::string_view separator = "; ";
inline constexpr std::string_view negative_damping = "negative damping";
inline constexpr std::string_view changes_fast = "changes fast within a cycle";
inline constexpr std::string_view other_modes = "onset of other modes";
inline constexpr std::string_view clipped = "clipped";
inline constexpr std::string_view second_hit = "second hit";
inline constexpr std::string_view noise = "noise";
inline constexpr std::string_view one_estimator = "one estimator only";
inline constexpr std::string_view no_second_estimate = "no second estimate";
inline constexpr std::string_view estimators_disagree = "estimators disagree";

}  // namespace microslip::signal::flag
