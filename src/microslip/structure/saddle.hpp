#pragma once

#include <functional>
#include <string>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <microslip/core/progress.hpp>
#include <microslip/structure/eigenpairs.hpp>

namespace microslip {

/// Static shapes of least energy: for each column g of `gram`, the x that minimises x^T K x / 2 under load x = g.
struct StaticShapes {
  Eigen::MatrixXd shapes;
  Eigen::MatrixXd stiffness;  ///< shapes^T K shapes, from the constraint forces: exact where the energy is tiny
  double residual = 0;        ///< largest |K x + load^T force| over the largest force of any shape
};
/// `rigid` are the mass-orthonormal rigid motions; the shapes are made orthogonal to them. The rows of `load` must be
/// independent.
StaticShapes static_shapes(const Eigen::SparseMatrix<double>& stiffness, const Eigen::SparseMatrix<double>& mass,
                           const Eigen::SparseMatrix<double>& load, const Eigen::SparseMatrix<double>& gram,
                           const Eigen::MatrixXd& rigid, const Progress& progress);

/// The lowest modes orthogonal to `rigid` of
///   K x + load^T f = lambda M x,   load x - gram q = 0,   springs q - gram f = 0                               (1)
/// With no springs given, q = 0: modes under the constraint load x = 0. With springs (of the size of gram), modes of
/// the structure on springs that act on q. Throws InvalidInput where the stiffness is negative for a motion that the
/// constraint allows, NotConverged where a residual or the count of modes (Sylvester's) is not as it should be.
struct ConstrainedModes {
  Eigenpairs pairs;
  double residual = 0;  ///< largest |K x + load^T f - lambda M x| / |(lambda - shift) M x|
};
ConstrainedModes constrained_modes(const Eigen::SparseMatrix<double>& stiffness,
                                   const Eigen::SparseMatrix<double>& mass, const Eigen::SparseMatrix<double>& load,
                                   const Eigen::SparseMatrix<double>& gram, const Eigen::SparseMatrix<double>& springs,
                                   const Eigen::MatrixXd& rigid, Eigen::Index count, const Progress& progress);

}  // namespace microslip
