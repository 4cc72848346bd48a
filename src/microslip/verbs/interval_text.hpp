#pragma once

#include <optional>
#include <string>

#include <microslip/io/json.hpp>

namespace microslip::verbs {

/// Significant digits that show the width of an interval to two figures: at least `least`, which is what an interval
/// open at an end gets.
int interval_digits(const std::optional<double>& lower, const std::optional<double>& upper, int least);

/// "[121.0012, 121.0034]": the ends so that they can be told apart; "open" for one that the data do not set.
std::string interval_text(const std::optional<double>& lower, const std::optional<double>& upper, int least = 4);

/// [lower, upper]; null is an open end.
io::Json interval_json(const std::optional<double>& lower, const std::optional<double>& upper);

}  // namespace microslip::verbs
