#include <limits>

#include <microslip/io/calculix.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

std::vector<NodeDirection> parse_coordinates(std::string_view text, const std::string& name) {
  std::vector<NodeDirection> coordinates;
  LineReader reader(text, name);
  for (std::string_view line; reader.next(line);) {
    if (is_blank(line)) continue;
    NodeDirection c;
    std::int64_t direction = -1;
    const bool node = take(line, c.node) && !line.empty() && line.front() == '.';
    if (node) line.remove_prefix(1);
    if (!node || !take(line, direction) || !is_blank(line) || direction < 0 || direction > 6)
      reader.refuse("expected node.direction with a direction from 0 to 6, as in 21.3");
    c.direction = static_cast<int>(direction);
    coordinates.push_back(c);
  }
  if (coordinates.empty()) throw InvalidInput(fmt::format("{}: no coordinates, expected lines node.direction", name));
  if (coordinates.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw InvalidInput(fmt::format("{}: {} coordinates are too many", name, coordinates.size()));
  return coordinates;
}

CoordinateMatrix parse_calculix(std::string_view text, const std::string& name,
                                const std::vector<NodeDirection>& coordinates) {
  CoordinateMatrix matrix;
  matrix.name = name;
  matrix.n_rows = matrix.n_columns = coordinates.size();
  matrix.row_labels = matrix.column_labels = coordinates;
  const auto n = static_cast<std::int64_t>(coordinates.size());
  std::vector<std::size_t> lines;
  LineReader reader(text, name);
  for (std::string_view line; reader.next(line);) {
    if (is_blank(line)) continue;
    std::int64_t row = 0, column = 0;
    double value = 0;
    if (!take(line, row) || !take(line, column) || !take(line, value) || !is_blank(line))
      reader.refuse("expected row, column and value");
    if (row < 1 || row > n || column < 1 || column > n)
      reader.refuse(fmt::format("entry ({}, {}) lies outside the {} coordinates of the .dof file", row, column, n));
    if (row > column)
      reader.refuse(fmt::format("entry ({}, {}) lies below the diagonal, the upper triangle is expected", row, column));
    const auto i = static_cast<std::int32_t>(row - 1), j = static_cast<std::int32_t>(column - 1);
    if (value == 0 && i != j) continue;
    matrix.entries.push_back({i, j, value});
    lines.push_back(reader.number());
  }
  const std::size_t n_stored = matrix.entries.size();
  if (n_stored == 0) throw InvalidInput(fmt::format("{}: no entries, expected lines row column value", name));
  refuse_repeats(matrix, name, lines);
  for (std::size_t k = 0; k < n_stored; ++k)
    if (const auto e = matrix.entries[k]; e.row != e.column) matrix.entries.push_back({e.column, e.row, e.value});
  return matrix;
}

}  // namespace microslip::io
