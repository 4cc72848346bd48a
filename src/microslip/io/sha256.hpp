#pragma once

#include <string>
#include <string_view>

namespace microslip::io {

/// SHA-256 [FIPS 180-4] in 64 hexadecimal digits, as `sha256sum` prints it: which bytes a result was made from.
std::string sha256(std::string_view bytes);

}  // namespace microslip::io
