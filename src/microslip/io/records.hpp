#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <microslip/core/record.hpp>

namespace microslip::io {

/// What the caller knows about a file that the file itself does not say.
struct ReadOptions {
  double sampling_rate_hz = 0;            ///< where there is no time; 0: not given
  std::string time;                       ///< the column or variable that holds time; empty: found by its usual names
  std::string unit;                       ///< of the channels for which the file declares none
  Quantity quantity = Quantity::unknown;  ///< of the channels for which neither unit nor name tells
};

/// Reads the signals of a file: CSV and other text tables, MAT (v5 to v7.3), HDF5, universal files (58 and 58b),
/// LabVIEW .lvm, WAV, JSON. The content decides, then the extension. Samples stay in the units of the file;
/// `convert_to_si` changes that. Refused in one line that says where: no signals, uneven or backward time, NaN,
/// truncated.
std::vector<Record> read_records(const std::filesystem::path& path, const ReadOptions& options = {});

/// One line about something in a file.
struct ContentInfo {
  std::string name;     ///< "58", "HIdata.acc1", "[[mode]]"
  std::string summary;  ///< "time response, 13 samples …"
};

/// What is in a file.
struct FileInfo {
  std::string path;
  std::string format;  ///< "MAT 5", "universal file", "table" …
  std::uintmax_t size = 0;
  std::vector<Record> records;         ///< signals with their samples
  std::vector<ContentInfo> data_sets;  ///< what else is there: data sets, variables, columns, tables
  std::vector<ContentInfo> matrices;
  std::vector<std::string> warnings;
};

/// Looks into any file that microslip reads. A file with nothing in it that is a signal is fine; one that cannot be
/// read is refused.
FileInfo describe(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace microslip::io
