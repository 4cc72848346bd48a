#pragma once

#include <array>
#include <bit>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/io/records.hpp>

namespace microslip::io {

/// One axis of a data set 58 (its records 8 to 11).
struct UffAxis {
  int type = 0;  ///< 8 displacement, 11 velocity, 12 acceleration, 13 force, 17 time, 18 frequency …; 0 unknown
  int length_exponent = 0, force_exponent = 0, temperature_exponent = 0;
  std::string label{};  ///< empty for NONE
  std::string unit{};   ///< empty for NONE
};

/// Data set 58: a function at a degree of freedom.
struct UffFunction {
  std::array<std::string, 5> id;
  int type = 1;  ///< 1 time response, 4 frequency response, 9 power spectral density …
  int number = 0, version = 0, load_case = 0;
  std::string response_name, reference_name;
  int response_node = 0, response_direction = 0;  ///< direction 1 to 3: +X +Y +Z; 4 to 6: rotations; negative: minus
  int reference_node = 0, reference_direction = 0;
  bool complex = false, double_precision = true, even = true;
  double start = 0, increment = 0, z = 0;  ///< of the abscissa where it is even
  UffAxis abscissa, ordinate, denominator, z_axis;
  std::vector<double> x;       ///< where the abscissa is uneven
  std::vector<double> values;  ///< real parts
  std::vector<double> imaginary;
};

/// Where a data set lies in its file. Sets that are not 58 are listed only.
struct UffSet {
  int number = 0;
  bool binary = false;
  std::size_t offset = 0, size = 0;  ///< bytes of its content, from the line after its number
  int lines = 0;                     ///< of text in it
};

/// Data set 164: the file's units. What the file holds is the SI value times the factor.
struct UffUnits {
  double length = 1, force = 1, temperature = 1;
  std::string name;
};

struct UffFile {
  std::vector<UffSet> sets;
  std::vector<UffFunction> functions;  ///< those of the sets 58, in order
  std::vector<std::size_t> function_offsets;
  UffUnits units;
  bool has_units = false;
  std::vector<std::string> warnings;
};

/// Reads a universal file: 58 in text and 58b in binary of either byte order, every ordinate type; other sets are
/// listed. Tolerant of what the field writes (stray line ends before -1, unfilled columns, -1 inside a header, D
/// exponents, numbers run together, Latin-1); refuses with the byte offset what cannot be trusted.
UffFile parse_uff(std::string_view bytes, const std::string& source);

/// Time responses as records: those with equal rate, start and length together, a repeated degree of freedom starts
/// the next record. Factors of a data set 164 are divided out, which gives SI.
std::vector<Record> records_from_uff(const UffFile& file, const std::string& source, const ReadOptions& options);

/// "+X" for 1, "-RZ" for -6; empty for none.
std::string uff_direction_name(int direction);
/// What a function type or a set number is called.
std::string_view uff_function_name(int type);
std::string_view uff_set_name(int number);

enum class UffForm { text, little_endian, big_endian };

/// One data set 58 (or 58b), delimiters included, column by column as the specification has it. Single precision holds
/// the numbers to six digits (text) or as floats (binary).
std::string to_uff58(const UffFunction& function, UffForm form);

/// The record's channels as time responses, with a data set 151 before them.
void write_uff(const std::filesystem::path& path, std::span<const Record> records,
               UffForm form = UffForm::little_endian);

}  // namespace microslip::io
