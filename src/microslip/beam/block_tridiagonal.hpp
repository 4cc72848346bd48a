#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

namespace microslip::beam {

/// A matrix of B x B blocks on three diagonals: what a chain of beam elements assembles to.
/// Elimination runs along the chain without exchanging blocks; each pivot block is the stiffness of the part of the
/// beam already passed plus the next element, regular but at that part's own resonances.
template <int B>
class BlockTridiagonal {
 public:
  using Block = Eigen::Matrix<double, B, B>;
  using Vector = Eigen::Matrix<double, B, 1>;

  explicit BlockTridiagonal(std::size_t n)
      : diagonal(n, Block::Zero()), upper(n, Block::Zero()), lower(n, Block::Zero()) {}

  std::vector<Block> diagonal;
  std::vector<Block> upper;  ///< (i, i + 1)
  std::vector<Block> lower;  ///< (i + 1, i)

  /// x with (this matrix) x = right.
  [[nodiscard]] std::vector<Vector> solve(std::vector<Vector> right) const {
    const std::size_t n = diagonal.size();
    std::vector<Block> reduced(n);  // inverse of the pivot block times `upper`
    Block pivot = diagonal[0];
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::PartialPivLU<Block> lu(pivot);
      right[i] = lu.solve(right[i]);
      if (i + 1 == n) break;
      reduced[i] = lu.solve(upper[i]);
      pivot = diagonal[i + 1] - lower[i] * reduced[i];
      right[i + 1] -= lower[i] * right[i];
    }
    for (std::size_t i = n - 1; i-- > 0;) right[i] -= reduced[i] * right[i + 1];
    return right;
  }

  /// The number of negative eigenvalues of a symmetric matrix (Sylvester's law of inertia).
  [[nodiscard]] int negative_eigenvalues() const {
    int count = 0;
    Block pivot = diagonal[0];
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      Block rest = pivot;
      for (int k = 0; k < B; ++k) {
        double d = rest(k, k);
        if (d == 0) d = std::numeric_limits<double>::min();
        if (d < 0) ++count;
        for (int r = k + 1; r < B; ++r)
          for (int c = k + 1; c < B; ++c) rest(r, c) -= rest(r, k) * rest(k, c) / d;
      }
      if (i + 1 < diagonal.size()) pivot = diagonal[i + 1] - lower[i] * pivot.partialPivLu().solve(upper[i]);
    }
    return count;
  }
};

}  // namespace microslip::beam
