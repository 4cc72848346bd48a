#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// The known name closest to a misspelt one, if any is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// " (did you mean 'x'?)" or " (known: a, b, c)": the tail of a message about an unknown name.
std::string suggestion(std::string_view word, std::span<const std::string> known);

/// The number that the whole of `text` spells (surrounding blanks aside), or nothing.
/// With `decimal_comma`, "1,5" is 1.5. "nan" and "inf" are numbers here; callers decide whether they want them.
std::optional<double> parse_number(std::string_view text, bool decimal_comma = false);

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> words, std::string_view separator);

}  // namespace microslip
