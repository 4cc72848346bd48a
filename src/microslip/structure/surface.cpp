#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <Eigen/Geometry>

#include <microslip/core/check.hpp>
#include <microslip/structure/shape_functions.hpp>
#include <microslip/structure/surface.hpp>

namespace microslip {

namespace {

Eigen::Vector3d position(const Mesh& mesh, NodeId node) {
  const auto found = mesh.nodes.find(node);
  if (found == mesh.nodes.end()) throw InvalidInput(fmt::format("node {} has no position in the mesh", node));
  return Eigen::Vector3d::Map(found->second.data());
}

/// Normal and two directions in the plane, the first as near to the global x as can be.
Eigen::Matrix3d axes_for(const Eigen::Vector3d& normal) {
  if (!normal.allFinite() || !(normal.norm() > 0)) throw InvalidInput("the normal must be a direction, not zero");
  const Eigen::Vector3d n = normal.normalized();
  const Eigen::Vector3d near = std::abs(n(0)) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d x = (near - near.dot(n) * n).normalized();
  Eigen::Matrix3d axes;
  axes << x.transpose(), n.cross(x).transpose(), n.transpose();
  return axes;
}

void refuse_shared(const std::vector<NodeId>& top_nodes, const std::vector<NodeId>& bottom_nodes,
                   const std::string& top, const std::string& bottom) {
  const std::set<NodeId> below(bottom_nodes.begin(), bottom_nodes.end());
  const std::set<NodeId> above(top_nodes.begin(), top_nodes.end());
  for (const NodeId node : above)
    if (below.contains(node))
      throw InvalidInput(fmt::format("node {} is in '{}' and in '{}': each side of the interface has nodes of its own",
                                     node, top, bottom));
}

void refuse_used_twice(const std::vector<std::pair<NodeId, NodeId>>& pairs, const std::string& top,
                       const std::string& bottom) {
  std::map<NodeId, NodeId> taken;
  for (const auto& [node, partner] : pairs)
    if (const auto [entry, added] = taken.emplace(partner, node); !added)
      throw InvalidInput(
          fmt::format("interface nodes {} and {} of '{}' lie at one place: both would be paired with node {} of '{}'",
                      entry->second, node, top, partner, bottom));
}

/// For each of `from`, the nearest of `to`, which is searched by x so that large interfaces stay quick.
std::vector<std::pair<NodeId, NodeId>> pair_by_position(const Mesh& mesh, std::vector<NodeId> from,
                                                        const std::vector<NodeId>& to, double tolerance) {
  std::vector<std::pair<Eigen::Vector3d, NodeId>> sorted;
  for (NodeId node : to) sorted.emplace_back(position(mesh, node), node);
  const auto by_x = [](const auto& a, const auto& b) { return a.first(0) < b.first(0); };
  std::sort(sorted.begin(), sorted.end(), by_x);
  std::sort(from.begin(), from.end());
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId node : from) {
    const Eigen::Vector3d x = position(mesh, node);
    NodeId partner = 0;
    double nearest = std::numeric_limits<double>::infinity();
    auto at = std::lower_bound(sorted.begin(), sorted.end(), x(0) - tolerance,
                               [](const auto& a, double b) { return a.first(0) < b; });
    for (; at != sorted.end() && at->first(0) <= x(0) + tolerance; ++at)
      if (const double distance = (at->first - x).norm(); distance < nearest) nearest = distance, partner = at->second;
    if (nearest > tolerance) {
      for (const auto& other : sorted) nearest = std::min(nearest, (other.first - x).norm());
      throw InvalidInput(
          fmt::format("interface node {} at ({:.6g}, {:.6g}, {:.6g}) has no partner on the other side: "
                      "the nearest is {:.3g} away, at most {:.3g} is expected",
                      node, x(0), x(1), x(2), nearest, tolerance));
    }
    pairs.emplace_back(node, partner);
  }
  return pairs;
}

}  // namespace

double Surface::area() const {
  double sum = 0;
  for (const SurfacePoint& point : points) sum += point.weight;
  return sum;
}

