#pragma once

namespace microslip {

/// Memory of a rate-form law: where its hysteretic part is. Nothing else of the past matters.
template <class S>
struct PointState {
  S u{0};
  S f{0};
};

}  // namespace microslip
