#include <cmath>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/shape_functions.hpp>

namespace microslip {
namespace {

/// Faces of every kind in their own coordinates: corners, then middles of edges.
const std::vector<Eigen::MatrixX2d>& faces() {
  static const std::vector<Eigen::MatrixX2d> all = [] {
    Eigen::MatrixX2d triangle(6, 2), square(8, 2);
    triangle << 0, 0, 1, 0, 0, 1, 0.5, 0, 0.5, 0.5, 0, 0.5;
    square << -1, -1, 1, -1, 1, 1, -1, 1, 0, -1, 1, 0, 0, 1, -1, 0;
    return std::vector<Eigen::MatrixX2d>{triangle.topRows(3), triangle, square.topRows(4), square};
  }();
  return all;
}

std::size_t size_of(const Eigen::MatrixX2d& face) { return static_cast<std::size_t>(face.rows()); }

/// The highest degree up to which every polynomial lies in the span of the face's shape functions.
int degree_of(const Eigen::MatrixX2d& face) { return face.rows() > 4 ? 2 : 1; }

double power(const Eigen::Vector2d& xi, int i, int j) { return std::pow(xi(0), i) * std::pow(xi(1), j); }

/// Integral of x^i y^j over the unit triangle, i! j!/(i + j + 2)!, or over the square [-1, 1]^2.
double integral(const Eigen::MatrixX2d& face, int i, int j) {
  if (face.rows() % 3 == 0) return std::tgamma(i + 1) * std::tgamma(j + 1) / std::tgamma(i + j + 3);
  return (i % 2 == 1 || j % 2 == 1) ? 0 : 4.0 / ((i + 1) * (j + 1));
}

TEST(ShapeFunctions, AreOneAtTheirOwnNodeAndZeroAtTheOthers) {
  for (const auto& face : faces())
    for (Eigen::Index i = 0; i < face.rows(); ++i) {
      const Eigen::VectorXd value = shape_functions(size_of(face), face.row(i).transpose()).value;
      EXPECT_LT((value - Eigen::VectorXd::Unit(face.rows(), i)).cwiseAbs().maxCoeff(), 1e-15) << face.rows();
    }
}

TEST(ShapeFunctions, ReproducePolynomialsAndTheirSlopes) {
  // Degree 0 is the partition of unity, degree 1 a field of constant strain. Of eight nodes: all of degree 2.
  for (const auto& face : faces())
    for (const Eigen::Vector2d& xi : {Eigen::Vector2d(0.31, 0.17), Eigen::Vector2d(0.05, 0.6)}) {
      const ShapeFunctions f = shape_functions(size_of(face), xi);
      for (int i = 0; i <= degree_of(face); ++i)
        for (int j = 0; i + j <= degree_of(face); ++j) {
          Eigen::VectorXd nodal(face.rows());
          for (Eigen::Index k = 0; k < face.rows(); ++k) nodal(k) = power(face.row(k).transpose(), i, j);
          EXPECT_NEAR(nodal.dot(f.value), power(xi, i, j), 1e-15) << face.rows() << ": " << i << ", " << j;
          const Eigen::RowVector2d slope = nodal.transpose() * f.slope;
          EXPECT_NEAR(slope(0), i == 0 ? 0 : i * power(xi, i - 1, j), 4e-15) << face.rows() << ": " << i << ", " << j;
          EXPECT_NEAR(slope(1), j == 0 ? 0 : j * power(xi, i, j - 1), 4e-15) << face.rows() << ": " << i << ", " << j;
        }
    }
}

TEST(GaussPoints, IntegrateTheSquaresOfTheShapeFunctions) {
  // Squares have degree 2 and 4 on triangles; on squares, degree 2 and 4 in each direction. The triangle's degree-4
  // rule is tabled with 15 digits.
  for (const auto& face : faces()) {
    const bool triangle = face.rows() % 3 == 0;
    const int degree = 2 * degree_of(face);
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= (triangle ? degree - i : degree); ++j) {
        double sum = 0;
        for (const GaussPoint& p : gauss_points(size_of(face))) sum += p.weight * power(p.xi, i, j);
        EXPECT_NEAR(sum, integral(face, i, j), 4e-15) << face.rows() << ": " << i << ", " << j;
      }
  }
}

TEST(ShapeFunctions, AFaceOfFiveNodesIsRefused) {
  EXPECT_NE(test::refusal([] { (void)shape_functions(5, {0, 0}); }).find("5 nodes"), std::string::npos);
}

}  // namespace
}  // namespace microslip
