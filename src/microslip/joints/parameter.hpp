#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <microslip/core/check.hpp>
#include <microslip/core/dual.hpp>

namespace microslip {

/// Where a parameter may lie, and why not elsewhere.
struct Range {
  double lower = 0;
  double upper = 0;
  bool lower_open = false;
  bool upper_open = false;
  std::string_view reason;  ///< what goes wrong outside

  [[nodiscard]] constexpr bool holds(double x) const {
    const bool above = lower_open ? x > lower : x >= lower;
    const bool below = upper_open ? x < upper : x <= upper;
    return above && below;  // false for NaN
  }
};

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

constexpr Range above_zero(std::string_view reason) { return {0, unbounded, true, true, reason}; }
constexpr Range from_zero(std::string_view reason) { return {0, unbounded, false, true, reason}; }

std::string to_string(const Range& range);

/// One row of a law's parameter table. It serves the models list, files, Python and checks alike.
template <class Law>
struct Parameter {
  std::string_view name;     ///< the one name of the quantity, everywhere
  std::string_view symbol;   ///< as in the papers
  std::string_view unit;     ///< SI; "force" parameters of a traction law are per area
  std::string_view meaning;  ///< one line
  Range range;
  double start;   ///< where a slider starts; never filled in silently
  bool required;  ///< false: zero (or the law's stated constant) when absent
  typename Law::Scalar Law::*member;
};

/// The row that every law shares: a linear spring beside the hysteretic part [Porter2022, Eq. 30].
template <class Law>
constexpr Parameter<Law> post_slip_row(bool required = false) {
  return {"post_slip_stiffness",
          "k_p",
          "N/m",
          "linear stiffness left after slip, beside the law's own",
          from_zero("a negative spring would make the joint unstable"),
          0,
          required,
          &Law::post_slip_stiffness};
}

/// The law, if its parameters are physical. Called where laws enter the library, not in `evaluate`.
template <class Law>
Law checked(const Law& law) {
  for (const auto& row : Law::parameters()) {
    const double x = value_of(law.*row.member);
    if (!row.range.holds(x))
      throw InvalidInput(fmt::format("{}.{} must lie in {}, got {}: {}", Law::name, row.name, to_string(row.range), x,
                                     row.range.reason));
  }
  if constexpr (requires { law.conflict(); }) {
    if (const std::optional<std::string> conflict = law.conflict())
      throw InvalidInput(fmt::format("{}: {}", Law::name, *conflict));
  }
  return law;
}

}  // namespace microslip
