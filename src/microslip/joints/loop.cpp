#include <array>
#include <string>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/joints/loop.hpp>

namespace microslip {

std::string_view to_string(Framework framework) { return framework == Framework::masing ? "masing" : "reversal"; }

Framework framework_from(std::string_view name) {
  if (name == "masing") return Framework::masing;
  if (name == "reversal") return Framework::reversal;
  const std::array<std::string, 2> known{"masing", "reversal"};
  throw InvalidInput(fmt::format("unknown framework '{}'{}", name, suggestion(name, known)));
}

}  // namespace microslip
