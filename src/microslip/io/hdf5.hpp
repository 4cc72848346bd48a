#pragma once

#include <filesystem>

#include <microslip/io/tree.hpp>

namespace microslip::io {

/// Writes the tree, complete or not at all: groups become groups, arrays and numbers data sets of doubles, texts
/// data sets of UTF-8 strings. The same tree gives the same bytes.
void write_hdf5(const std::filesystem::path& path, const Archive& archive);

/// Reads any HDF5 file: numbers of every kind become doubles. Attributes of `x` appear beside it as `x@name`, those
/// of a group inside it as `@name`. What has no place in a tree of arrays (compounds, references) is left out with
/// a warning.
Tree read_hdf5(const std::filesystem::path& path);

}  // namespace microslip::io
