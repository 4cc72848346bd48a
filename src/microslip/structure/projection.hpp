#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <microslip/core/mesh.hpp>
#include <microslip/structure/interface.hpp>
#include <microslip/structure/surface.hpp>

namespace microslip {

/// How the relative displacements u of an interface's node pairs become few coordinates q, in the mean:
///   gram q = load u,   gram = int R^T R dA,   load = int R^T N dA                                            (1)
/// with R(x) the motions that q describes and N(x) the shape functions of the pairs. Nothing is held rigid: a motion
/// that q cannot describe stays free, and costs no stiffness.
struct Projection {
  Eigen::SparseMatrix<double> load, gram;
  std::vector<std::string> labels;  ///< of q
  Eigen::SparseMatrix<double> map;  ///< relative displacements (x, y, n) of the points where tractions act, from q
  Eigen::VectorXd areas;            ///< of the points
  InterfacePicture picture;

  [[nodiscard]] Eigen::Index size() const { return gram.rows(); }
};

/// Patches between `cuts`, fractions in (0, 1) along the interface's longer side, that move as rigid bodies in the
/// area-weighted mean: three translations of the centroid and three rotations about it each.
Projection whole_joint(const Surface& surface, const std::vector<double>& cuts);

/// Galerkin projection to a coarser mesh of the interface (its plane elements, in the structure's coordinates), with
/// tractions at the Gauss points of the coarse elements. Refused where the coarse mesh does not cover the interface or
/// has another area.
Projection full_joint(const Surface& surface, const Mesh& coarse);

}  // namespace microslip
