#include <microslip/core/check.hpp>
#include <microslip/structure/dense.hpp>

namespace microslip {

Eigen::MatrixXd dense(const CoordinateMatrix& matrix) {
  constexpr std::size_t largest = 1UL << 26;  // 512 MB
  if (!matrix.imaginary.empty())
    throw InvalidInput(fmt::format("matrix '{}' is complex, a real one is expected", matrix.name));
  if (matrix.n_rows != 0 && matrix.n_columns > largest / matrix.n_rows)
    throw InvalidInput(fmt::format("matrix '{}' is {} x {}: too large to be used in full, reduce the model first",
                                   matrix.name, matrix.n_rows, matrix.n_columns));
  Eigen::MatrixXd full =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(matrix.n_rows), static_cast<Eigen::Index>(matrix.n_columns));
  for (const auto& entry : matrix.entries) full(entry.row, entry.column) += entry.value;
  return full;
}

}  // namespace microslip
