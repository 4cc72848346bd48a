#pragma once

#include <vector>

#include <microslip/identify/modal_problem.hpp>

namespace microslip {

/// A problem, and where its objective is least.
struct ModalChoice {
  ModalProblem problem;
  ModalProblem::Minimum minimum;
  bool macro_slip = false;
  [[nodiscard]] ModalIwan model() const { return problem.model(minimum.x); }
};

/// The points with deviations no smaller than the tolerances; `factor` times their own.
ModalPoints tolerant(ModalPoints points, double factor, double frequency_tolerance, double damping_tolerance);

/// By how many deviations a choice misses the point that it misses most.
double largest_misfit(const ModalChoice& choice);

/// The model whose largest misfit is least: least squares, then rising powers, from the problem's own search and from
/// `from`. Macro-slip is called for only where the model without it misses a point by more than its deviation.
ModalChoice least_largest(const ModalProblem& squares, const ModalIwan& from, bool macro_slip);

/// The same from a neighbour alone: where other values at the choice's points lead.
ModalChoice least_largest(const ModalProblem& squares, const ModalChoice& near);
/// The same for other points, whose scales are their own.
ModalChoice least_largest(const ModalPoints& points, const ModalChoice& near);

/// Fits with a tenth of the amplitudes left out in turn: a jackknife over blocks, for misfit is correlated. By rising
/// powers where the choice was made so. Where the amplitudes that are left do not reach phi_max, they say nothing of
/// it: the least slip force, as in every fit without macro-slip.
std::vector<ModalIwan> left_out(const ModalChoice& choice, bool rising_powers);

}  // namespace microslip
