#pragma once

#include <filesystem>

#include <microslip/core/mesh.hpp>

namespace microslip::io {

/// The mesh of a file: gmsh's by its first line or the extension .msh, in any case, else Abaqus or CalculiX input.
Mesh read_mesh(const std::filesystem::path& path);

}  // namespace microslip::io
