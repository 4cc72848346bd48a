#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// The coordinates of a CalculiX `.dof` file: lines `node.direction`, read as text, since 21.10 is not 21.1.
std::vector<NodeDirection> parse_coordinates(std::string_view text, const std::string& name);

/// A CalculiX `.sti` or `.mas` file: lines `row column value`, counted from 1, upper triangle; `coordinates` gives the
/// size and the labels.
CoordinateMatrix parse_calculix(std::string_view text, const std::string& name,
                                const std::vector<NodeDirection>& coordinates);

}  // namespace microslip::io
