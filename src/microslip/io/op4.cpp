#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include <microslip/core/text.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/op4.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

namespace {

/// What the header of a matrix says, and the column that is being filled.
struct Building {
  CoordinateMatrix matrix;
  bool big = false;  ///< row numbers stand in words of their own
  bool complex = false;
  int words_per_real = 1;

  /// Empty, or what is wrong with the header.
  std::string open(std::int64_t columns, std::int64_t rows, std::int64_t type, std::string_view title) {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (columns < 0 || columns > largest || rows < -largest || rows > largest)
      return fmt::format("a matrix of {} x {} makes no sense", rows, columns);
    big = rows < 0;
    rows = big ? -rows : rows;
    if (type < 1 || type > 4) return fmt::format("matrix type {}: 1 to 4 is expected", type);
    matrix = {};
    matrix.name = std::string(trim(title));
    matrix.n_rows = static_cast<std::size_t>(rows);
    matrix.n_columns = static_cast<std::size_t>(columns);
    complex = type > 2;
    return "";
  }

  /// Values from a row on; counted from 1. False where they do not fit.
  [[nodiscard]] bool put(std::int64_t column, std::int64_t row, const std::vector<double>& values) {
    const std::size_t step = complex ? 2 : 1;
    const auto count = static_cast<std::int64_t>(values.size() / step);
    // A row of 64 bits may be any: nothing may be added to it before it is known to be small.
    if (values.size() % step != 0 || column < 1 || column > static_cast<std::int64_t>(matrix.n_columns) || row < 1 ||
        row - 1 > static_cast<std::int64_t>(matrix.n_rows) - count)
      return false;
    for (std::size_t i = 0; i < values.size(); i += step) {
      if (values[i] == 0 && (!complex || values[i + 1] == 0)) continue;
      matrix.entries.push_back({static_cast<std::int32_t>(row - 1 + static_cast<std::int64_t>(i / step)),
                                static_cast<std::int32_t>(column - 1), values[i]});
      if (complex) matrix.imaginary.push_back(values[i + 1]);
    }
    return true;
  }
};

constexpr std::int64_t packed = 65536;  // of a string's length and row in one word

class AsciiReader {
 public:
  AsciiReader(std::string_view text, const std::string& name) : reader_(text, name) {}

  std::vector<CoordinateMatrix> read() {
    std::vector<CoordinateMatrix> matrices;
    for (std::string_view line; reader_.next(line);) {
      if (is_blank(line)) continue;
      matrices.push_back(matrix(line));
    }
    return matrices;
  }

 private:
  /// Fields of eight characters: large numbers leave no blanks between them.
  std::int64_t field(std::string_view line, std::size_t index, std::string_view what) const {
    std::string_view text = line.substr(std::min(line.size(), 8 * index), 8);
    std::int64_t value = 0;
    if (!take(text, value) || !is_blank(text)) reader_.refuse(fmt::format("expected {}", what));
    return value;
  }

  CoordinateMatrix matrix(std::string_view line) {
    const std::int64_t columns = field(line, 0, "an OP4 header: columns, rows, form, type, name");
    const std::int64_t type = field(line, 3, "the type of a matrix");
    const std::string wrong = building_.open(columns, field(line, 1, "the number of rows"), type,
                                             line.substr(std::min<std::size_t>(line.size(), 32), 8));
    if (!wrong.empty()) reader_.refuse(wrong);
    building_.words_per_real = type % 2 == 0 ? 2 : 1;
    while (true) {
      const std::string_view header = reader_.expect("a column of matrix '" + building_.matrix.name + "'");
      const std::int64_t column = field(header, 0, "a column: number, first row, words");
      const std::int64_t row = field(header, 1, "the first row of a column");
      const std::int64_t words = field(header, 2, "the number of words of a column");
      if (words < 0) reader_.refuse(fmt::format("a column of {} words", words));
      if (column > columns) {  // closes the matrix; one value follows for form's sake
        if (words > 0) numbers(1);
        return std::move(building_.matrix);
      }
      if (row > 0) {
        if (!building_.put(column, row, numbers(words)))
          reader_.refuse(fmt::format("column {} does not fit the matrix", column));
      } else {
        strings(column, words);
      }
    }
  }

  void strings(std::int64_t column, std::int64_t words) {
    while (words > 0) {
      std::string_view line = reader_.expect("a string of a sparse column");
      std::int64_t first = field(line, 0, "the head of a string"), row = 0, length = 0;
      if (building_.big) {
        row = field(line, 1, "the row of a string");
        length = first - 1;
        words -= 2 + length;
      } else {
        std::string_view whole = line;  // one number, in a field of its own width
        if (!take(whole, first)) reader_.refuse("expected the head of a string");
        length = first / packed - 1;
        row = first % packed;
        words -= 1 + length;
      }
      if (length < 1 || words < 0 || length % building_.words_per_real != 0)
        reader_.refuse(fmt::format("a string of {} words does not fit its column", length));
      if (!building_.put(column, row, numbers(length / building_.words_per_real)))
        reader_.refuse(fmt::format("a string at row {} of column {} does not fit the matrix", row, column));
    }
  }

  std::vector<double> numbers(std::int64_t count) {
    std::vector<double> values;
    while (static_cast<std::int64_t>(values.size()) < count) {
      std::string_view line =
          reader_.expect(fmt::format("{} more values", count - static_cast<std::int64_t>(values.size())));
      if (is_blank(line)) reader_.refuse("expected values");
      while (!is_blank(line)) {
        double value = 0;
        if (!take(line, value)) reader_.refuse("expected a number");
        values.push_back(value);
      }
    }
    if (static_cast<std::int64_t>(values.size()) > count)
      reader_.refuse(fmt::format("{} values where {} were announced", values.size(), count));
    return values;
  }

