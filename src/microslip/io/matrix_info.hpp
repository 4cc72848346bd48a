#pragma once

#include <filesystem>
#include <string>

#include <microslip/core/coordinate_matrix.hpp>
#include <microslip/io/records.hpp>

namespace microslip::io {

/// Adds what is in a file of matrices, coordinates or a mesh: sizes, entries, symmetry, nodes, elements, sets.
void describe_matrices(const std::filesystem::path& path, FileInfo& info);

/// A matrix in one line; `source` is the file, whose name says nothing as the matrix's.
ContentInfo matrix_summary(const CoordinateMatrix& matrix, const std::string& source);

}  // namespace microslip::io
