#pragma once

#include <cstddef>
#include <vector>

#include <microslip/identify/modal.hpp>
#include <microslip/identify/modal_problem.hpp>

namespace microslip {

/// Refuses decays whose columns do not belong together, or recorded in no way that can be simulated.
void check_decays(const std::vector<MeasuredDecay>& decays);

/// Which points of a decay may be fitted: those without a flag; also those whose flags tell of the estimator alone,
/// which replicas take off; all.
enum class Trust { unflagged, through_replicas, all };

struct Place {
  std::size_t decay, point;
};

inline constexpr std::size_t least_points = 8;  ///< that a fit needs

/// Where the points to fit are: at most `most` of each decay, evenly spread. Refused where they are too few.
std::vector<Place> places_of(const std::vector<MeasuredDecay>& decays, Trust trust, std::size_t most);

/// Deviations below these are not believed: the relative frequency, and ln damping.
inline constexpr double least_frequency_deviation = 1e-6, least_damping_deviation = 1e-3;

/// Their values, with the deviations that the measured bands stand for.
ModalPoints points_at(const std::vector<MeasuredDecay>& decays, const std::vector<Place>& places);

}  // namespace microslip
