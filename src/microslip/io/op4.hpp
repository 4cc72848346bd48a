#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// The matrices of a Nastran OP4 file: ASCII or binary of either byte order, with words of 32 or 64 bits; dense,
/// sparse, or sparse with large row numbers (bigmat); real or complex, single or double.
std::vector<CoordinateMatrix> parse_op4(std::string_view bytes, const std::string& name);

}  // namespace microslip::io
