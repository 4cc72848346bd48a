#pragma once

#include <concepts>

namespace microslip {

/// Memory of a rate-form law: where its hysteretic part is. Nothing else of the past matters.
template <class S>
struct PointState {
  S u{0};
  S f{0};
};

/// A rate-form law: its memory is a point, and its loops take several cycles to settle.
template <class Law>
concept ShakesDown = std::same_as<typename Law::State, PointState<typename Law::Scalar>>;

}  // namespace microslip
