#pragma once

#include <deque>
#include <optional>

namespace microslip {

/// How long work will still take, by the fractions that it tells of itself.
///
/// Counted from the first fraction that differs from the one before: until then, files are read or a start is sought,
/// which says nothing about the steps that follow. Nothing is said until 3 % of the work took 2 s, or until 30 s
/// passed: a smaller share of uneven steps may be wrong by any factor. The rate is that of the later half of the time
/// so far, as steps differ in cost.
class TimeLeft {
 public:
  /// Seconds left of work that has reached `fraction` after `seconds`; nothing while there is too little to tell from.
  std::optional<double> at(double seconds, double fraction);

 private:
  struct Mark {
    double seconds, fraction;
  };
  std::optional<double> first_;  ///< fraction that was told
  std::optional<Mark> begun_;
  std::deque<Mark> marks_;  ///< of the later half, and the last before it; no two within 1 % of the time so far
};

}  // namespace microslip
