#pragma once

#include <array>
#include <vector>

#include <microslip/identify/modal.hpp>

namespace microslip {

/// Which variables of a problem stand at a bound.
using BoundsMet = std::array<bool, ModalProblem::n_variables>;

/// Models that other noise, or other points, would have given.
struct Spread {
  ModalIwan previous;     ///< the fit of the round before: the iteration's last step widens the intervals
  ModalIwan counterpart;  ///< with the bias left in if it was taken off, and the reverse: intervals reach as far
  ModalIwan truth;        ///< that the replicas were simulated with
  std::vector<ModalIwan> models;  ///< one per replica
  std::vector<double> values;     ///< their objectives
  std::vector<BoundsMet> at_bound;
  std::vector<ModalIwan> left_out;  ///< one per block of points left out
};

/// 95 % intervals about fit.model: Student's t with the replicas' scatter, widened where the misfit exceeds theirs and
/// by the jackknife where it was asked for. Sets `identifiable` and adds notes about what the data leave open.
void set_intervals(ModalFit& fit, const Spread& spread, const BoundsMet& at_bound, bool viscous);

}  // namespace microslip
