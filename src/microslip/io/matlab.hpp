#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <microslip/io/tree.hpp>

namespace microslip::io {

// What MAT files of all versions have in common once their bytes are decoded, and the version that has HDF5's bytes.

/// Reads a MAT file of version 7.3, which is HDF5 by another name. See `read_mat`, which calls it.
Tree read_mat73(const std::filesystem::path& path);

/// Adds an array stored by columns: a 1 x 1 array becomes a number, text a text (one per row), all else an array
/// stored by rows.
void set_matlab_array(Archive& archive, const std::string& name, const std::vector<std::size_t>& shape,
                      const std::vector<double>& by_columns, bool is_text);

/// Adds texts: one as itself, several as a list.
void set_matlab_texts(Archive& archive, const std::string& name, std::vector<std::string>&& texts);

/// Adds a cell array, given as a group with entries 0, 1, 2 …: a list of texts where all are texts.
void set_matlab_cell(Archive& archive, const std::string& name, Archive&& cells);

/// What to tell about a variable that only MATLAB itself can read.
std::string matlab_object_warning(const std::string& path, const std::string& kind);
std::string matlab_complex_warning(const std::string& path);

/// A sparse matrix by columns: column j has the entries from starts[j] to starts[j + 1] of `rows` and `values`. `path`
/// is MATLAB's ("model.K").
CoordinateMatrix matlab_sparse(const std::string& path, std::size_t n_rows, const std::vector<double>& rows,
                               const std::vector<double>& starts, const std::vector<double>& values);

}  // namespace microslip::io
