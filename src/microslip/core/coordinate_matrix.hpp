#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace microslip {

/// A coordinate of an FE model: a direction (1, 2, 3 translations, 4, 5, 6 rotations, 0 a scalar) of a node.
/// A negative node is internal to its element (Abaqus).
struct NodeDirection {
  std::int64_t node = 0;
  int direction = 0;
  friend auto operator<=>(const NodeDirection&, const NodeDirection&) = default;
};

/// A matrix as files give it: entries in any order, at most one per place. Where a file holds one triangle of a
/// symmetric matrix, the reader has mirrored it.
struct CoordinateMatrix {
  struct Entry {
    std::int32_t row, column;  ///< counted from 0
    double value;
  };

  std::string name;  ///< in the file; empty where the format has none
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<Entry> entries;
  std::vector<double> imaginary;          ///< of each entry; empty for a real matrix
  std::vector<NodeDirection> row_labels;  ///< one per row; empty where the format has none
  std::vector<NodeDirection> column_labels;
};

}  // namespace microslip