Surface pair_surfaces(const Mesh& mesh, const std::string& top, const std::string& bottom,
                      const Eigen::Vector3d& normal) {
  const std::vector<NodeId> top_nodes = nodes_named(mesh, top), bottom_nodes = nodes_named(mesh, bottom);
  if (top_nodes.size() != bottom_nodes.size())
    throw InvalidInput(
        fmt::format("interface '{}' has {} nodes and '{}' has {}: nodes are paired by position, one size "
                    "is expected",
                    top, top_nodes.size(), bottom, bottom_nodes.size()));
  refuse_shared(top_nodes, bottom_nodes, top, bottom);
  Surface surface;
  surface.axes = axes_for(normal);
  Eigen::Vector3d low = position(mesh, top_nodes.front()), high = low;
  for (NodeId node : top_nodes) {
    low = low.cwiseMin(position(mesh, node));
    high = high.cwiseMax(position(mesh, node));
  }
  const double extent = (high - low).norm();
  surface.pairs = pair_by_position(mesh, top_nodes, bottom_nodes, 1e-6 * extent);
  refuse_used_twice(surface.pairs, top, bottom);
  surface.origin = 0.5 * (low + high);
  surface.origin -=
      surface.axes.row(2).dot(surface.origin - position(mesh, top_nodes.front())) * surface.axes.row(2).transpose();

  std::map<NodeId, int> place;
  surface.positions.resize(static_cast<Eigen::Index>(surface.pairs.size()), 2);
  for (std::size_t i = 0; i < surface.pairs.size(); ++i) {
    const NodeId node = surface.pairs[i].first;
    const Eigen::Vector3d local = surface.axes * (position(mesh, node) - surface.origin);
    if (std::abs(local(2)) > 1e-3 * extent)
      throw InvalidInput(fmt::format("the interface is not plane: node {} lies {:.3g} off the plane through node {}",
                                     node, std::abs(local(2)), top_nodes.front()));
    surface.positions.row(static_cast<Eigen::Index>(i)) = local.head<2>();
    place.emplace(node, static_cast<int>(i));
  }
  for (const Face& face : faces_named(mesh, top)) {
    std::vector<int> nodes;
    Eigen::MatrixX2d corners(static_cast<Eigen::Index>(face.size()), 2);
    for (NodeId node : face) {
      corners.row(static_cast<Eigen::Index>(nodes.size())) = surface.positions.row(place.at(node));
      nodes.push_back(place.at(node));
    }
    for (const GaussPoint& gauss : gauss_points(face.size())) {
      const ShapeFunctions shape = shape_functions(face.size(), gauss.xi);
      const Eigen::Matrix2d jacobian = corners.transpose() * shape.slope;
      SurfacePoint point{corners.transpose() * shape.value, gauss.weight * std::abs(jacobian.determinant()), {}};
      for (std::size_t i = 0; i < nodes.size(); ++i)
        point.shape.emplace_back(nodes[i], shape.value(static_cast<Eigen::Index>(i)));
      surface.points.push_back(std::move(point));
    }
    surface.faces.push_back(std::move(nodes));
  }
  return surface;
}

Sides sides_of(const FeModel& model, const Surface& surface) {
  const auto place = places(model);
  const Eigen::Vector3d normal = surface.axes.row(2);
  struct Sum {
    double heights = 0, sizes = 0;
    [[nodiscard]] double side() const { return sizes > 0 ? heights / sizes : 0; }
  } top, bottom;
  const auto add = [&](Sum& sum, NodeId node) {
    for (int direction = 1; direction <= 3; ++direction) {
      const auto found = place.find({node, direction});
      if (found == place.end()) continue;
      for (Eigen::SparseMatrix<double>::InnerIterator entry(model.stiffness, found->second); entry; ++entry) {
        const auto other = model.mesh.nodes.find(model.coordinates[static_cast<std::size_t>(entry.row())].node);
        if (other == model.mesh.nodes.end()) continue;
        const double height = normal.dot(Eigen::Vector3d::Map(other->second.data()) - position(model.mesh, node));
        sum.heights += height;
        sum.sizes += std::abs(height);
      }
    }
  };
  for (const auto& [top_node, bottom_node] : surface.pairs) {
    add(top, top_node);
    add(bottom, bottom_node);
  }
  return {.top = top.side(), .bottom = bottom.side()};
}

Eigen::SparseMatrix<double> relative_displacements(const FeModel& model, const Surface& surface) {
  const auto place = places(model);
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Eigen::Index pair, NodeId node, double sign) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto found = place.find({node, axis + 1});
      for (int local = 0; local < 3; ++local) {
        const double cosine = surface.axes(local, axis);
        if (std::abs(cosine) < 1e-15) continue;
        if (found == place.end())
          throw InvalidInput(
              fmt::format("interface node {} has no coordinate in direction {}: interface nodes must be "
                          "free",
                          node, axis + 1));
        entries.emplace_back(static_cast<int>(3 * pair + local), static_cast<int>(found->second), sign * cosine);
      }
    }
  };
  for (std::size_t i = 0; i < surface.pairs.size(); ++i) {
    add(static_cast<Eigen::Index>(i), surface.pairs[i].first, -1);
    add(static_cast<Eigen::Index>(i), surface.pairs[i].second, +1);
  }
  Eigen::SparseMatrix<double> relative(3 * static_cast<Eigen::Index>(surface.pairs.size()), model.size());
  relative.setFromTriplets(entries.begin(), entries.end());
  return relative;
}

}  // namespace microslip
