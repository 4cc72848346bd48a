#pragma once

#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <microslip/core/mesh.hpp>
#include <microslip/structure/fe_model.hpp>

namespace microslip {

/// A point where integrals over the interface are sampled: sum of weight f(at) approximates the integral of f dA.
struct SurfacePoint {
  Eigen::Vector2d at;
  double weight;
  std::vector<std::pair<int, double>> shape;  ///< pairs of nodes and the values of their shape functions
};

/// Two faces that lie on each other, node on node: the plane interface of a joint.
struct Surface {
  Eigen::Vector3d origin;
  Eigen::Matrix3d axes;                          ///< rows: x and y in the plane, the normal from bottom to top
  std::vector<std::pair<NodeId, NodeId>> pairs;  ///< top, bottom
  Eigen::MatrixX2d positions;                    ///< of the pairs, in the plane
  std::vector<std::vector<int>> faces;           ///< places of their pairs
  std::vector<SurfacePoint> points;

  [[nodiscard]] double area() const;
};

/// Pairs the nodes of two sets or surfaces by position. Refused with the node and the distance where one has no
/// partner of its own within 1e-6 of the interface's size, where a node is on both sides, or where the interface is not
/// plane.
Surface pair_surfaces(const Mesh& mesh, const std::string& top, const std::string& bottom,
                      const Eigen::Vector3d& normal);

/// On which side of the interface the material behind each face lies: 1 where the normal points, -1 on the other, less
/// where it is on both, 0 where none is found.
struct Sides {
  double top = 0, bottom = 0;

  [[nodiscard]] bool exchanged() const { return top < -0.5 && bottom > 0.5; }
};

/// By the nodes that the stiffness couples to those of the faces.
Sides sides_of(const FeModel& model, const Surface& surface);

/// Relative displacements of the pairs, bottom minus top along the surface's axes: rows x1, y1, n1, x2, ...; the normal
/// one is positive in compression. Refused where a node lacks a direction, as behind a support.
Eigen::SparseMatrix<double> relative_displacements(const FeModel& model, const Surface& surface);

}  // namespace microslip
