#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>

namespace microslip::verbs {

/// The value that goes by a name. An unknown name is refused, with the nearest known one.
template <class Value, std::size_t N>
Value choice(std::string_view what, const std::string& name,
             const std::array<std::pair<const char*, Value>, N>& table) {
  std::vector<std::string> known;
  for (const auto& [text, value] : table) {
    if (name == text) return value;
    known.emplace_back(text);
  }
  throw InvalidInput(fmt::format("unknown {} '{}'{}", what, name, suggestion(name, known)));
}

}  // namespace microslip::verbs
