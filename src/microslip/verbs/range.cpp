#include <cmath>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/verbs/range.hpp>

namespace microslip::verbs {

Range parse_range(const std::string& text, const std::string& what, std::size_t most) {
  const auto refuse = [&] {
    return InvalidInput(
        fmt::format("{} '{}': LO:HI:COUNT is expected, with 0 < LO < HI and COUNT from 2 to {}", what, text, most));
  };
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) throw refuse();
  const auto low = parse_number(parts[0]), high = parse_number(parts[1]), count = parse_number(parts[2]);
  if (!low || !high || !count || !(*low > 0) || !(*high > *low) || !std::isfinite(*high)) throw refuse();
  if (!(*count >= 2 && *count <= static_cast<double>(most)) || *count != std::floor(*count)) throw refuse();
  return {*low, *high, static_cast<std::size_t>(*count)};
}

}  // namespace microslip::verbs
