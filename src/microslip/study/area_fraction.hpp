#pragma once

#include <span>

#include <microslip/optimize/front.hpp>

namespace microslip::study {

/// The rectangle of errors that is looked at [Porter2022, Table 4].
struct ErrorBox {
  Point lower, upper;
};

/// Share of the box that no point of the set dominates: 0 for a model that reaches the lower corner, 1 for one that
/// never enters the box [Porter2022, section 3.7 and Fig. 8]. The non-dominated points are joined by straight lines;
/// the ends are extended parallel to the axes; what leaves the box is cut off. Errors on linear scales.
double area_fraction(std::span<const Point> errors, const ErrorBox& box);

}  // namespace microslip::study
