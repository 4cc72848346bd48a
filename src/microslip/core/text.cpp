#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <microslip/core/text.hpp>

namespace microslip {

std::optional<double> parse_number(std::string_view text, bool decimal_comma) {
  text = trim(text);
  std::string with_point;
  if (decimal_comma) {
    with_point.assign(text);
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    text = with_point;
  }
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string time_text(double seconds) {
  const int before_point = std::abs(seconds) >= 1 ? 1 + static_cast<int>(std::log10(std::abs(seconds))) : 0;
  return fmt::format("{:.{}g}", seconds, std::clamp(before_point + 5, 6, 15));
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace microslip
