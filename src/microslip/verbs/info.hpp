#pragma once

#include <filesystem>

#include <microslip/io/records.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct InfoOptions {
  std::filesystem::path file;
  io::ReadOptions read;
};

/// What is in a file: signals with units and rate, data sets, matrices, warnings.
Output info(const InfoOptions& options);

}  // namespace microslip::verbs
