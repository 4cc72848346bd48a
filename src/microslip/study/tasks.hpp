#pragma once

#include <microslip/optimize/nsga2.hpp>
#include <microslip/study/study.hpp>

namespace microslip::study {

// The questions that a search asks its crew, as plain numbers, and how to read the answers.

/// Objectives of a point [Eq. 42], penalised where the entry says so.
Task evaluate_task(std::size_t entry, std::span<const double> point);
Point read_objectives(const TaskResult& result);  ///< worst_point where the evaluation failed

/// The least value of one objective, or (2) of the sum of both errors' squares, by least squares from a start.
Task single_task(std::size_t entry, std::size_t objective, std::span<const double> start);
/// The front on a ray from the utopian point.
Task ray_task(std::size_t entry, const Point& utopia, double psi, std::span<const double> start);
/// A point found by either; nothing where it failed.
std::optional<Candidate> read_candidate(const TaskResult& result);

/// Backbones and errors of a point in all modes, without penalties.
Task predict_task(std::size_t entry, std::span<const double> point);
std::optional<FrontMember> read_member(const Study& study, std::span<const double> point, const TaskResult& result);

/// Worse than anything that has a value: objectives are logarithms of squared errors.
inline constexpr Point worst_point{1e3, 1e3};

}  // namespace microslip::study
