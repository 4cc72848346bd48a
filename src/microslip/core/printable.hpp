#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace microslip {

/// How many bytes the UTF-8 character at the start of `text`, which is not empty, takes; 0 where there is none.
/// Overlong forms, surrogates and what lies past U+10FFFF are none.
std::size_t utf8_length(std::string_view text);

/// The text in one line that any terminal can show: control characters, escapes among them, become blanks, and bytes
/// that are not UTF-8 become '?'. What a file holds may stand in a message about it.
std::string printable(std::string_view text);

}  // namespace microslip
