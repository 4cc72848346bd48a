#pragma once

#include <string>
#include <vector>

#include <microslip/core/archive.hpp>
#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// What is read from a file of foreign make: the tree, what could not be read, in words, and matrices that are sparse
/// in the file, named by their path ("model/K").
struct Tree {
  Archive archive;
  std::vector<std::string> warnings;
  std::vector<CoordinateMatrix> sparse;
};

}  // namespace microslip::io
