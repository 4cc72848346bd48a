#pragma once

#include <vector>

#include <Eigen/Core>

namespace microslip {

/// Shape functions of a plane face with 3, 4, 6 or 8 nodes (corners, then middles of edges), and their derivatives with
/// respect to the face's own coordinates: the unit triangle, or the square [-1, 1]^2.
struct ShapeFunctions {
  Eigen::VectorXd value;
  Eigen::MatrixX2d slope;
};
ShapeFunctions shape_functions(std::size_t n_nodes, const Eigen::Vector2d& xi);

struct GaussPoint {
  Eigen::Vector2d xi;
  double weight;
};
/// Exact for the squares of the face's shape functions on a straight-sided face.
std::vector<GaussPoint> gauss_points(std::size_t n_nodes);

}  // namespace microslip
