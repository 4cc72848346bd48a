#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <microslip/core/check.hpp>
#include <microslip/structure/saddle.hpp>
#include <microslip/structure/sparse_factor.hpp>

namespace microslip {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// Adds `scale` times a block, and its transpose where it stands off the diagonal.
void add_block(Triplets& entries, const Sparse& block, Eigen::Index row, Eigen::Index column, double scale) {
  for (Eigen::Index j = 0; j < block.outerSize(); ++j)
    for (Sparse::InnerIterator entry(block, j); entry; ++entry) {
      const auto i = static_cast<int>(row + entry.row()), k = static_cast<int>(column + entry.col());
      entries.emplace_back(i, k, scale * entry.value());
      if (row != column) entries.emplace_back(k, i, scale * entry.value());
    }
}

/// Coordinates, as many as rigid motions, that hold a floating structure without straining it: those that tell the
/// motions apart best.
std::vector<Eigen::Index> isostatic_supports(const Eigen::MatrixXd& rigid) {
  // Pivoting over all coordinates at once: the columns of rigid^T with the largest independent parts come first.
  Eigen::MatrixXd rest = rigid;
  std::vector<Eigen::Index> supports;
  for (Eigen::Index i = 0; i < rigid.cols(); ++i) {
    Eigen::Index pivot = 0;
    rest.rowwise().squaredNorm().maxCoeff(&pivot);
    supports.push_back(pivot);
    const Eigen::RowVectorXd direction = rest.row(pivot).normalized();
    rest -= (rest * direction.transpose()) * direction;
  }
  return supports;
}

/// Stiffness of an average coordinate: brings the constraints to the scale of the structure.
double typical(const Sparse& matrix) { return matrix.diagonal().mean(); }

}  // namespace

StaticShapes static_shapes(const Sparse& stiffness, const Sparse& mass, const Sparse& load, const Sparse& gram,
                           const Eigen::MatrixXd& rigid, const Progress& progress) {
  const Eigen::Index n = stiffness.rows(), n_q = gram.rows();
  const double scale = typical(stiffness) / typical(gram);
  std::vector<bool> held(static_cast<std::size_t>(n), false);
  Triplets entries;
  for (Eigen::Index support : isostatic_supports(rigid)) held[static_cast<std::size_t>(support)] = true;
  add_block(entries, stiffness, 0, 0, 1);
  add_block(entries, load, n, 0, scale);
  const auto touches_support = [&](const Eigen::Triplet<double>& e) {
    return (e.row() < n && held[static_cast<std::size_t>(e.row())]) ||
           (e.col() < n && held[static_cast<std::size_t>(e.col())]);
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), touches_support), entries.end());
  for (Eigen::Index i = 0; i < n; ++i)
    if (held[static_cast<std::size_t>(i)])
      entries.emplace_back(static_cast<int>(i), static_cast<int>(i), typical(stiffness));
  Sparse saddle(n + n_q, n + n_q);
  saddle.setFromTriplets(entries.begin(), entries.end());
  entries = {};

  progress.at(0, "factorising the constrained stiffness");
  const SparseFactor factor(saddle, "the stiffness with the interface held");
  StaticShapes result{.shapes = Eigen::MatrixXd(n, n_q), .stiffness = Eigen::MatrixXd(n_q, n_q), .residual = 0};
  Eigen::MatrixXd forces(n_q, n_q);
  constexpr Eigen::Index batch = 64;
  for (Eigen::Index first = 0; first < n_q; first += batch) {
    if (progress.stopped()) throw NotConverged("stopped while solving for static shapes");
    const Eigen::Index width = std::min(batch, n_q - first);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + n_q, width);
    right.bottomRows(n_q) = scale * Eigen::MatrixXd(gram.middleCols(first, width));
    const Eigen::MatrixXd solution = factor.solve(std::move(right));
    result.shapes.middleCols(first, width) = solution.topRows(n);
    forces.middleCols(first, width) = scale * solution.bottomRows(n_q);
    progress.at(static_cast<double>(first + width) / static_cast<double>(n_q), "static shapes");
  }
  // K x + load^T f = 0 and load x = gram give x^T K x = -gram^T f.
  result.stiffness = -(gram.transpose() * forces);
  result.stiffness = (0.5 * (result.stiffness + result.stiffness.transpose())).eval();

  const Eigen::MatrixXd reaction = load.transpose() * forces;
  // Against the largest of them: a shape that strains nothing, such as the joint opening, has no force of its own.
  // Where none strains anything, against what rounding of a unit displacement may leave.
  const double scale_of_forces = std::max(reaction.colwise().norm().maxCoeff(), 1e-8 * stiffness.diagonal().maxCoeff());
  for (Eigen::Index j = 0; j < n_q; ++j) {
    const double miss = (stiffness * result.shapes.col(j) + reaction.col(j)).norm();
    result.residual = std::max(result.residual, miss / scale_of_forces);
  }
  if (!(result.residual < 1e-6))
    throw NotConverged(
        fmt::format("static shapes miss equilibrium by {:.3g} of the largest force: the structure floats "
                    "in more ways than its rigid motions and the joint's",
                    result.residual));
  if (rigid.cols() > 0) result.shapes -= rigid * (rigid.transpose() * (mass * result.shapes));
  return result;
}

