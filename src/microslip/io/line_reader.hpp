#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <microslip/core/check.hpp>

namespace microslip::io {

/// Walks through a text line by line, and names file and line in messages. Line ends may be LF or CR LF.
class LineReader {
 public:
  LineReader(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  /// The next line in `line`; false at the end of the text.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  /// The next line; `what` is expected there where the text has ended.
  std::string_view expect(std::string_view what) {
    std::string_view line;
    if (!next(line)) throw InvalidInput(fmt::format("{}: ends after line {}, expected {}", name_, number_, what));
    return line;
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, number_, what));
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string name_;
  std::size_t number_ = 0;
};

/// Takes blanks, then one whole number or number, off the front of a line; false where there is none. A number may
/// have a D exponent or a plus sign, as Fortran writes them.
bool take(std::string_view& line, std::int64_t& value);
bool take(std::string_view& line, double& value);
/// Takes blanks and a comma off the front; false where there is no comma.
bool take_comma(std::string_view& line);
/// Whether only blanks are left.
bool is_blank(std::string_view line);

}  // namespace microslip::io
