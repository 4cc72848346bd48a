#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/io/records.hpp>

namespace microslip::io {

/// One signal as SEP005 (a common dictionary for time series) has it: the keys are the members' names.
struct Sep005 {
  std::vector<double> data;
  std::string name;
  std::string unit_str;
  double fs = 0;             ///< [Hz]; 0 where `time` is given instead
  std::vector<double> time;  ///< [s], as long as `data`; may be empty where `fs` is given
  double start_time = 0;     ///< of the first sample, where `time` is not given
};

/// Signals that share rate, start and length become one record, in order of appearance.
std::vector<Record> from_sep005(std::span<const Sep005> signals, const std::string& source = "signals",
                                const ReadOptions& options = {});
std::vector<Sep005> to_sep005(const Record& record);

}  // namespace microslip::io
