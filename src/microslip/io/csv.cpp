#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/core/letter_case.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/units.hpp>

namespace microslip::io {

namespace {

constexpr char blanks = ' ';  // the separator that means "any run of blanks"

struct Line {
  int number;
  std::string_view text;
};

/// The lines that carry something: no byte order mark, carriage returns, blank lines or comments.
std::vector<Line> carrying_lines(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<Line> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    ++number;
    // Leading and trailing tabs are empty cells, so only the test for emptiness trims them.
    std::string_view line = text.substr(0, end);
    const std::string_view content = trim(line);
    if (!content.empty() && content.front() != '#' && content.front() != '%') lines.push_back({number, line});
    if (end == std::string_view::npos) break;
    const bool crlf = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (crlf ? 2 : 1));
  }
  return lines;
}

struct Cell {
  std::string_view text;  ///< without blanks around, without quotes
  bool quoted = false;
};

/// Splits one line into `cells`. False where a quote is left open.
bool split_cells(std::string_view line, char separator, std::vector<Cell>& cells) {
  cells.clear();
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && blank(line[at]) && line[at] != separator) ++at;
    if (separator == blanks) {
      while (at < line.size() && blank(line[at])) ++at;
      if (at == line.size()) return true;
    }
    if (at < line.size() && line[at] == '"') {
      const std::size_t close = line.find('"', at + 1);
      if (close == std::string_view::npos) return false;
      cells.push_back({trim(line.substr(at + 1, close - at - 1)), true});
      at = close + 1;
      while (at < line.size() && blank(line[at]) && line[at] != separator) ++at;
      if (separator != blanks && at < line.size() && line[at] != separator) return false;
    } else {
      std::size_t end = at;
      while (end < line.size() && (separator == blanks ? !blank(line[end]) : line[end] != separator)) ++end;
      cells.push_back({trim(line.substr(at, end - at)), false});
      at = end;
    }
    if (separator == blanks) continue;
    if (at >= line.size()) return true;
    ++at;
  }
}

/// Reads cells as numbers and remembers which decimal sign the file uses.
class NumberReader {
 public:
  std::optional<double> operator()(std::string_view text, int line) {
    if (const auto number = parse_number(text)) {
      if (point_line_ == 0 && text.find('.') != std::string_view::npos) point_line_ = line;
      return number;
    }
    if (text.find(',') != std::string_view::npos) {
      const auto number = std::count(text.begin(), text.end(), ',') == 1 ? parse_number(text, true) : std::nullopt;
      if (number && comma_line_ == 0) comma_line_ = line;
      return number;
    }
    // Fortran's double precision: 1.5D+03.
    const std::size_t exponent = text.find_first_of("dD");
    if (exponent == std::string_view::npos || exponent == 0) return std::nullopt;
    std::string with_e(text);
    with_e[exponent] = 'e';
    return parse_number(with_e);
  }
  /// The lines where a decimal point and a decimal comma were met; 0 for never.
  [[nodiscard]] int point_line() const { return point_line_; }
  [[nodiscard]] int comma_line() const { return comma_line_; }

 private:
  int point_line_ = 0, comma_line_ = 0;
};

bool is_missing(std::string_view cell) { return cell.empty() || lower_case(cell) == "nan" || lower_case(cell) == "na"; }

/// The separator with which an early line reads as numbers throughout; failing that, the first that occurs at all.
char find_separator(const std::vector<Line>& lines) {
  std::vector<Cell> cells;
  NumberReader read;
  constexpr std::array candidates{';', '\t', ',', blanks};
  const std::size_t n = std::min<std::size_t>(lines.size(), 50);
  for (std::size_t i = 0; i < n; ++i) {
    for (const char separator : candidates) {
      if (!split_cells(lines[i].text, separator, cells) || (cells.size() < 2 && separator != blanks)) continue;
      std::size_t numbers = 0, others = 0;
      for (const Cell& cell : cells) {
        if (read(cell.text, 1))
          ++numbers;
        else if (!is_missing(cell.text))
          ++others;
      }
      if (numbers > 0 && others == 0) return separator;
    }
  }
  for (const char separator : {';', '\t', ','})
    for (std::size_t i = 0; i < n; ++i)
      if (lines[i].text.find(separator) != std::string_view::npos) return separator;
  return blanks;
}

