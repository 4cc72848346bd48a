#pragma once

#include <string>

namespace microslip::verbs {

/// LO:HI:COUNT as it is typed.
struct Range {
  double low = 0, high = 0;
  std::size_t count = 0;
};

/// Refused where not 0 < LO < HI or COUNT is no whole number from 2 to `most`. `what` names it in the complaint.
Range parse_range(const std::string& text, const std::string& what, std::size_t most);

}  // namespace microslip::verbs
