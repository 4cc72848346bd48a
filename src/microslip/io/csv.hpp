#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace microslip::io {

/// Columns of numbers read from a text file.
struct Table {
  std::string source;               ///< the file's name, for messages
  std::vector<std::string> header;  ///< one name per column; empty where the file has none
  std::vector<std::string> units;   ///< one per column, from a unit row or "name [unit]"; empty where there are none
  std::vector<std::vector<double>> columns;
  std::vector<int> line_numbers;      ///< of each row in the file, from 1
  std::vector<std::string> warnings;  ///< lines of text skipped above the header

  [[nodiscard]] std::size_t n_rows() const { return line_numbers.size(); }
  [[nodiscard]] bool has_column(std::string_view name) const;
  /// The column of that name, upper and lower case alike where that is unambiguous. Refused otherwise, with the
  /// nearest name.
  [[nodiscard]] std::size_t column_index(std::string_view name) const;
  [[nodiscard]] const std::vector<double>& column(std::string_view name) const { return columns[column_index(name)]; }
  /// "file:line": where a row comes from, for messages of those who use the numbers.
  [[nodiscard]] std::string where(std::size_t row) const;
};

struct CsvOptions {
  bool missing_is_nan = false;  ///< an empty cell, "nan" or "inf" becomes NaN; otherwise it is refused
};

/// Reads a table: commas, semicolons, tabs or blanks between cells, decimal point or comma, "quoted" cells, D
/// exponents; byte order mark, CRLF, blank lines and comments (#, %) are skipped; a header row and a unit row are
/// optional. A cell that is not a number is refused with file, line, column and text.
Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
Table parse_csv(std::string_view text, std::string source, const CsvOptions& options = {});

/// Comma-separated text of the table, numbers in the shortest form that reads back to the same bits.
std::string to_csv(const Table& table);

/// A text as one cell: in quotation marks where it needs them. It comes out without quotation marks and line ends of
/// its own, which many readers, this one among them, do not take.
std::string csv_cell(std::string text);

/// "acc1 [m/s^2]" -> {"acc1", "m/s^2"}. Round brackets count only around something that is a unit: "acc (left)" is
/// a name.
std::pair<std::string, std::string> split_unit(std::string_view label);

}  // namespace microslip::io