bool is_text_row(const std::vector<Cell>& cells, NumberReader read) {
  bool any = false;
  for (const Cell& cell : cells) {
    const auto number = read(cell.text, 1);
    if (number && std::isfinite(*number)) return false;
    any = any || (!number && !is_missing(cell.text));
  }
  return any;
}

/// Text rows above the numbers.
struct Heading {
  std::vector<std::vector<std::string>> rows;
  std::vector<int> lines;
};

/// What the rows above the numbers mean: names, names and units, or also lines of prose above those.
void interpret(const Heading& heading, std::size_t n_columns, Table& table) {
  std::size_t n_rows = heading.rows.size();
  if (n_rows == 0) return;
  const auto width = [&](std::size_t row) {
    const auto& cells = heading.rows[row];
    return cells.size() == n_columns + 1 && cells.back().empty() ? n_columns : cells.size();
  };
  if (width(n_rows - 1) != n_columns)
    throw InvalidInput(fmt::format("{}:{}: the header has {} cells, the rows below it have {}", table.source,
                                   heading.lines.back(), width(n_rows - 1), n_columns));
  std::size_t first = n_rows - 1;
  if (first > 0 && width(first - 1) == n_columns) --first;
  for (std::size_t row = 0; row < first; ++row)
    table.warnings.push_back(fmt::format("line {} is text above the header: skipped", heading.lines[row]));

  const bool unit_row = first + 1 < n_rows;
  table.units.assign(n_columns, "");
  for (std::size_t column = 0; column < n_columns; ++column) {
    auto [name, unit] = split_unit(heading.rows[first][column]);
    if (unit_row) {
      std::string_view given = heading.rows[first + 1][column];
      if (given.size() >= 2 &&
          ((given.front() == '[' && given.back() == ']') || (given.front() == '(' && given.back() == ')')))
        given = trim(given.substr(1, given.size() - 2));
      unit = given;
    }
    table.header.push_back(std::move(name));
    table.units[column] = std::move(unit);
  }
  if (std::all_of(table.units.begin(), table.units.end(), [](const std::string& unit) { return unit.empty(); }))
    table.units.clear();
}

}  // namespace

std::pair<std::string, std::string> split_unit(std::string_view label) {
  label = trim(label);
  if (label.empty()) return {};
  const char open = label.back() == ']' ? '[' : label.back() == ')' ? '(' : '\0';
  const std::size_t at = open == '\0' ? std::string_view::npos : label.rfind(open);
  if (at == std::string_view::npos || at == 0) return {std::string(label), ""};
  const std::string unit(trim(label.substr(at + 1, label.size() - at - 2)));
  if (open == '(') {
    // Of those that are neither motion, force, strain nor time: what columns of tables are in.
    constexpr std::array others{"V", "mV", "Pa", "MPa", "Hz", "J", "N m", "N/m", "-", "%", "deg", "rad"};
    if (!known_unit(unit) && !seconds_per(unit) && std::find(others.begin(), others.end(), unit) == others.end())
      return {std::string(label), ""};
  }
  return {std::string(trim(label.substr(0, at))), unit};
}

bool Table::has_column(std::string_view name) const {
  return std::any_of(header.begin(), header.end(),
                     [&](const std::string& h) { return lower_case(h) == lower_case(name); });
}

std::size_t Table::column_index(std::string_view name) const {
  if (header.empty())
    throw InvalidInput(fmt::format("{}: column '{}' is wanted, but the file has no header row", source, name));
  const auto exact = std::find(header.begin(), header.end(), name);
  if (exact != header.end()) {
    if (std::find(exact + 1, header.end(), name) != header.end())
      throw InvalidInput(fmt::format("{}: two columns are named '{}'", source, name));
    return static_cast<std::size_t>(exact - header.begin());
  }
  std::optional<std::size_t> found;
  for (std::size_t column = 0; column < header.size(); ++column) {
    if (lower_case(header[column]) != lower_case(name)) continue;
    if (found) throw InvalidInput(fmt::format("{}: two columns are named '{}'", source, name));
    found = column;
  }
  if (found) return *found;
  const auto close = nearest(name, header);
  throw InvalidInput(fmt::format("{}: no column is named '{}'{}; the header has: {}", source, name,
                                 close ? fmt::format(" (nearest: '{}')", *close) : "", join(header, ", ")));
}

std::string Table::where(std::size_t row) const { return fmt::format("{}:{}", source, line_numbers.at(row)); }

