#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <microslip/modal/quasi_static.hpp>

namespace microslip {

/// Solutions at the last two amplitudes: shape and lambda are continued along the logarithm of the amplitude.
class Trend {
 public:
  struct Known {
    double q;
    QuasiStatic::Point x;
  };

  [[nodiscard]] bool empty() const { return known_.empty(); }
  [[nodiscard]] const Known& last() const { return known_.back(); }

  void add(double q, const QuasiStatic::Point& x) {
    if (known_.size() == 2) known_.erase(known_.begin());
    known_.push_back({q, x});
  }

  /// What to expect at q; there must be one solution at least.
  [[nodiscard]] QuasiStatic::Point at(double q) const {
    const Known& a = known_.back();
    QuasiStatic::Point x{(q / a.q) * a.x.y, a.x.lambda};
    if (known_.size() < 2) return x;
    const Known& b = known_.front();
    const double ahead = std::min(1.5, std::log(q / a.q) / std::log(a.q / b.q));
    x.y += ahead * (x.y - (q / b.q) * b.x.y);
    x.lambda += ahead * (a.x.lambda - b.x.lambda);
    return x;
  }

 private:
  std::vector<Known> known_;
};

}  // namespace microslip
