#include <algorithm>
#include <vector>

#include <Eigen/Eigenvalues>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/structure/interface.hpp>

namespace microslip {

namespace {

const std::array<std::string, 2> contact_names{"spring", "penalty"};

/// Rank of a matrix by the eigenvalues of its smaller Gram matrix, rows and columns brought to one scale: a singular
/// value counts above 1e-6 of the largest, the square root of what rounding leaves of a Gram matrix's eigenvalue.
Eigen::Index rank(Eigen::MatrixXd matrix) {
  for (auto column : matrix.colwise())
    if (const double norm = column.norm(); norm > 0) column /= norm;
  if (matrix.rows() <= matrix.cols())
    for (auto row : matrix.rowwise())
      if (const double norm = row.norm(); norm > 0) row /= norm;
  const Eigen::MatrixXd gram =
      matrix.rows() <= matrix.cols() ? Eigen::MatrixXd(matrix * matrix.transpose()) : matrix.transpose() * matrix;
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  return (values.array() > 1e-12 * values.maxCoeff()).count();
}

/// Rows that are neither zero nor multiples of other rows.
Eigen::Index n_distinct_rows(const Eigen::MatrixXd& matrix) {
  std::vector<Eigen::VectorXd> rows;
  for (const auto& row : matrix.rowwise()) {
    Eigen::Index largest = 0;
    if (row.cwiseAbs().maxCoeff(&largest) == 0) continue;
    // Brought to one length and sign, and rounded, so that multiples become neighbours when sorted.
    rows.emplace_back((row / row(largest) * 1e9).array().round().matrix().transpose());
  }
  const auto less = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::sort(rows.begin(), rows.end(), less);
  return std::unique(rows.begin(), rows.end()) - rows.begin();
}

}  // namespace

std::string_view to_string(Contact contact) { return contact_names[static_cast<std::size_t>(contact)]; }

Contact contact_from(std::string_view name) {
  const auto found = std::find(contact_names.begin(), contact_names.end(), name);
  if (found == contact_names.end())
    throw InvalidInput(fmt::format("unknown contact '{}'{}", name, suggestion(name, contact_names)));
  return static_cast<Contact>(found - contact_names.begin());
}

Interface checked(Interface interface, const System& system, const std::string& what) {
  const Eigen::MatrixXd& map = interface.map;
  if (interface.areas.size() == 0) throw InvalidInput(fmt::format("{}: the interface has no areas", what));
  if (map.cols() != system.size())
    throw InvalidInput(fmt::format("{}: the interface map has {} columns, the system has {} coordinates", what,
                                   map.cols(), system.size()));
  if (map.rows() != 3 * interface.areas.size())
    throw InvalidInput(
        fmt::format("{}: {} areas do not match an interface map of {} rows: three rows (x, y, n) per "
                    "area are expected",
                    what, interface.areas.size(), map.rows()));
  if (!map.allFinite()) throw InvalidInput(fmt::format("{}: the interface map has an entry that is not finite", what));
  for (Eigen::Index i = 0; i < interface.areas.size(); ++i)
    positive(fmt::format("{}: area {}", what, i + 1), interface.areas(i));

  // Patches move independently of one another. Quadrature points outnumber the coordinates that they touch, so their
  // rows cannot: they are to tell all those apart, and no row may repeat another or be empty.
  const Eigen::Index touched = (map.colwise().squaredNorm().array() > 0).count();
  const Eigen::Index found = touched == 0 ? 0 : rank(map), distinct = n_distinct_rows(map);
  if (found < std::min(map.rows(), touched) || distinct < map.rows())
    throw InvalidInput(
        fmt::format("{}: the interface map ({} x {}) is of deficient rank: rank {}, with {} of {} rows "
                    "distinct and not zero; some relative displacements repeat others",
                    what, map.rows(), map.cols(), found, distinct, map.rows()));
  return interface;
}

}  // namespace microslip
