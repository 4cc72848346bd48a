#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// A matrix that Abaqus wrote, in any of its forms:
///  - matrix input: `row node, row direction, column node, column direction, value`, one triangle or both; a negative
///    node is internal to an element; coordinates come in the order of their first appearance;
///  - coordinate: `row column value`, counted from 1, one triangle or both;
///  - user element (*MATRIX, TYPE=…; also CalculiX substructures): the lower triangle row by row.
/// A file of user elements may hold several matrices, the others hold one.
std::vector<CoordinateMatrix> parse_abaqus_matrix(std::string_view text, const std::string& name);

}  // namespace microslip::io
