#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <microslip/io/csv.hpp>
#include <microslip/io/records.hpp>

namespace microslip::io {

// What the readers of the single formats share.

/// The records of a format, and why there are none where there are none.
struct Found {
  std::vector<Record> records;
  std::string reason;
};

/// Is this one of the usual names of time ("time", "t", "X_Value", …)?
bool is_time_name(std::string_view name);
/// Lower case, letters and digits only: "Sampling freq" and "sampling_freq" are one name.
std::string plain_name(std::string_view name);

/// Applies what the caller declared, then checks: equally many samples, all finite, a rate. Adds warnings about what
/// is not declared.
void finish(Record& record, const ReadOptions& options);

/// Seconds in the unit that a file declares for time; 1 where it declares none. What is no unit of time is refused.
double seconds_of_time(const std::string& unit, const std::string& source);

/// The rate when both file and caller may give it: they must agree.
double agreed_rate(double from_file, const ReadOptions& options, const std::string& source);

Found records_from_table(const Table& table, const ReadOptions& options);

}  // namespace microslip::io
