#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <microslip/core/mesh.hpp>

namespace microslip::io {

/// Nodes, elements and physical groups of a gmsh mesh, ASCII, format 2.2 or 4.1. A named group of plane elements is a
/// surface; every named group is a node set.
Mesh parse_msh(std::string_view text, const std::string& name);
Mesh read_msh(const std::filesystem::path& path);

/// The mesh of a file by its extension: .msh of gmsh, else Abaqus or CalculiX input.
Mesh read_mesh(const std::filesystem::path& path);

}  // namespace microslip::io
