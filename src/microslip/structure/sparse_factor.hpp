#pragma once

#include <memory>
#include <string>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace microslip {

/// Factors of a sparse symmetric matrix, definite or not (saddle points included), by MUMPS.
class SparseFactor {
 public:
  /// Both triangles are expected; one is used. Refused where the matrix is singular; `what` begins the message.
  SparseFactor(const Eigen::SparseMatrix<double>& matrix, std::string what);
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;
  ~SparseFactor();

  /// The solutions for all columns at once.
  [[nodiscard]] Eigen::MatrixXd solve(Eigen::MatrixXd right) const;
  /// How many eigenvalues of the matrix are negative (Sylvester).
  [[nodiscard]] Eigen::Index n_negative() const;
  [[nodiscard]] Eigen::Index size() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace microslip
