#pragma once

#include <string>

#include <microslip/core/archive.hpp>
#include <microslip/io/record_parts.hpp>

namespace microslip::io {

/// The signals of a MAT, HDF5 or JSON file: structs and groups with a time vector or a sampling rate beside them.
Found records_from_tree(const Archive& tree, const std::string& source, const ReadOptions& options);

}  // namespace microslip::io
