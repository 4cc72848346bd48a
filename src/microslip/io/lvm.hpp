#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/record.hpp>

namespace microslip::io {

struct ReadOptions;

/// Reads a LabVIEW measurement file (.lvm): header blocks, then columns; with no, one or many columns of X values,
/// tab or comma between them, decimal point or comma. Blocks with a header of their own (one per trigger) are separate
/// records; a channel sampled at another rate than the first is left out with a warning.
std::vector<Record> parse_lvm(std::string_view text, const std::string& source, const ReadOptions& options);

}  // namespace microslip::io
