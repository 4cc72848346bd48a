#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// The number that the whole of `text` spells (surrounding blanks aside), or nothing.
/// With `decimal_comma`, "1,5" is 1.5. "nan" and "inf" are numbers here; callers decide whether they want them.
std::optional<double> parse_number(std::string_view text, bool decimal_comma = false);

/// A time on a record's clock: six digits, and 10 us however late it is.
std::string time_text(double seconds);

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> words, std::string_view separator);

}  // namespace microslip
