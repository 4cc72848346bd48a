#include <cmath>

#include <Eigen/Eigenvalues>

#include <microslip/core/check.hpp>
#include <microslip/structure/fe_model.hpp>

namespace microslip {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse sparse(const CoordinateMatrix& matrix, const std::vector<Eigen::Index>& place, Eigen::Index n,
              const std::string& what) {
  if (!matrix.imaginary.empty()) throw InvalidInput(fmt::format("{} is complex, a real matrix is expected", what));
  if (matrix.entries.empty()) throw InvalidInput(fmt::format("{} has no entries", what));
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(matrix.entries.size());
  for (const auto& entry : matrix.entries) {
    if (!std::isfinite(entry.value))
      finite(fmt::format("{} entry ({}, {})", what, entry.row + 1, entry.column + 1), entry.value);
    const auto at = [&](std::int32_t i) { return place.empty() ? i : place[static_cast<std::size_t>(i)]; };
    entries.emplace_back(static_cast<int>(at(entry.row)), static_cast<int>(at(entry.column)), entry.value);
  }
  Sparse result(n, n);
  result.setFromTriplets(entries.begin(), entries.end());
  const Sparse transposed = result.transpose();
  const double largest = result.coeffs().cwiseAbs().maxCoeff();
  const Sparse difference = result - transposed;
  const double skew = difference.nonZeros() == 0 ? 0.0 : difference.coeffs().cwiseAbs().maxCoeff();
  if (skew > 1e-10 * largest)
    throw InvalidInput(
        fmt::format("{} is not symmetric: opposite entries differ by {:.3g} of its largest entry, at "
                    "most 1e-10 is expected",
                    what, skew / largest));
  return 0.5 * (result + transposed);
}

std::string name_of(const NodeDirection& c) { return fmt::format("{}.{}", c.node, c.direction); }

/// Rigid motions of the mesh, not normalised: translations along and rotations about x, y and z.
Eigen::MatrixXd mesh_motions(const FeModel& model, const Eigen::Vector3d& centre) {
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(model.size(), 6);
  for (Eigen::Index i = 0; i < model.size(); ++i) {
    const NodeDirection& c = model.coordinates[static_cast<std::size_t>(i)];
    const auto node = model.mesh.nodes.find(c.node);
    if (node == model.mesh.nodes.end() || c.direction < 1 || c.direction > 6) continue;
    const int axis = (c.direction - 1) % 3;
    if (c.direction > 3) {
      motions(i, 3 + axis) = 1;
      continue;
    }
    const Eigen::Vector3d x = Eigen::Vector3d::Map(node->second.data()) - centre;
    motions(i, axis) = 1;
    for (int about = 0; about < 3; ++about) motions(i, 3 + about) = Eigen::Vector3d::Unit(about).cross(x)(axis);
  }
  return motions;
}

/// How a matrix adds up when every node of the mesh makes the same translation, against its diagonal: a mass to all of
/// it, a stiffness only to what the supports hold.
double sum_over_diagonal(const Sparse& matrix, const Eigen::MatrixXd& translations) {
  const double whole = translations.cwiseProduct(matrix * translations).sum();
  return whole / translations.cwiseAbs2().rowwise().sum().dot(matrix.diagonal());
}

/// Refuses a stiffness given as mass and a mass given as stiffness. Both symptoms are wanted, so that odd supports or
/// odd units alone are none: what is called mass cancels and what is called stiffness adds up, and no part of the mesh
/// would vibrate faster than 1 rad/s.
void check_not_exchanged(const FeModel& model) {
  const Eigen::MatrixXd translations = mesh_motions(model, Eigen::Vector3d::Zero()).leftCols(3);
  const double mass = sum_over_diagonal(model.mass, translations);
  const double stiffness = sum_over_diagonal(model.stiffness, translations);
  if (mass < stiffness && model.stiffness.diagonal().sum() < model.mass.diagonal().sum())
    throw InvalidInput(
        fmt::format("mass and stiffness are exchanged: when everything moves alike, the mass adds up to {:.3g} of its "
                    "diagonal, the stiffness to {:.3g}, and only a stiffness cancels",
                    mass, stiffness));
}

}  // namespace

