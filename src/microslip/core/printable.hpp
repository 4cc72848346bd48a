#pragma once

#include <string>
#include <string_view>

namespace microslip {

/// The text in one line that any terminal can show: control characters, escapes among them, become blanks, and bytes
/// that are not UTF-8 become '?'. What a file holds may stand in a message about it.
std::string printable(std::string_view text);

}  // namespace microslip
