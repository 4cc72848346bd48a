#pragma once

#include <Eigen/Core>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip {

/// The matrix in full. Refused where it is complex, or so large that a reduced model cannot be meant.
Eigen::MatrixXd dense(const CoordinateMatrix& matrix);

}  // namespace microslip
