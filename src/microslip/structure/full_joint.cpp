#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/LU>

#include <microslip/core/check.hpp>
#include <microslip/structure/projection.hpp>
#include <microslip/structure/shape_functions.hpp>

namespace microslip {

namespace {

/// A plane element of the coarse mesh.
struct CoarseElement {
  std::vector<int> nodes;
  Eigen::MatrixX2d corners;

  /// The element's own coordinates of a point, by Newton on the bilinear map.
  [[nodiscard]] Eigen::Vector2d locate(const Eigen::Vector2d& x) const {
    const std::size_t n = nodes.size();
    Eigen::Vector2d xi = n == 3 ? Eigen::Vector2d(1.0 / 3, 1.0 / 3) : Eigen::Vector2d(0, 0);
    for (int i = 0; i < 20; ++i) {
      const ShapeFunctions shape = shape_functions(n, xi);
      const Eigen::Vector2d miss = x - corners.transpose() * shape.value;
      const Eigen::Matrix2d jacobian = corners.transpose() * shape.slope;
      const Eigen::Vector2d step = jacobian.inverse() * miss;
      if (!step.allFinite()) break;
      xi += step;
      if (step.norm() < 1e-13) break;
    }
    return xi;
  }

  /// How far outside the element its own coordinates lie, in halves of its width; negative inside.
  [[nodiscard]] double outside(const Eigen::Vector2d& xi) const {
    if (!xi.allFinite()) return std::numeric_limits<double>::infinity();
    if (nodes.size() == 3) return 2 * std::max({-xi(0), -xi(1), xi(0) + xi(1) - 1});
    return xi.cwiseAbs().maxCoeff() - 1;
  }
};

/// Chords of curved edges cost an area of the second order in the elements' size, a few percent. More means that
/// tractions would act where there is no interface.
void refuse_another_area(double coarse, double fine) {
  constexpr double most = 0.05;
  if (std::abs(coarse / fine - 1) > most)
    throw InvalidInput(
        fmt::format("the coarse mesh's area {:.6g} differs by {:.1f} % from the interface's {:.6g}: it must end and "
                    "have holes where the interface does",
                    coarse, 100 * std::abs(coarse / fine - 1), fine));
}

}  // namespace

Projection full_joint(const Surface& surface, const Mesh& coarse) {
  std::vector<CoarseElement> elements;
  std::map<NodeId, int> place;
  std::vector<Eigen::Vector2d> positions;
  for (const auto& [id, element] : coarse.elements) {
    if (element.shape != Shape::triangle3 && element.shape != Shape::quad4) continue;
    CoarseElement plane;
    for (NodeId node : element.nodes) {
      const auto found = coarse.nodes.find(node);
      if (found == coarse.nodes.end())
        throw InvalidInput(fmt::format("coarse mesh: element {} names node {}, which has no position", id, node));
      const auto [entry, added] = place.emplace(node, static_cast<int>(place.size()));
      if (added)
        positions.emplace_back(
            (surface.axes * (Eigen::Vector3d::Map(found->second.data()) - surface.origin)).head<2>());
      plane.nodes.push_back(entry->second);
    }
    plane.corners.resize(static_cast<Eigen::Index>(plane.nodes.size()), 2);
    for (std::size_t i = 0; i < plane.nodes.size(); ++i)
      plane.corners.row(static_cast<Eigen::Index>(i)) = positions[static_cast<std::size_t>(plane.nodes[i])];
    elements.push_back(std::move(plane));
  }
  if (elements.empty())
    throw InvalidInput(
        "the coarse mesh has no plane elements: triangles of 3 or quadrilaterals of 4 nodes are expected");

  // Both integrals run over the points of the fine mesh, so that motions which the coarse mesh can describe are
  // projected to themselves. A point beyond a coarse chord of a curved edge belongs to the nearest element.
  const auto n_nodes = static_cast<Eigen::Index>(positions.size());
  std::vector<Eigen::Triplet<double>> load, gram;
  for (const SurfacePoint& point : surface.points) {
    const CoarseElement* home = nullptr;
    Eigen::Vector2d xi;
    double nearest = std::numeric_limits<double>::infinity();
    for (const CoarseElement& element : elements) {
      const Eigen::Vector2d here = element.locate(point.at);
      if (const double outside = element.outside(here); outside < nearest)
        nearest = outside, home = &element, xi = here;
    }
    if (home == nullptr || nearest > 0.2)
      throw InvalidInput(
          fmt::format("the coarse mesh does not cover the interface: point ({:.6g}, {:.6g}) of the plane "
                      "lies {:.2g} element widths outside the nearest element",
                      point.at(0), point.at(1), nearest / 2));
    const Eigen::VectorXd shape = shape_functions(home->nodes.size(), xi).value;
    for (std::size_t i = 0; i < home->nodes.size(); ++i) {
      const double weight = point.weight * shape(static_cast<Eigen::Index>(i));
      for (int d = 0; d < 3; ++d) {
        const int row = 3 * home->nodes[i] + d;
        for (std::size_t j = 0; j < home->nodes.size(); ++j)
          gram.emplace_back(row, 3 * home->nodes[j] + d, weight * shape(static_cast<Eigen::Index>(j)));
        for (const auto& [pair, value] : point.shape) load.emplace_back(row, 3 * pair + d, weight * value);
      }
    }
  }
  Projection projection;
  projection.load.resize(3 * n_nodes, 3 * static_cast<Eigen::Index>(surface.pairs.size()));
  projection.load.setFromTriplets(load.begin(), load.end());
  projection.gram.resize(3 * n_nodes, 3 * n_nodes);
  projection.gram.setFromTriplets(gram.begin(), gram.end());
  for (Eigen::Index i = 0; i < n_nodes; ++i)
    for (const char* direction : {"x", "y", "n"})
      projection.labels.push_back(fmt::format("node{}.{}", i + 1, direction));

  std::vector<Eigen::Triplet<double>> map;
  std::vector<double> areas;
  std::vector<Eigen::Vector2d> points;
  for (const CoarseElement& element : elements)
    for (const GaussPoint& gauss : gauss_points(element.nodes.size())) {
      const ShapeFunctions shape = shape_functions(element.nodes.size(), gauss.xi);
      for (std::size_t i = 0; i < element.nodes.size(); ++i)
        for (int d = 0; d < 3; ++d)
          map.emplace_back(static_cast<int>(3 * areas.size()) + d, 3 * element.nodes[i] + d,
                           shape.value(static_cast<Eigen::Index>(i)));
      areas.push_back(gauss.weight * std::abs((element.corners.transpose() * shape.slope).determinant()));
      points.emplace_back(element.corners.transpose() * shape.value);
    }
  projection.map.resize(3 * static_cast<Eigen::Index>(areas.size()), 3 * n_nodes);
  projection.map.setFromTriplets(map.begin(), map.end());
  projection.areas = Eigen::VectorXd::Map(areas.data(), static_cast<Eigen::Index>(areas.size()));
  refuse_another_area(projection.areas.sum(), surface.area());
  projection.picture.nodes.resize(n_nodes, 2);
  for (Eigen::Index i = 0; i < n_nodes; ++i) projection.picture.nodes.row(i) = positions[static_cast<std::size_t>(i)];
  for (const CoarseElement& element : elements) projection.picture.elements.push_back(element.nodes);
  projection.picture.points.resize(static_cast<Eigen::Index>(points.size()), 2);
  for (std::size_t i = 0; i < points.size(); ++i)
    projection.picture.points.row(static_cast<Eigen::Index>(i)) = points[i];
  return projection;
}

}  // namespace microslip
