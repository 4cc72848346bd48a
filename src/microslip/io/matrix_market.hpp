#pragma once

#include <string>
#include <string_view>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// Whether a file begins as MatrixMarket does, whatever its name.
bool is_matrix_market(std::string_view text);

/// A MatrixMarket file: `array` (dense) or `coordinate` (sparse), real, integer or pattern, general, symmetric or
/// skew-symmetric; complex and Hermitian ones are read with their imaginary parts.
CoordinateMatrix parse_matrix_market(std::string_view text, const std::string& name);

}  // namespace microslip::io
