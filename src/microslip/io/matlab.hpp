#pragma once

#include <string>
#include <vector>

#include <microslip/core/archive.hpp>

namespace microslip::io {

// What MAT files of all versions have in common once their bytes are decoded.

/// Adds an array stored by columns: a 1 x 1 array becomes a number, text a text (one per row), all else an array
/// stored by rows.
void set_matlab_array(Archive& archive, const std::string& name, const std::vector<std::size_t>& shape,
                      const std::vector<double>& by_columns, bool is_text);

/// Adds a cell array, given as a group with entries 0, 1, 2 …: a list of texts where all are texts.
void set_matlab_cell(Archive& archive, const std::string& name, Archive&& cells);

/// What to tell about a variable that only MATLAB itself can read.
std::string matlab_object_warning(const std::string& path, const std::string& kind);
std::string matlab_sparse_warning(const std::string& path);

}  // namespace microslip::io
