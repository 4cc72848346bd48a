#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace microslip::report {

/// Okabe and Ito's colours, told apart by colour-blind readers too; the last is the neutral grey.
/// web/src/figure/palette.ts holds the same.
inline constexpr std::array<const char*, 9> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                                       "#56B4E9", "#000000", "#B8A800", "#777777"};

/// The perceptually even scale "viridis" at t in [0, 1]; what is no number is taken for 0.
inline std::string viridis(double t) {
  constexpr std::array<std::array<double, 3>, 9> stops = {{{68, 1, 84},
                                                           {71, 44, 122},
                                                           {59, 81, 139},
                                                           {44, 113, 142},
                                                           {33, 144, 141},
                                                           {39, 173, 129},
                                                           {92, 200, 99},
                                                           {170, 220, 50},
                                                           {253, 231, 37}}};
  const double at = (t > 0 ? std::min(t, 1.0) : 0.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const auto mixed = [&](std::size_t c) {
    return static_cast<int>(std::lround(stops[i][c] + (at - static_cast<double>(i)) * (stops[i + 1][c] - stops[i][c])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

}  // namespace microslip::report
