#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace microslip::report {

/// A unit as it is printed: files write "sqrt(kg) m" and "m/s^2 s", pages √kg·m and m/s²·s.
inline std::string unit_text(std::string unit) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"sqrt(kg)", "√kg"}, {"^2", "²"}, {"^3", "³"}, {"√kg m", "√kg·m"}};
  for (const auto& [written, shown] : signs)
    for (auto at = unit.find(written); at != std::string::npos; at = unit.find(written, at + shown.size()))
      unit.replace(at, written.size(), shown);
  if (unit.size() > 2 && unit.compare(unit.size() - 2, 2, " s") == 0) unit.replace(unit.size() - 2, 1, "·");
  return unit;
}

}  // namespace microslip::report
