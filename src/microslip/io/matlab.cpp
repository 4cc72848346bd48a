#include <algorithm>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/io/matlab.hpp>

namespace microslip::io {

namespace {

void append_utf8(std::string& text, double code) {
  const auto c = static_cast<unsigned>(code >= 0 && code < 65536 ? code : 0xFFFD);
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    text += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// Row-major order: the last index runs fastest. The input has the first index running fastest.
std::vector<double> by_rows(const std::vector<std::size_t>& shape, const std::vector<double>& by_columns) {
  if (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1)) return by_columns;
  std::vector<double> result(by_columns.size());
  std::vector<std::size_t> index(shape.size(), 0);
  for (double& value : result) {
    std::size_t at = 0;
    for (std::size_t d = shape.size(); d-- > 0;) at = at * shape[d] + index[d];
    value = by_columns[at];
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
  return result;
}

}  // namespace

void set_matlab_array(Archive& archive, const std::string& name, const std::vector<std::size_t>& shape,
                      const std::vector<double>& by_columns, bool is_text) {
  if (is_text && shape.size() <= 2) {
    const std::size_t rows = by_columns.empty() || shape.empty() ? 1 : shape[0], columns = by_columns.size() / rows;
    std::vector<std::string> texts(rows);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) append_utf8(texts[row], by_columns[column * rows + row]);
    set_matlab_texts(archive, name, std::move(texts));
  } else if (by_columns.size() == 1) {
    archive.set(name, by_columns.front());
  } else {
    archive.set(name, NamedArray{.shape = shape, .data = by_rows(shape, by_columns)});
  }
}

void set_matlab_texts(Archive& archive, const std::string& name, std::vector<std::string>&& texts) {
  if (texts.size() == 1)
    archive.set(name, std::move(texts.front()));
  else
    archive.set(name, std::move(texts));
}

void set_matlab_cell(Archive& archive, const std::string& name, Archive&& cells) {
  std::vector<std::string> texts;
  for (const auto& [index, value] : cells.entries())
    if (const auto* text = std::get_if<std::string>(&value)) texts.push_back(*text);
  if (!texts.empty() && texts.size() == cells.entries().size())
    archive.set(name, std::move(texts));
  else
    archive.set(name, std::move(cells));
}

std::string matlab_object_warning(const std::string& path, const std::string& kind) {
  if (kind == "string")
    return fmt::format("variable '{0}' is a MATLAB string, which only MATLAB can read: save it as {0} = char({0})",
                       path);
  if (kind == "table" || kind == "timetable")
    return fmt::format(
        "variable '{0}' is a MATLAB {1}, which only MATLAB can read: save it as a struct, {0} = table2struct({2}, "
        "'ToScalar', true)",
        path, kind, kind == "table" ? path : "timetable2table(" + path + ")");
  return fmt::format(
      "variable '{}' is a MATLAB object ({}), which only MATLAB can read: save its numbers as arrays or a struct, its "
      "texts as char",
      path, kind);
}

std::string matlab_complex_warning(const std::string& path) {
  return fmt::format("variable '{}' is complex: left out", path);
}

CoordinateMatrix matlab_sparse(const std::string& path, std::size_t n_rows, const std::vector<double>& rows,
                               const std::vector<double>& starts, const std::vector<double>& values) {
  const auto damaged = [&](std::string_view what) {
    return InvalidInput(fmt::format("the sparse variable '{}' {}: damaged", path, what));
  };
  constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();
  if (starts.empty() || starts.size() - 1 > largest || n_rows > largest)
    throw damaged(fmt::format("of {} rows has {} starts of columns", n_rows, starts.size()));
  CoordinateMatrix matrix;
  matrix.name = path;
  std::replace(matrix.name.begin(), matrix.name.end(), '.', '/');
  matrix.n_rows = n_rows;
  matrix.n_columns = starts.size() - 1;
  const auto count = static_cast<double>(std::min(rows.size(), values.size()));  // what follows the last is to spare
  for (std::size_t column = 0; column < matrix.n_columns; ++column) {
    if (!(starts[column] >= 0 && starts[column] <= starts[column + 1] && starts[column + 1] <= count))
      throw damaged(
          fmt::format("has column {} from {} to {} of {}", column + 1, starts[column], starts[column + 1], count));
    for (auto k = static_cast<std::size_t>(starts[column]); k < static_cast<std::size_t>(starts[column + 1]); ++k) {
      if (!(rows[k] >= 0 && rows[k] < static_cast<double>(n_rows)))
        throw damaged(fmt::format("of {} rows names row {}", n_rows, rows[k]));
      if (values[k] != 0)
        matrix.entries.push_back({static_cast<std::int32_t>(rows[k]), static_cast<std::int32_t>(column), values[k]});
    }
  }
  return matrix;
}

}  // namespace microslip::io
