#include <array>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/core/record.hpp>
#include <microslip/core/suggestion.hpp>

namespace microslip {

namespace {

constexpr std::array<std::pair<Quantity, std::string_view>, 6> quantity_names{{{Quantity::unknown, "unknown"},
                                                                               {Quantity::displacement, "displacement"},
                                                                               {Quantity::velocity, "velocity"},
                                                                               {Quantity::acceleration, "acceleration"},
                                                                               {Quantity::force, "force"},
                                                                               {Quantity::strain, "strain"}}};

}  // namespace

std::string_view to_string(Quantity quantity) {
  for (const auto& [value, name] : quantity_names)
    if (value == quantity) return name;
  return "unknown";
}

Quantity quantity_from(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [value, known_name] : quantity_names) {
    if (known_name == name) return value;
    known.emplace_back(known_name);
  }
  throw InvalidInput(fmt::format("unknown quantity '{}'{}", name, suggestion(name, known)));
}

}  // namespace microslip