FeModel fe_model(const CoordinateMatrix& mass, const CoordinateMatrix& stiffness,
                 const std::vector<NodeDirection>& coordinates, Mesh mesh) {
  for (const auto* matrix : {&mass, &stiffness})
    if (matrix->n_rows != matrix->n_columns || matrix->n_rows == 0)
      throw InvalidInput(fmt::format("{} is {} x {}, a square matrix is expected",
                                     matrix == &mass ? "mass" : "stiffness", matrix->n_rows, matrix->n_columns));
  if (mass.n_rows != stiffness.n_rows)
    throw InvalidInput(
        fmt::format("mass is {0} x {0} and stiffness {1} x {1}: one size is expected", mass.n_rows, stiffness.n_rows));
  FeModel model;
  model.coordinates = stiffness.row_labels.empty() ? coordinates : stiffness.row_labels;
  if (model.coordinates.empty()) model.coordinates = mass.row_labels;
  if (model.coordinates.size() != stiffness.n_rows)
    throw InvalidInput(
        fmt::format("{} coordinates are listed for matrices of size {}", model.coordinates.size(), stiffness.n_rows));
  const auto n = static_cast<Eigen::Index>(stiffness.n_rows);
  model.mesh = std::move(mesh);
  const auto place = places(model);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    if (const NodeDirection& label = model.coordinates[i]; place.at(label) != static_cast<Eigen::Index>(i))
      throw InvalidInput(fmt::format("coordinate {}.{} is listed twice", label.node, label.direction));

  std::vector<Eigen::Index> mass_places;
  for (const NodeDirection& label : mass.row_labels) {
    const auto found = place.find(label);
    if (found == place.end())
      throw InvalidInput(fmt::format("coordinate {} of the mass is not one of the stiffness", name_of(label)));
    mass_places.push_back(found->second);
  }
  model.stiffness = sparse(stiffness, {}, n, "stiffness");
  model.mass = sparse(mass, mass_places, n, "mass");
  const Eigen::VectorXd mass_diagonal = model.mass.diagonal(), stiffness_diagonal = model.stiffness.diagonal();
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::string name = name_of(model.coordinates[static_cast<std::size_t>(i)]);
    if (mass_diagonal(i) < 0 || stiffness_diagonal(i) < 0)
      throw InvalidInput(
          fmt::format("coordinate {} has mass {:.6g} and stiffness {:.6g} on the diagonal, neither may "
                      "be negative",
                      name, mass_diagonal(i), stiffness_diagonal(i)));
    if (mass_diagonal(i) == 0 && stiffness_diagonal(i) == 0)
      throw InvalidInput(fmt::format("coordinate {} has neither mass nor stiffness", name));
  }
  if (mass_diagonal.sum() == 0) throw InvalidInput("mass is zero throughout its diagonal");
  check_not_exchanged(model);
  return model;
}

std::map<NodeDirection, Eigen::Index> places(const FeModel& model) {
  std::map<NodeDirection, Eigen::Index> place;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    place.emplace(model.coordinates[i], static_cast<Eigen::Index>(i));
  return place;
}

Eigen::MatrixXd rigid_body_modes(const FeModel& model) {
  if (model.mesh.nodes.empty()) return Eigen::MatrixXd(model.size(), 0);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const auto& entry : model.mesh.nodes) centre += Eigen::Vector3d::Map(entry.second.data());
  centre /= static_cast<double>(model.mesh.nodes.size());
  Eigen::MatrixXd motions = mesh_motions(model, centre);

  // Strain energy of the motions against the energy of their pieces moving alone (the diagonal): what is rounding
  // there is rigid. Matrices in files carry 14 digits, hence 1e-10.
  const Eigen::MatrixXd energy = motions.transpose() * (model.stiffness * motions);
  const Eigen::MatrixXd pieces = motions.transpose() * (model.stiffness.diagonal().asDiagonal() * motions);
  if (!(pieces.diagonal().minCoeff() > 0)) return Eigen::MatrixXd(model.size(), 0);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> strain(energy, pieces);
  constexpr double rounding = 1e-10;
  constexpr double five_digits = 1e-5;
  if (const double least = strain.eigenvalues()(0); least < -rounding)
    throw InvalidInput(
        fmt::format("the stiffness is negative where the mesh moves as one piece: {:.3g} of what its "
                    "diagonal gives, {}",
                    least,
                    least < -five_digits ? "a sign or an element is wrong"
                                         : "so the matrix has too few digits: write it with twelve or more"));
  const Eigen::Index n_rigid = (strain.eigenvalues().array() < rounding).count();
  motions = (motions * strain.eigenvectors().leftCols(n_rigid)).eval();
  if (n_rigid == 0) return motions;

  const Eigen::MatrixXd inertia = motions.transpose() * (model.mass * motions);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(inertia);
  return motions * axes.eigenvectors() * axes.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal();
}

Eigen::Vector3d total_mass(const FeModel& model) {
  const Eigen::MatrixXd translations = mesh_motions(model, Eigen::Vector3d::Zero()).leftCols(3);
  return (translations.transpose() * (model.mass * translations)).diagonal();
}

}  // namespace microslip
