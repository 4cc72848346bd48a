#pragma once

#include <filesystem>

#include <microslip/io/records.hpp>

namespace microslip::io {

/// Adds what is in a file of matrices, coordinates or a mesh: sizes, entries, symmetry, nodes, elements, sets.
void describe_matrices(const std::filesystem::path& path, FileInfo& info);

}  // namespace microslip::io
