#include <algorithm>
#include <limits>
#include <vector>

#include <microslip/core/letter_case.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

namespace {

constexpr std::string_view mark = "%%matrixmarket";

struct Header {
  bool dense = false, complex = false, pattern = false;
  bool mirrored = false;        ///< one triangle is stored
  double mirror_sign = 1;       ///< of the other triangle
  bool conjugate = false;       ///< and of its imaginary part
  bool skips_diagonal = false;  ///< skew-symmetric
};

Header parse_header(const LineReader& reader, std::string_view line) {
  std::vector<std::string> words;
  for (const std::string& word : split(lower_case(line), ' '))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  if (words.size() != 5 || words[0] != mark || words[1] != "matrix")
    reader.refuse(
        "expected '%%MatrixMarket matrix array|coordinate real|integer|complex|pattern "
        "general|symmetric|skew-symmetric|hermitian'");
  const auto choose = [&](const std::string& word, std::initializer_list<std::string> known) {
    const std::vector<std::string> names(known);
    if (std::find(names.begin(), names.end(), word) == names.end())
      reader.refuse(fmt::format("unknown word '{}' in the MatrixMarket header{}", word, suggestion(word, names)));
    return word;
  };
  Header header;
  header.dense = choose(words[2], {"array", "coordinate"}) == "array";
  const std::string field = choose(words[3], {"real", "double", "integer", "complex", "pattern"});
  header.complex = field == "complex";
  header.pattern = field == "pattern";
  const std::string symmetry = choose(words[4], {"general", "symmetric", "skew-symmetric", "hermitian"});
  header.mirrored = symmetry != "general";
  header.skips_diagonal = symmetry == "skew-symmetric";
  header.mirror_sign = header.skips_diagonal ? -1 : 1;
  header.conjugate = symmetry == "hermitian";
  if (header.pattern && header.dense) reader.refuse("a pattern cannot be an array");
  return header;
}

class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view text, const std::string& name) : reader_(text, name) {
    header_ = parse_header(reader_, reader_.expect("a MatrixMarket header"));
    std::string_view line = next_data("the size of the matrix");
    std::int64_t rows = 0, columns = 0;
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (!take(line, rows) || !take(line, columns) || (!header_.dense && !take(line, n_stored_)) || !is_blank(line))
      reader_.refuse(header_.dense ? "expected rows and columns" : "expected rows, columns and entries");
    if (rows < 0 || columns < 0 || rows > largest || columns > largest || n_stored_ < 0)
      reader_.refuse(fmt::format("a matrix of {} x {} makes no sense", rows, columns));
    if (header_.mirrored && rows != columns)
      reader_.refuse(fmt::format("a symmetric matrix of {} x {}: it must be square", rows, columns));
    matrix_.n_rows = static_cast<std::size_t>(rows);
    matrix_.n_columns = static_cast<std::size_t>(columns);
  }

  CoordinateMatrix read() {
    if (header_.dense) {
      dense();
    } else {
      sparse();
    }
    for (std::string_view line; reader_.next(line);)
      if (!is_blank(line) && line.front() != '%') reader_.refuse("more entries than the header announces");
    if (header_.mirrored) mirror();
    return std::move(matrix_);
  }

 private:
  std::string_view next_data(std::string_view what) {
    while (true) {
      const std::string_view line = reader_.expect(what);
      if (!is_blank(line) && line.front() != '%') return line;
    }
  }

  void dense() {  // column by column; of a symmetric matrix the lower triangle
    std::string_view line;
    const auto number = [&] {
      double value = 0;
      if (is_blank(line)) line = next_data(fmt::format("entry {} of the array", n_read_ + 1));
      if (!take(line, value)) reader_.refuse("expected a number");
      return value;
    };
    const auto rows = static_cast<std::int32_t>(matrix_.n_rows), columns = static_cast<std::int32_t>(matrix_.n_columns);
    for (std::int32_t j = 0; j < columns; ++j)
      for (std::int32_t i = header_.mirrored ? j + (header_.skips_diagonal ? 1 : 0) : 0; i < rows; ++i) {
        const double value = number();
        add(i, j, value, header_.complex ? number() : 0);
      }
    if (!is_blank(line)) reader_.refuse("more entries than the header announces");
  }

  void sparse() {
    std::vector<std::size_t> lines;
    for (std::int64_t k = 0; k < n_stored_; ++k) {
      std::string_view line = next_data(fmt::format("entry {} of {}", k + 1, n_stored_));
      std::int64_t row = 0, column = 0;
      double value = 1, imaginary = 0;
      if (!take(line, row) || !take(line, column) || (!header_.pattern && !take(line, value)) ||
          (header_.complex && !take(line, imaginary)) || !is_blank(line))
        reader_.refuse(header_.pattern ? "expected row and column" : "expected row, column and value");
      if (row < 1 || column < 1 || row > static_cast<std::int64_t>(matrix_.n_rows) ||
          column > static_cast<std::int64_t>(matrix_.n_columns))
        reader_.refuse(fmt::format("entry ({}, {}) lies outside a matrix of {} x {}", row, column, matrix_.n_rows,
                                   matrix_.n_columns));
      if (header_.mirrored && column > row)
        reader_.refuse(
            fmt::format("entry ({}, {}) lies above the diagonal, the lower triangle is expected", row, column));
      add(static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1), value, imaginary);
      lines.push_back(reader_.number());
    }
    refuse_repeats(matrix_, reader_.name(), lines);
  }

  void add(std::int32_t i, std::int32_t j, double value, double imaginary) {
    ++n_read_;
    if (header_.dense && value == 0 && imaginary == 0) return;
    matrix_.entries.push_back({i, j, value});
    if (header_.complex) matrix_.imaginary.push_back(imaginary);
  }

  void mirror() {
    const std::size_t n = matrix_.entries.size();
    for (std::size_t k = 0; k < n; ++k) {
      const CoordinateMatrix::Entry e = matrix_.entries[k];
      if (e.row == e.column) continue;
      matrix_.entries.push_back({e.column, e.row, header_.mirror_sign * e.value});
      if (header_.complex)
        matrix_.imaginary.push_back((header_.conjugate ? -1 : header_.mirror_sign) * matrix_.imaginary[k]);
    }
  }

  LineReader reader_;
  Header header_;
  std::int64_t n_stored_ = 0, n_read_ = 0;
  CoordinateMatrix matrix_;
};

}  // namespace

bool is_matrix_market(std::string_view text) { return lower_case(text.substr(0, mark.size())) == mark; }

CoordinateMatrix parse_matrix_market(std::string_view text, const std::string& name) {
  CoordinateMatrix matrix = MatrixMarketReader(text, name).read();
  matrix.name = name;
  return matrix;
}

}  // namespace microslip::io
