#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <microslip/io/records.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct ZefftVerb {
  std::filesystem::path file;
  io::ReadOptions reading;
  std::vector<double> times;  ///< on the file's own time axis [s]; without any the spectrum of the whole record
  std::string channel;        ///< by name; empty: the first that is not a force
};

/// Zeroed early-time spectra of one channel.
Output zefft(const ZefftVerb& options);

}  // namespace microslip::verbs
