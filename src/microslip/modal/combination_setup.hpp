#pragma once

#include <span>

#include <microslip/modal/combinations.hpp>
#include <microslip/modal/rqnma.hpp>

namespace microslip {

/// The joint that a point of a combination's searched space stands for.
Joint joint_at(const Combination& combination, std::span<const double> point);

/// Makes RQNMA run as a combination says, but for what the paper only did because it had to: loops are traced until
/// they close, and what a traced loop loses is taken from the laws themselves. The paper's number of quadrature points
/// is kept for whoever asks for modal dissipation.
void set_up(RqnmaOptions& options, const Combination& combination);

/// The same from scratch: frequency and damping alone, no shapes.
RqnmaOptions rqnma_options(const Combination& combination, double preload);

}  // namespace microslip
