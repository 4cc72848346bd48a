#include <algorithm>
#include <array>
#include <charconv>

#include <microslip/io/line_reader.hpp>

namespace microslip::io {

namespace {

void skip_blanks(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  line.remove_prefix(first == std::string_view::npos ? line.size() : first);
}

template <class Number>
bool convert(std::string_view& line, Number& value) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

}  // namespace

bool take(std::string_view& line, std::int64_t& value) {
  skip_blanks(line);
  if (!line.empty() && line.front() == '+') line.remove_prefix(1);
  return convert(line, value);
}

bool take(std::string_view& line, double& value) {
  skip_blanks(line);
  if (!line.empty() && line.front() == '+') line.remove_prefix(1);
  std::string_view rest = line;
  if (!convert(rest, value)) return false;
  const auto at_exponent = [](std::string_view text) {
    return text.size() > 1 && (text[0] == 'D' || text[0] == 'd') &&
           (text[1] == '+' || text[1] == '-' || (text[1] >= '0' && text[1] <= '9'));
  };
  // Three-digit exponents may drop their letter in Fortran: 1.234-105.
  const bool bare_sign = rest.size() > 1 && (rest[0] == '+' || rest[0] == '-') && rest[1] >= '0' && rest[1] <= '9' &&
                         line.substr(0, line.size() - rest.size()).find_first_of("eE") == std::string_view::npos;
  if (!at_exponent(rest) && !bare_sign) {
    line = rest;
    return true;
  }
  std::string_view exponent = rest;
  if (at_exponent(rest)) exponent.remove_prefix(1);
  std::int64_t power = 0;
  if (!take(exponent, power)) return false;
  const std::size_t mantissa = line.size() - rest.size();
  std::array<char, 64> spelt{};
  if (mantissa + 8 > spelt.size() || power > 999 || power < -999) return false;
  const auto end = std::copy(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(mantissa), spelt.begin());
  const auto written = fmt::format_to_n(end, 8, "e{}", power);
  const auto [last, error] = std::from_chars(spelt.data(), written.out, value);
  if (error != std::errc{} || last != written.out) return false;
  line = exponent;
  return true;
}

bool take_comma(std::string_view& line) {
  skip_blanks(line);
  if (line.empty() || line.front() != ',') return false;
  line.remove_prefix(1);
  return true;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace microslip::io
