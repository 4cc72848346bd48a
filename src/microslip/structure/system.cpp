#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <microslip/core/check.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {

namespace {

/// The symmetric part of a matrix that is symmetric but for rounding.
Eigen::MatrixXd symmetric(const Eigen::MatrixXd& matrix, Eigen::Index n, const std::string& what) {
  if (matrix.rows() != n || matrix.cols() != n)
    throw InvalidInput(fmt::format("{} is {} x {}, expected {} x {}", what, matrix.rows(), matrix.cols(), n, n));
  if (!matrix.allFinite()) throw InvalidInput(fmt::format("{} has an entry that is not a finite number", what));
  const double largest = matrix.cwiseAbs().maxCoeff();
  Eigen::Index i = 0, j = 0;
  const double skew = (matrix - matrix.transpose()).cwiseAbs().maxCoeff(&i, &j);
  if (skew > 1e-10 * largest)
    throw InvalidInput(
        fmt::format("{} is not symmetric: entries ({}, {}) = {:.6g} and ({}, {}) = {:.6g} differ by "
                    "{:.3g} of its largest entry, at most 1e-10 is expected",
                    what, i + 1, j + 1, matrix(i, j), j + 1, i + 1, matrix(j, i), skew / largest));
  return 0.5 * (matrix + matrix.transpose());
}

void refuse_unless_positive_definite(const Eigen::MatrixXd& mass, const std::string& what) {
  // Scaled to a unit diagonal first, so that coordinates in metres and in radians are judged alike.
  const Eigen::VectorXd diagonal = mass.diagonal();
  Eigen::Index at = 0;
  if (!(diagonal.minCoeff(&at) > 0))
    throw InvalidInput(
        fmt::format("{} is not positive definite: its diagonal entry {} is {:.6g}", what, at + 1, diagonal(at)));
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * mass * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  if (factor.info() == Eigen::Success) return;
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  throw InvalidInput(
      fmt::format("{} is not positive definite: scaled to a unit diagonal, its smallest eigenvalue is "
                  "{:.3g}",
                  what, smallest));
}

}  // namespace

System checked(System system, const std::string& what) {
  const Eigen::Index n = system.mass.rows();
  if (n == 0) throw InvalidInput(fmt::format("{}: the mass matrix is empty", what));
  system.mass = symmetric(system.mass, n, what + ": mass");
  system.stiffness = symmetric(system.stiffness, n, what + ": stiffness");
  if (system.damping.size() != 0) system.damping = symmetric(system.damping, n, what + ": damping");
  refuse_unless_positive_definite(system.mass, what + ": mass");

  if (!system.coordinates.empty() && system.coordinates.size() != static_cast<std::size_t>(n))
    throw InvalidInput(
        fmt::format("{}: {} coordinate labels for a system of size {}", what, system.coordinates.size(), n));
  if (system.prestress.size() != 0 && system.prestress.size() != n)
    throw InvalidInput(
        fmt::format("{}: a prestress force of {} values for a system of size {}", what, system.prestress.size(), n));
  if (!system.prestress.allFinite())
    throw InvalidInput(fmt::format("{}: the prestress force has a value that is not a finite number", what));
  for (const Sensor& sensor : system.sensors)
    if (sensor.row.size() != n || !sensor.row.allFinite())
      throw InvalidInput(
          fmt::format("{}: sensor '{}' must have {} finite values, has {}", what, sensor.name, n, sensor.row.size()));
  return system;
}

}  // namespace microslip
