#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

int interval_digits(const std::optional<double>& lower, const std::optional<double>& upper, int least) {
  if (!lower || !upper) return least;
  const double width = std::abs(*upper - *lower), largest = std::max(std::abs(*lower), std::abs(*upper));
  if (!(width > 0) || !std::isfinite(largest)) return least;
  const double places =
      std::floor(std::log10(largest)) - std::floor(std::log10(width));  // from the first to the width's
  return std::clamp(static_cast<int>(places) + 2, least, std::numeric_limits<double>::max_digits10);
}

std::string interval_text(const std::optional<double>& lower, const std::optional<double>& upper, int least) {
  const int digits = interval_digits(lower, upper, least);
  const auto end = [&](const std::optional<double>& x) {
    return x ? fmt::format("{:.{}g}", *x, digits) : std::string("open");
  };
  return fmt::format("[{}, {}]", end(lower), end(upper));
}

io::Json interval_json(const std::optional<double>& lower, const std::optional<double>& upper) {
  io::Json ends = io::Json::array();
  for (const auto* end : {&lower, &upper}) ends.push_back(*end ? io::Json(**end) : io::Json(nullptr));
  return ends;
}

}  // namespace microslip::verbs
