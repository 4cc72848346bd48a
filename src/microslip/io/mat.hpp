#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <microslip/io/tree.hpp>

namespace microslip::io {

/// Reads a MAT file: versions 5, 6 and 7 of either byte order, and 7.3. Numeric arrays, sparse matrices, text, structs
/// and cells; what only MATLAB can read (string and table objects) is named in the warnings with how to save it
/// instead.
Tree read_mat(const std::filesystem::path& path);

/// The same from the bytes of a file of version 5 to 7.
Tree parse_mat(std::string_view bytes, const std::string& source);

}  // namespace microslip::io
