#pragma once

#include <vector>

#include <Eigen/Core>

#include <microslip/beam/block_tridiagonal.hpp>
#include <microslip/beam/finite_element_beam.hpp>

namespace microslip::beam {

/// Node i owns (w, phi, u) and the axial displacement in the middle of the element to its right.
using NodeVector = Eigen::Matrix<double, 4, 1>;
using ElementVector = Eigen::Matrix<double, 8, 1>;  ///< of the nodes at both ends; the last entry is not the element's

/// A Jenkins element: one Gauss point of the interface.
struct InterfacePoint {
  std::size_t element;
  double x;
  double weight;          ///< length that it stands for
  double pressure;        ///< q(x)
  ElementVector slide;    ///< s = slide . d
  ElementVector deflect;  ///< w = deflect . d
};

/// The matrices of the finite-element beam. K leaves out the interface's k_t, which is the sliders' business.
struct FiniteElementBeam::Assembly {
  Model model;
  Pressure pressure;
  std::vector<double> nodes;
  BlockTridiagonal<4> stiffness;
  BlockTridiagonal<4> mass;
  std::vector<NodeVector> load;  ///< of a unit force
  std::vector<InterfacePoint> points;

  /// K - omega^2 M.
  [[nodiscard]] BlockTridiagonal<4> dynamic_stiffness(double omega) const;
  /// The same with all points stuck.
  [[nodiscard]] BlockTridiagonal<4> stuck_stiffness(double omega) const;
  [[nodiscard]] double displacement_at_load(const std::vector<NodeVector>& d) const;
};

FiniteElementBeam::Assembly assembled(const Model& model, const Pressure& pressure, const MeshOptions& mesh);

/// The displacements of the nodes at both ends of an element.
inline ElementVector local(const std::vector<NodeVector>& d, std::size_t element) {
  ElementVector both;
  both << d[element], d[element + 1];
  return both;
}

/// matrix += a b^T on an element.
void add_outer(BlockTridiagonal<4>& matrix, std::size_t element, const ElementVector& a, const ElementVector& b);

}  // namespace microslip::beam
