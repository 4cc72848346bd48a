#pragma once

#include <string>
#include <string_view>

#include <microslip/core/mesh.hpp>

namespace microslip::io {

/// Nodes, elements and physical groups of a gmsh mesh, ASCII, format 2.2 or 4.1. A named group of plane elements is a
/// surface; every named group is a node set.
Mesh parse_msh(std::string_view text, const std::string& name);

}  // namespace microslip::io
