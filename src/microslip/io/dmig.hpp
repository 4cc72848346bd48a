#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// The DMIG matrices of a Nastran punch file, in large fields (DMIG*). Rows and columns are labelled by node and
/// direction and sorted by them; a square matrix has one list of labels; form 6 stores one triangle, which is mirrored.
std::vector<CoordinateMatrix> parse_dmig(std::string_view text, const std::string& name);

}  // namespace microslip::io
