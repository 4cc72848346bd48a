#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// Refuses two entries at one place, which whoever uses the matrix would add up: the last step of every reader.
/// `lines` has the line of each entry, or nothing where the format has no lines.
void refuse_repeats(const CoordinateMatrix& matrix, const std::string& file, const std::vector<std::size_t>& lines = {},
                    std::string_view expected = "once is expected");

}  // namespace microslip::io
