#pragma once

#include <string>
#include <string_view>

namespace microslip::report {

/// Text as HTML and SVG hold it: nothing in it opens or ends an element or an attribute. Control characters, which XML
/// does not allow, are left out.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

}  // namespace microslip::report
