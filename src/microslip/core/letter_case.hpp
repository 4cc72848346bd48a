#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace microslip {

/// The text in small letters; bytes beyond ASCII stay as they are.
inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The text in capitals.
inline std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace microslip
