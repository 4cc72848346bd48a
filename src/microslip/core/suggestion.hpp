#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace microslip {

/// The known name closest to a misspelt one, if any is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// " (did you mean 'x'?)" or " (known: a, b, c)": the tail of a message about an unknown name.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace microslip