  LineReader reader_;
  Building building_;
};

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, const std::string& name, bool swap, std::size_t word)
      : bytes_(bytes), name_(name), swap_(swap), word_(word) {}

  std::vector<CoordinateMatrix> read() {
    std::vector<CoordinateMatrix> matrices;
    while (at_ < bytes_.size()) matrices.push_back(matrix());
    return matrices;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw InvalidInput(fmt::format("{}: byte {}: {}", name_, at_, what));
  }

  template <class T>
  T value(std::string_view from, std::size_t offset) const {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), from.data() + offset, sizeof(T));
    if (swap_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  std::int64_t integer(std::string_view from, std::size_t index) const {
    return word_ == 8 ? value<std::int64_t>(from, 8 * index) : value<std::int32_t>(from, 4 * index);
  }

  /// A Fortran record: its length, its bytes, its length again.
  std::string_view record() {
    if (bytes_.size() - at_ < 8) refuse("ends within a record");
    const auto length = static_cast<std::size_t>(value<std::uint32_t>(bytes_, at_));
    if (length > bytes_.size() - at_ - 8) refuse(fmt::format("a record of {} bytes goes beyond the end", length));
    if (value<std::uint32_t>(bytes_, at_ + 4 + length) != length) refuse("a record's two lengths differ");
    const std::string_view content = bytes_.substr(at_ + 4, length);
    at_ += length + 8;
    return content;
  }

  CoordinateMatrix matrix() {
    const std::string_view header = record();
    if (header.size() != 6 * word_)
      refuse(fmt::format("a header of {} bytes, {} are expected", header.size(), 6 * word_));
    const std::int64_t columns = integer(header, 0), type = integer(header, 3);
    const std::string wrong = building_.open(columns, integer(header, 1), type, header.substr(4 * word_));
    if (!wrong.empty()) refuse(wrong);
    real_ = word_ == 8 || type % 2 == 0 ? 8 : 4;
    building_.words_per_real = static_cast<int>(real_ / word_);
    while (true) {
      const std::string_view column_record = record();
      if (column_record.size() < 3 * word_ || column_record.size() % word_ != 0)
        refuse(fmt::format("a column of {} bytes", column_record.size()));
      const std::int64_t column = integer(column_record, 0), row = integer(column_record, 1),
                         words = integer(column_record, 2);
      const std::string_view content = column_record.substr(3 * word_);
      if (words < 0 || static_cast<std::size_t>(words) > content.size() / word_)
        refuse(fmt::format("column {} announces {} words and has {}", column, words, content.size() / word_));
      if (column > columns) return std::move(building_.matrix);
      if (row > 0) {
        put(column, row, content, words);
      } else {
        strings(column, content.substr(0, static_cast<std::size_t>(words) * word_));
      }
    }
  }

  void put(std::int64_t column, std::int64_t row, std::string_view content, std::int64_t words) {
    if (words % building_.words_per_real != 0) refuse(fmt::format("{} words do not make whole numbers", words));
    std::vector<double> values;
    for (std::int64_t i = 0; i < words / building_.words_per_real; ++i) {
      const std::size_t offset = static_cast<std::size_t>(i) * real_;
      values.push_back(real_ == 8 ? value<double>(content, offset) : value<float>(content, offset));
    }
    if (!building_.put(column, row, values))
      refuse(fmt::format("values from row {} of column {} do not fit the matrix", row, column));
  }

  void strings(std::int64_t column, std::string_view content) {
    while (!content.empty()) {
      const std::size_t heads = building_.big ? 2 : 1;
      if (content.size() < heads * word_) refuse("a column ends within a string");
      const std::int64_t first = integer(content, 0);
      const std::int64_t row = building_.big ? integer(content, 1) : first % packed;
      const std::int64_t length = std::max<std::int64_t>(building_.big ? first : first / packed, 1) - 1;
      content.remove_prefix(heads * word_);
      if (length < 1 || static_cast<std::size_t>(length) > content.size() / word_)
        refuse(fmt::format("a string of {} words does not fit its column", length));
      put(column, row, content, length);
      content.remove_prefix(static_cast<std::size_t>(length) * word_);
    }
  }

  std::string_view bytes_;
  std::string name_;
  bool swap_;
  std::size_t word_, real_ = 8, at_ = 0;
  Building building_;
};

}  // namespace

std::vector<CoordinateMatrix> parse_op4(std::string_view bytes, const std::string& name) {
  // A binary file begins with the length of its first header: six words of 32 or 64 bits, in either byte order.
  std::vector<CoordinateMatrix> matrices;
  std::uint32_t first = 0;
  if (bytes.size() >= 4) std::memcpy(&first, bytes.data(), 4);
  const std::uint32_t swapped = __builtin_bswap32(first);
  if (first == 24 || first == 48) {
    matrices = BinaryReader(bytes, name, false, first / 6).read();
  } else if (swapped == 24 || swapped == 48) {
    matrices = BinaryReader(bytes, name, true, swapped / 6).read();
  } else {
    matrices = AsciiReader(bytes, name).read();
  }
  if (matrices.empty()) throw InvalidInput(fmt::format("{}: no matrix in it, an OP4 file is expected", name));
  for (const CoordinateMatrix& matrix : matrices) refuse_repeats(matrix, name);
  return matrices;
}

}  // namespace microslip::io