Table parse_csv(std::string_view text, std::string source, const CsvOptions& options) {
  Table table;
  table.source = std::move(source);
  if (text.find('\0') != std::string_view::npos)
    throw InvalidInput(
        fmt::format("{}: holds a zero byte at offset {}: not a text file", table.source, text.find('\0')));
  const std::vector<Line> lines = carrying_lines(text);
  if (lines.empty()) throw InvalidInput(fmt::format("{}: is empty, a table of numbers is expected", table.source));
  const char separator = find_separator(lines);

  Heading heading;
  NumberReader read;
  std::vector<Cell> cells;
  std::size_t n_columns = 0;
  const auto column_name = [&](std::size_t column) {
    return column < table.header.size() ? fmt::format("column {} ({})", column + 1, table.header[column])
                                        : fmt::format("column {}", column + 1);
  };
  for (const Line& line : lines) {
    if (!split_cells(line.text, separator, cells))
      throw InvalidInput(
          fmt::format("{}:{}: a quotation mark is not closed where its cell ends", table.source, line.number));
    if (table.line_numbers.empty()) {
      if (is_text_row(cells, read)) {
        heading.rows.emplace_back();
        for (const Cell& cell : cells) heading.rows.back().emplace_back(cell.text);
        heading.lines.push_back(line.number);
        continue;
      }
      // A separator at the end of the first row opens a column only where the header has a name for it.
      n_columns = cells.size();
      if (n_columns > 1 && cells.back().text.empty() &&
          (heading.rows.empty() || heading.rows.back().size() != n_columns || heading.rows.back().back().empty()))
        --n_columns;
      interpret(heading, n_columns, table);
      table.columns.resize(n_columns);
      for (auto& column : table.columns) column.reserve(lines.size());
      table.line_numbers.reserve(lines.size());
    }
    if (cells.size() == n_columns + 1 && cells.back().text.empty()) cells.pop_back();
    if (cells.size() != n_columns)
      throw InvalidInput(fmt::format("{}:{}: {} cells, but the first row of numbers has {}", table.source, line.number,
                                     cells.size(), n_columns));
    for (std::size_t column = 0; column < n_columns; ++column) {
      const std::string_view cell = cells[column].text;
      const auto number = read(cell, line.number);
      if (number && std::isfinite(*number)) {
        table.columns[column].push_back(*number);
      } else if (options.missing_is_nan && (number || is_missing(cell))) {
        table.columns[column].push_back(std::numeric_limits<double>::quiet_NaN());
      } else {
        throw InvalidInput(fmt::format("{}:{}: {}: {}, a {} is expected", table.source, line.number,
                                       column_name(column), cell.empty() ? "is empty" : fmt::format("'{}'", cell),
                                       number ? "finite number" : "number"));
      }
    }
    if (const int point = read.point_line(), comma = read.comma_line(); point != 0 && comma != 0)
      throw InvalidInput(fmt::format("{}:{}: {}: use one of them", table.source, line.number,
                                     point == comma ? "decimal points and decimal commas on one line"
                                     : point < comma
                                         ? fmt::format("decimal commas here and decimal points on line {}", point)
                                         : fmt::format("decimal points here and decimal commas on line {}", comma)));
    table.line_numbers.push_back(line.number);
  }
  if (table.line_numbers.empty())
    throw InvalidInput(fmt::format("{}:{}: only text, no row of numbers", table.source, heading.lines.back()));
  return table;
}

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  return parse_csv(read_file(path), path.string(), options);
}

std::string csv_cell(std::string text) {
  if (text.find_first_of(",;\"\t#%\n\r ") == std::string::npos) return text;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || c == '\n' || c == '\r'; }, '\'');
  return '"' + text + '"';
}

std::string to_csv(const Table& table) {
  std::string text;
  for (const auto* row : {&table.header, &table.units}) {
    for (std::size_t column = 0; column < row->size(); ++column) {
      if (column > 0) text += ',';
      text += csv_cell((*row)[column]);
    }
    if (!row->empty()) text += '\n';
  }
  for (std::size_t row = 0; row < (table.columns.empty() ? 0 : table.columns.front().size()); ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      fmt::format_to(std::back_inserter(text), "{}{}", column > 0 ? "," : "", table.columns[column][row]);
    text += '\n';
  }
  return text;
}

}  // namespace microslip::io
