#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/core/printable.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/bytes.hpp>
#include <microslip/io/uff.hpp>

namespace microslip::io {

namespace {

/// Text of any encoding as UTF-8: bytes that are not UTF-8 are read as Latin-1.
std::string utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      result += static_cast<char>(0xC0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

/// A text field; NONE and blanks are nothing.
std::string field(std::string_view line, std::size_t from, std::size_t width) {
  if (from >= line.size()) return "";
  const std::string_view text = trim(line.substr(from, width));
  return text == "NONE" ? "" : utf8(text);
}

int integer(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int integer_field(std::string_view line, std::size_t from, std::size_t width) {
  return from >= line.size() ? 0 : integer(line.substr(from, width));
}

/// Walks over Fortran's numbers: D exponents, exponents of three digits without a letter, and neighbours without a
/// blank between them.
class NumberScanner {
 public:
  explicit NumberScanner(std::string_view text) : text_(text) {}

  /// The next number; nothing at the end or at something else (see `stuck`).
  std::optional<double> next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return std::nullopt;
    const std::size_t start = at_;
    std::size_t end = at_;
    const auto digits = [&] {
      const std::size_t from = end;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      return end - from;
    };
    const auto sign = [&](std::size_t at) { return at < text_.size() && (text_[at] == '+' || text_[at] == '-'); };
    if (sign(end)) ++end;
    std::size_t mantissa = digits();
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      mantissa += digits();
    }
    const std::size_t mantissa_end = end;
    std::string_view exponent;
    if (mantissa > 0 && end < text_.size() && std::string_view("eEdDqQ").find(text_[end]) != std::string_view::npos) {
      ++end;
      const std::size_t from = end;
      if (sign(end)) ++end;
      if (digits() > 0)
        exponent = text_.substr(from, end - from);
      else
        end = mantissa_end;
    } else if (mantissa > 0 && sign(end)) {
      ++end;
      if (digits() == 3 && (end == text_.size() || text_[end] != '.'))
        exponent = text_.substr(mantissa_end, end - mantissa_end);
      else
        end = mantissa_end;
    }
    char buffer[80];
    const std::string_view head = text_.substr(start, mantissa_end - start);
    if (mantissa == 0 || head.size() + exponent.size() + 2 > sizeof buffer) return special();
    char* to = std::copy(head.begin() + (head.front() == '+' ? 1 : 0), head.end(), buffer);
    if (!exponent.empty()) {
      *to++ = 'e';
      to = std::copy(exponent.begin(), exponent.end(), to);
    }
    double value = 0;
    const auto [stop, error] = std::from_chars(buffer, to, value);
    if (error == std::errc::result_out_of_range)
      value = !exponent.empty() && exponent.front() == '-' ? 0.0 : std::numeric_limits<double>::infinity();
    else if (error != std::errc{} || stop != to)
      return std::nullopt;
    at_ = end;
    return value;
  }
  /// Is there something left that is no number?
  [[nodiscard]] bool stuck() const { return at_ < text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

 private:
  /// NaN and Infinity, as some programs print them.
  std::optional<double> special() {
    std::size_t end = at_;
    while (end < text_.size() && std::isspace(static_cast<unsigned char>(text_[end])) == 0) ++end;
    const auto value = parse_number(text_.substr(at_, end - at_));
    if (!value || std::isfinite(*value)) return std::nullopt;
    at_ = end;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  Parser(std::string_view bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {}

  UffFile parse() {
    bool begun = false;
    while (at_ < bytes_.size()) {
      const std::size_t offset = at_;
      const std::string_view line = next_line();
      if (trim(line).empty()) continue;
      if (!is_delimiter(line)) {
        if (!begun && offset > 4096) break;
        if (file_.warnings.size() < 20)
          file_.warnings.push_back(fmt::format("byte {}: text outside of any data set is skipped", offset));
        continue;
      }
      begun = true;
      data_set();
    }
    if (!begun) throw InvalidInput(fmt::format("{}: no line with -1: not a universal file", source_));
    return std::move(file_);
  }

 private:
  std::string_view next_line() {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view line = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  static bool is_delimiter(std::string_view line) { return trim(line) == "-1"; }

  [[noreturn]] void refuse(std::size_t offset, const std::string& what) const {
    throw InvalidInput(fmt::format("{}: byte {}: {}", source_, offset, what));
  }

  void data_set() {
    std::size_t offset = at_;
    std::string_view line = next_line();
    while (at_ < bytes_.size() && (is_delimiter(line) || trim(line).empty())) {  // an empty set, or out of step
      offset = at_;
      line = next_line();
    }
    if (trim(line).empty() || is_delimiter(line)) return;
    UffSet set;
    const std::string_view head = trim(line);
    const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), set.number);
    if (error != std::errc{} || set.number <= 0)
      refuse(offset, fmt::format("the number of a data set is expected, got '{}'", utf8(head.substr(0, 20))));
    set.binary = end != head.data() + head.size() && (*end == 'b' || *end == 'B');
    set.offset = at_;
    if (set.number == 58) {
      const std::size_t tail = static_cast<std::size_t>(end - head.data()) + 1;
      if (set.binary)
        binary_function(head.substr(std::min(tail, head.size())));
      else
        text_function();
    } else if (set.number == 164) {
      units();
    }
    if (set.number != 58) at_ = set.offset;
    find_end(set, offset);
    file_.sets.push_back(set);
  }

  /// From wherever the content ended to behind the delimiter.
  void find_end(UffSet& set, std::size_t set_offset) {
    bool skipped = false;
    while (at_ < bytes_.size()) {
      const std::size_t offset = at_;
      const std::string_view line = next_line();
      if (is_delimiter(line)) {
        set.size = offset - set.offset;
        if (skipped && set.number == 58)
          file_.warnings.push_back(fmt::format("byte {}: data beyond what data set 58 declares are skipped", offset));
        return;
      }
      skipped = skipped || !trim(line).empty();
      ++set.lines;
    }
    set.size = bytes_.size() - set.offset;
    refuse(set_offset, fmt::format("data set {} has no -1 at its end: truncated", set.number));
  }

  void units() {
    const std::string_view title = next_line();
    file_.units.name = field(title, 10, 20);
    const std::size_t offset = at_;
    std::vector<double> factors;
    NumberScanner scan(next_line());
    while (const auto factor = scan.next()) factors.push_back(*factor);
    if (factors.size() < 2 || !(factors[0] > 0) || !(factors[1] > 0) || !std::isfinite(factors[0] * factors[1]))
      refuse(offset, "data set 164 must give positive factors of length and force");
    file_.units.length = factors[0];
    file_.units.force = factors[1];
    if (factors.size() > 2) file_.units.temperature = factors[2];
    file_.has_units = true;
  }

  static UffAxis axis(std::string_view line) {
    UffAxis result;
    result.type = integer_field(line, 0, 10);
    result.length_exponent = integer_field(line, 10, 5);
    result.force_exponent = integer_field(line, 15, 5);
    result.temperature_exponent = integer_field(line, 20, 5);
    result.label = field(line, 26, 20);
    result.unit = field(line, 47, 40);  // wider than 20: bytes of UTF-8 push it to the right
    return result;
  }

  struct Shape {
    std::size_t count;      ///< values, as declared
    std::size_t per_value;  ///< numbers to a value: ordinate, imaginary part, abscissa
  };

  /// The eleven records of the header.
  Shape header(UffFunction& function) {
    for (std::string& line : function.id) line = field(next_line(), 0, 80);
    const std::string_view dof = next_line();
    function.type = integer_field(dof, 0, 5);
    function.number = integer_field(dof, 5, 10);
    function.version = integer_field(dof, 15, 5);
    function.load_case = integer_field(dof, 20, 10);
    function.response_name = field(dof, 31, 10);
    function.response_node = integer_field(dof, 41, 10);
    function.response_direction = integer_field(dof, 51, 4);
    function.reference_name = field(dof, 56, 10);
    function.reference_node = integer_field(dof, 66, 10);
    function.reference_direction = integer_field(dof, 76, 4);

    const std::size_t offset = at_;
    std::vector<double> form;
    NumberScanner scan(next_line());
    while (const auto number = scan.next()) form.push_back(*number);
    if (form.size() < 3) refuse(offset, "the seventh record of data set 58 must give data type, count and spacing");
    const int type = form[0] >= 0 && form[0] < 100 ? static_cast<int>(form[0]) : 0;
    if (type != 2 && type != 4 && type != 5 && type != 6)
      refuse(offset, fmt::format("ordinate data type {} is none of 2, 4 (real), 5, 6 (complex)", form[0]));
    function.complex = type >= 5;
    function.double_precision = type == 4 || type == 6;
    if (!(form[1] >= 0) || form[1] > 4e9) refuse(offset, fmt::format("{} values are declared", form[1]));
    function.even = form[2] != 0;
    form.resize(6, 0.0);
    function.start = form[3];
    function.increment = form[4];
    function.z = form[5];
    for (UffAxis* a : {&function.abscissa, &function.ordinate, &function.denominator, &function.z_axis})
      *a = axis(next_line());
    return {static_cast<std::size_t>(form[1]), std::size_t{1} + (function.complex ? 1 : 0) + (function.even ? 0 : 1)};
  }

  void keep(UffFunction&& function, std::size_t offset) {
    file_.functions.push_back(std::move(function));
    file_.function_offsets.push_back(offset);
  }

  /// Sorts a stream of numbers into abscissa, real and imaginary parts.
  static void place(UffFunction& function, std::size_t index, std::size_t per_value, double number) {
    std::size_t part = index % per_value;
    if (function.even) ++part;  // no abscissa
    (part == 0 ? function.x : part == 1 ? function.values : function.imaginary).push_back(number);
  }

  void text_function() {
    const std::size_t start = at_;
    UffFunction function;
    const Shape shape = header(function);
    const std::size_t wanted = shape.count * shape.per_value;
    std::size_t got = 0;
    while (got < wanted && at_ < bytes_.size()) {
      const std::size_t offset = at_;
      const std::string_view line = next_line();
      if (is_delimiter(line)) {
        at_ = offset;
        break;
      }
      NumberScanner scan(line);
      while (got < wanted) {
        const auto number = scan.next();
        if (!number) break;
        place(function, got++, shape.per_value, *number);
      }
      if (scan.stuck() && got < wanted)
        refuse(offset + scan.at(), fmt::format("'{}' is not a number", utf8(trim(scan.rest()).substr(0, 20))));
    }
    if (got % shape.per_value != 0) refuse(at_, "the last value of data set 58 is incomplete: truncated");
    if (got < wanted)
      file_.warnings.push_back(fmt::format("byte {}: data set 58 declares {} values and holds {}", start, shape.count,
                                           got / shape.per_value));
    keep(std::move(function), start);
  }

  void binary_function(std::string_view form) {
    const std::size_t start = at_;
    NumberScanner scan(form);
    std::array<double, 4> numbers{};  // byte order, floating point format, lines, bytes
    for (double& number : numbers) number = scan.next().value_or(0);
    if (numbers[0] != 1 && numbers[0] != 2)
      refuse(start, fmt::format("byte order {} of data set 58b is neither 1 (little) nor 2 (big)", numbers[0]));
    if (numbers[1] != 2)
      refuse(start, fmt::format("floating point format {} of data set 58b is not 2 (IEEE 754)", numbers[1]));
    const std::endian order = numbers[0] == 1 ? std::endian::little : std::endian::big;
    const auto declared = numbers[3] >= 0 && numbers[3] < 1e15 ? static_cast<std::size_t>(numbers[3]) : 0;

    UffFunction function;
    const Shape shape = header(function);
    const std::size_t left = bytes_.size() - at_;
    const std::size_t width = function.double_precision ? 8 : 4;
    // An uneven abscissa has four bytes by the specification, eight by some programs: the declared size tells.
    std::size_t x_width = function.even ? 0 : 4;
    const std::size_t ordinates = width * (function.complex ? 2 : 1);
    if (!function.even && declared == shape.count * (8 + ordinates)) x_width = 8;
    const std::size_t per_value = x_width + ordinates;
    std::size_t count = shape.count;
    if (declared != count * per_value) {
      file_.warnings.push_back(fmt::format("byte {}: data set 58b declares {} bytes for {} values, which need {}",
                                           start, declared, count, count * per_value));
      if (declared > 0) count = std::min(count, declared / per_value);
    }
    if (count > left / per_value)
      refuse(at_, fmt::format("data set 58b needs {} bytes, only {} are left: truncated", count * per_value, left));
    ByteReader from(bytes_.substr(at_, count * per_value), order, at_);
    const auto number = [&](std::size_t size) {
      return size == 8 ? from.number<double>("a value") : static_cast<double>(from.number<float>("a value"));
    };
    function.values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (x_width > 0) function.x.push_back(number(x_width));
      function.values.push_back(number(width));
      if (function.complex) function.imaginary.push_back(number(width));
    }
    at_ += std::max(count * per_value, std::min(declared, left));
    keep(std::move(function), start);
  }

  std::string_view bytes_;
  std::string source_;
  UffFile file_;
  std::size_t at_ = 0;
};

}  // namespace

UffFile parse_uff(std::string_view bytes, const std::string& source) { return Parser(bytes, source).parse(); }

}  // namespace microslip::io