namespace {

/// Structure, constraints and springs of the problem (1) of the header, shifted.
struct ShiftedProblem {
  const Sparse &stiffness, &mass, &load, &gram, &springs;
  double scale;  ///< of the constraints

  [[nodiscard]] bool sprung() const { return springs.size() != 0; }
  [[nodiscard]] Sparse at(double shift) const {
    const Eigen::Index n = stiffness.rows(), n_q = gram.rows();
    Triplets entries;
    add_block(entries, stiffness, 0, 0, 1);
    add_block(entries, mass, 0, 0, -shift);
    add_block(entries, load, n, 0, scale);
    if (sprung()) {
      add_block(entries, springs, n + n_q, n + n_q, 1);
      add_block(entries, gram, n, n + n_q, -scale);
    }
    const Eigen::Index size = n + (sprung() ? 2 : 1) * n_q;
    Sparse system(size, size);
    system.setFromTriplets(entries.begin(), entries.end());
    return system;
  }
};

ConstrainedModes modes_above(const ShiftedProblem& problem, const SparseFactor& factor, double shift,
                             const Eigen::MatrixXd& rigid, Eigen::Index count) {
  const Eigen::Index n = problem.stiffness.rows(), n_q = problem.gram.rows();
  const auto solve = [&](const Eigen::VectorXd& b) {
    Eigen::VectorXd right = Eigen::VectorXd::Zero(factor.size());
    right.head(n) = b;
    return Eigen::VectorXd(factor.solve(right));
  };
  const auto solve_without_rigid = [&](const Eigen::VectorXd& b) {
    Eigen::VectorXd x = solve(b).head(n);
    if (rigid.cols() > 0) x -= rigid * (rigid.transpose() * (problem.mass * x));
    return x;
  };
  ConstrainedModes modes;
  modes.pairs = lowest_eigenpairs(n, count, shift, solve_without_rigid,
                                  [&](const Eigen::VectorXd& x) { return Eigen::VectorXd(problem.mass * x); });
  // Once more through the factors, for the constraint forces that belong to each mode: they close the balance.
  for (Eigen::Index i = 0; i < count; ++i) {
    const double lambda = modes.pairs.values(i);
    const Eigen::VectorXd x = modes.pairs.vectors.col(i), inertia = problem.mass * x;
    const Eigen::VectorXd forces = (lambda - shift) * problem.scale * solve(inertia).segment(n, n_q);
    const Eigen::VectorXd miss = problem.stiffness * x + problem.load.transpose() * forces - lambda * inertia;
    modes.residual = std::max(modes.residual, miss.norm() / ((lambda - shift) * inertia).norm());
  }
  return modes;
}

/// The lowest `count` of two lots.
Eigenpairs lowest_of(const Eigenpairs& a, const Eigenpairs& b, Eigen::Index count) {
  const Eigen::Index n_a = a.values.size(), n = n_a + b.values.size();
  std::vector<std::pair<double, Eigen::Index>> order;
  for (Eigen::Index i = 0; i < n; ++i) order.emplace_back(i < n_a ? a.values(i) : b.values(i - n_a), i);
  std::sort(order.begin(), order.end());
  Eigenpairs lowest{.values = Eigen::VectorXd(count), .vectors = Eigen::MatrixXd(a.vectors.rows(), count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [value, from] = order[static_cast<std::size_t>(i)];
    lowest.values(i) = value;
    lowest.vectors.col(i) = from < n_a ? a.vectors.col(from) : b.vectors.col(from - n_a);
  }
  return lowest;
}

}  // namespace

ConstrainedModes constrained_modes(const Sparse& stiffness, const Sparse& mass, const Sparse& load, const Sparse& gram,
                                   const Sparse& springs, const Eigen::MatrixXd& rigid, Eigen::Index count,
                                   const Progress& progress) {
  const ShiftedProblem problem{stiffness, mass, load, gram, springs, typical(stiffness) / typical(gram)};
  // A shift below zero keeps the matrix regular whatever floats. It starts far below the mesh's highest frequency, at
  // the order of the first of a slender structure. Where something floats and the shift is much smaller than the modes
  // sought, rounding along the floating motion drowns them: the residual shows it, and the shift is brought nearer.
  double shift = -1e-9 * stiffness.diagonal().sum() / mass.diagonal().sum();
  ConstrainedModes modes;
  std::optional<SparseFactor> factor;
  for (int attempt = 0; attempt < 3; ++attempt) {
    progress.at(0, "factorising for modes");
    factor.emplace(problem.at(shift), "the shifted stiffness");
    // Where no motion has a negative stiffness, K - shift M is positive, and every constraint adds one to the count.
    if (factor->n_negative() > gram.rows())
      throw InvalidInput("the stiffness is negative for some motion: a sign or an element is wrong");
    if (progress.stopped()) throw NotConverged("stopped while computing modes");
    progress.at(0.3, "modes");
    modes = modes_above(problem, *factor, shift, rigid, count);
    if (modes.residual < 1e-7 || attempt == 2) break;
    shift = -0.1 * modes.pairs.values(count - 1);
  }
  if (!(modes.residual < 1e-5))
    throw NotConverged(fmt::format("modes have a residual of {:.3g}, less than 1e-5 is expected", modes.residual));

  // Sylvester: the factors of the system shifted to just above the last mode count the modes below. Each constraint
  // adds negative eigenvalues of its own, and the rigid motions are there too. Lanczos overlooks copies of a multiple
  // mode, as symmetric structures have: those are sought once more, apart from the modes known. What rounding leaves
  // of motions without stiffness lies nearer to zero than the shift.
  progress.at(0.7, "counting modes");
  const double last = modes.pairs.values(count - 1), above = last + 1e-6 * std::abs(last) - 1e-3 * shift;
  const SparseFactor counting(problem.at(above), "the stiffness shifted above the last mode");
  const Eigen::Index below = counting.n_negative() - factor->n_negative() - rigid.cols();
  if (below == count) return modes;
  if (below < count)
    throw NotConverged(fmt::format("{} modes were found below {:.6g} Hz, where only {} lie", count,
                                   std::sqrt(above) / (2 * M_PI), below));
  Eigen::MatrixXd known(stiffness.rows(), rigid.cols() + count);
  known << rigid, modes.pairs.vectors;
  const ConstrainedModes missed = modes_above(problem, *factor, shift, known, below - count);
  if (!(missed.residual < 1e-5) || missed.pairs.values.maxCoeff() > above)
    throw NotConverged(fmt::format("{} modes lie below {:.6g} Hz and only {} were found", below,
                                   std::sqrt(above) / (2 * M_PI), count));
  modes.pairs = lowest_of(modes.pairs, missed.pairs, count);
  modes.residual = std::max(modes.residual, missed.residual);
  return modes;
}

}  // namespace microslip
