#include <algorithm>
#include <random>

#include <Spectra/SymGEigsShiftSolver.h>

#include <microslip/core/check.hpp>
#include <microslip/structure/eigenpairs.hpp>

namespace microslip {

namespace {

using Function = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// A function as Spectra wants to see it.
struct Operator {
  using Scalar = double;
  Eigen::Index n;
  const Function& apply;

  [[nodiscard]] Eigen::Index rows() const { return n; }
  [[nodiscard]] Eigen::Index cols() const { return n; }
  void set_shift(double) {}  // `solve` is shifted already
  void perform_op(const double* in, double* out) const {
    Eigen::VectorXd::Map(out, n) = apply(Eigen::VectorXd::Map(in, n));
  }
};

}  // namespace

Eigenpairs lowest_eigenpairs(Eigen::Index n, Eigen::Index count, double shift, const Function& solve,
                             const Function& mass) {
  if (count < 1 || count >= n)
    throw InvalidInput(
        fmt::format("{} modes asked of a system of size {}: at least 1 and fewer than its size are "
                    "expected",
                    count, n));
  // The start lies in the range of the operator: coordinates without mass would otherwise keep noise of their own.
  std::mt19937_64 rng(1);
  Eigen::VectorXd start(n);
  for (double& x : start) x = static_cast<double>(rng() >> 11) * 0x1p-53 - 0.5;
  start = solve(mass(start));
  start /= start.norm();

  Operator solver{n, solve}, weight{n, mass};
  const Eigen::Index n_basis = std::min(n, std::max<Eigen::Index>(2 * count + 1, 20));
  Spectra::SymGEigsShiftSolver<Operator, Operator, Spectra::GEigsMode::ShiftInvert> lanczos(solver, weight, count,
                                                                                            n_basis, shift);
  lanczos.init(start.data());
  constexpr int limit = 300;
  const Eigen::Index found =
      lanczos.compute(Spectra::SortRule::LargestMagn, limit, 1e-12, Spectra::SortRule::LargestMagn);
  if (lanczos.info() != Spectra::CompInfo::Successful)
    throw NotConverged(
        fmt::format("{} of {} modes converged after {} restarts of Lanczos", found, count, lanczos.num_iterations()));
  Eigenpairs pairs{.values = lanczos.eigenvalues(), .vectors = lanczos.eigenvectors()};
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return pairs.values(a) < pairs.values(b); });
  Eigenpairs sorted{.values = Eigen::VectorXd(count), .vectors = Eigen::MatrixXd(n, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    sorted.values(i) = pairs.values(order[static_cast<std::size_t>(i)]);
    const Eigen::VectorXd vector = pairs.vectors.col(order[static_cast<std::size_t>(i)]);
    sorted.vectors.col(i) = vector / std::sqrt(vector.dot(mass(vector)));
  }
  return sorted;
}

}  // namespace microslip
