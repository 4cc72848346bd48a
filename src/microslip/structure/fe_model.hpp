#pragma once

#include <map>
#include <vector>

#include <Eigen/SparseCore>

#include <microslip/core/coordinate_matrix.hpp>
#include <microslip/core/mesh.hpp>

namespace microslip {

/// A finite-element model before reduction. Its mass may be singular: internal coordinates of elements have none.
struct FeModel {
  Eigen::SparseMatrix<double> mass, stiffness;
  std::vector<NodeDirection> coordinates;  ///< of each row
  Mesh mesh;

  [[nodiscard]] Eigen::Index size() const { return stiffness.rows(); }
};

/// The model of two matrices as files give them, whose labels may come in different orders. `coordinates` labels
/// matrices whose files do not; empty otherwise. Refused: sizes or labels that do not match, complex or unsymmetric
/// matrices, mass that is negative on the diagonal, a coordinate with neither mass nor stiffness, mass and stiffness
/// that are each other.
FeModel fe_model(const CoordinateMatrix& mass, const CoordinateMatrix& stiffness,
                 const std::vector<NodeDirection>& coordinates, Mesh mesh);

/// Place of each coordinate.
std::map<NodeDirection, Eigen::Index> places(const FeModel& model);

/// Motions of the whole structure that strain nothing: mass-normalised and mass-orthogonal, one per column; six for a
/// free structure, fewer where supports hold it. Coordinates whose node is not in the mesh do not move.
Eigen::MatrixXd rigid_body_modes(const FeModel& model);

/// Mass of the structure in a translation along each axis, as far as its coordinates carry it.
Eigen::Vector3d total_mass(const FeModel& model);

}  // namespace microslip
