#include <algorithm>
#include <limits>
#include <map>

#include <microslip/core/letter_case.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/abaqus_matrix.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

namespace {

using Entry = CoordinateMatrix::Entry;

/// Fills in the other triangle where only one is there; no place has two entries.
void mirror(CoordinateMatrix& matrix) {
  std::sort(matrix.entries.begin(), matrix.entries.end(),
            [](const Entry& a, const Entry& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  bool above = false, below = false;
  for (const Entry& e : matrix.entries) {
    above |= e.column > e.row;
    below |= e.column < e.row;
  }
  if (above && below) {
    // Abaqus lists one triangle by coordinates, but in an order of its own: an entry without its mirror image has one.
    const auto has = [&](std::int32_t row, std::int32_t column) {
      return std::binary_search(
          matrix.entries.begin(), matrix.entries.end(), Entry{row, column, 0},
          [](const Entry& a, const Entry& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
    };
    const bool both = std::any_of(matrix.entries.begin(), matrix.entries.end(),
                                  [&](const Entry& e) { return e.row != e.column && has(e.column, e.row); });
    if (both) return;
  }
  const std::size_t n = matrix.entries.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Entry e = matrix.entries[k];
    if (e.row != e.column) matrix.entries.push_back({e.column, e.row, e.value});
  }
}

CoordinateMatrix matrix_input(LineReader& reader, std::string_view line) {
  CoordinateMatrix matrix;
  std::vector<std::size_t> lines;
  std::map<NodeDirection, std::int32_t> place;
  const auto index = [&](std::int64_t node, std::int64_t direction) {
    if (direction < 0 || direction > 99) reader.refuse(fmt::format("direction {} of node {}", direction, node));
    const NodeDirection c{node, static_cast<int>(direction)};
    const auto [found, added] = place.emplace(c, static_cast<std::int32_t>(place.size()));
    if (added) matrix.row_labels.push_back(c);
    return found->second;
  };
  do {
    if (is_blank(line) || line.substr(0, 1) == "*") continue;
    std::int64_t row_node = 0, row_direction = 0, column_node = 0, column_direction = 0;
    double value = 0;
    if (!take(line, row_node) || !take_comma(line) || !take(line, row_direction) || !take_comma(line) ||
        !take(line, column_node) || !take_comma(line) || !take(line, column_direction) || !take_comma(line) ||
        !take(line, value))
      reader.refuse("expected row node, row direction, column node, column direction, value");
    take_comma(line);
    if (!is_blank(line)) reader.refuse("expected nothing after the value");
    const std::int32_t column = index(column_node, column_direction);
    matrix.entries.push_back({index(row_node, row_direction), column, value});
    lines.push_back(reader.number());
  } while (reader.next(line));
  matrix.n_rows = matrix.n_columns = matrix.row_labels.size();
  matrix.column_labels = matrix.row_labels;
  refuse_repeats(matrix, reader.name(), lines);
  return matrix;
}

CoordinateMatrix coordinate(LineReader& reader, std::string_view line) {
  CoordinateMatrix matrix;
  std::vector<std::size_t> lines;
  std::int64_t largest = 0;
  do {
    if (is_blank(line) || line.substr(0, 1) == "*") continue;
    std::int64_t row = 0, column = 0;
    double value = 0;
    bool read = take(line, row);
    take_comma(line);  // or blanks alone
    read = read && take(line, column);
    take_comma(line);
    read = read && take(line, value);
    take_comma(line);
    if (!read || !is_blank(line)) reader.refuse("expected row, column and value");
    if (row < 1 || column < 1 || std::max(row, column) > std::numeric_limits<std::int32_t>::max())
      reader.refuse(fmt::format("entry ({}, {}): rows and columns count from 1", row, column));
    largest = std::max({largest, row, column});
    matrix.entries.push_back({static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1), value});
    lines.push_back(reader.number());
  } while (reader.next(line));
  matrix.n_rows = matrix.n_columns = static_cast<std::size_t>(largest);
  refuse_repeats(matrix, reader.name(), lines);
  return matrix;
}

/// A file with keywords: *USER ELEMENT, then the directions of its nodes, then matrices.
std::vector<CoordinateMatrix> user_element(LineReader& reader, std::string_view line) {
  std::vector<CoordinateMatrix> matrices;
  std::vector<std::int64_t> nodes;       // from the comment that lists the element's nodes
  std::vector<std::int64_t> directions;  // from the lines that follow
  std::int32_t row = 0, column = 0;
  enum class Part { other, node_list, direction_list, matrix } part = Part::other;
  const auto end_matrix = [&] {
    if (column != 0) reader.refuse(fmt::format("matrix '{}' ends within row {}", matrices.back().name, row + 1));
  };
  do {
    const std::string words = upper_case(line);
    if (words.substr(0, 2) == "**") {
      if (words.find("ELEMENT NODES") != std::string::npos) {
        part = Part::node_list;
      } else if (part == Part::node_list) {
        std::string_view rest = line.substr(2);
        for (std::int64_t node = 0; take(rest, node);) {
          nodes.push_back(node);
          take_comma(rest);
        }
      }
      continue;
    }
    if (words.substr(0, 1) == "*") {
      end_matrix();
      part = words.find("USER ELEMENT") != std::string::npos ? Part::direction_list : Part::other;
      const std::size_t type = words.find("TYPE=");
      if (words.substr(0, 7) == "*MATRIX" && type != std::string::npos) {
        part = Part::matrix;
        row = 0;
        matrices.emplace_back().name = std::string(trim(std::string_view(words).substr(type + 5)));
      }
      continue;
    }
    std::string_view rest = line;
    if (part == Part::node_list || part == Part::direction_list) {
      // "1" on the first line, then "position, direction".
      std::int64_t first = 0, second = 0;
      if (!take(rest, first)) reader.refuse("expected the direction of a node");
      directions.push_back(take_comma(rest) && take(rest, second) ? second : first);
    } else if (part == Part::matrix) {
      while (!is_blank(rest)) {
        double value = 0;
        if (!take(rest, value)) reader.refuse("expected the entries of a lower triangle");
        take_comma(rest);
        if (value != 0) matrices.back().entries.push_back({row, column, value});
        matrices.back().n_rows = matrices.back().n_columns = static_cast<std::size_t>(row) + 1;
        if (++column > row) ++row, column = 0;
      }
    }
  } while (reader.next(line));
  end_matrix();
  for (CoordinateMatrix& matrix : matrices) {
    if (!nodes.empty() && nodes.size() != matrix.n_rows)
      throw InvalidInput(fmt::format("{}: matrix '{}' has {} rows, the element {} coordinates", reader.name(),
                                     matrix.name, matrix.n_rows, nodes.size()));
    for (std::size_t i = 0; i < nodes.size() && nodes.size() == directions.size(); ++i)
      matrix.row_labels.push_back({nodes[i], static_cast<int>(directions[i])});
    matrix.column_labels = matrix.row_labels;
  }
  return matrices;
}

}  // namespace

std::vector<CoordinateMatrix> parse_abaqus_matrix(std::string_view text, const std::string& name) {
  LineReader reader(text, name);
  std::string_view line = reader.expect("an Abaqus matrix");
  while (is_blank(line)) line = reader.expect("an Abaqus matrix");
  std::vector<CoordinateMatrix> matrices;
  // *MATRIX, TYPE= stands before user elements' triangles; the other forms have bare numbers, with commas at four of
  // five places or none.
  const std::string words = upper_case(text.substr(0, 1U << 14));
  if (words.find("*USER ELEMENT") != std::string::npos || words.find("*MATRIX,") != std::string::npos) {
    matrices = user_element(reader, line);
  } else {
    std::string_view probe = line;
    while (!probe.empty() && probe.front() == '*') probe = line = reader.expect("an Abaqus matrix");
    matrices.push_back(std::count(line.begin(), line.end(), ',') >= 4 ? matrix_input(reader, line)
                                                                      : coordinate(reader, line));
    matrices.back().name = name;
  }
  if (matrices.empty() || matrices.front().entries.empty())
    throw InvalidInput(fmt::format("{}: no entries of an Abaqus matrix", name));
  for (CoordinateMatrix& matrix : matrices) mirror(matrix);
  return matrices;
}

}  // namespace microslip::io
