#include <algorithm>
#include <set>
#include <unordered_set>

#include <microslip/core/check.hpp>
#include <microslip/core/letter_case.hpp>
#include <microslip/core/mesh.hpp>
#include <microslip/core/suggestion.hpp>

namespace microslip {

namespace {

using Edges = std::vector<std::array<int, 2>>;
using Corners = std::vector<std::vector<int>>;

const Edges triangle_edges{{0, 1}, {1, 2}, {2, 0}};
const Edges quad_edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
const Edges tetra_edges{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
const Edges wedge_edges{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
const Edges hexa_edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

const Corners& face_corners(Shape shape) {
  static const Corners none, triangle{{0, 1, 2}}, quad{{0, 1, 2, 3}};
  static const Corners tetra{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const Corners wedge{{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
  static const Corners hexa{{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  switch (shape) {
    case Shape::triangle3:
    case Shape::triangle6:
      return triangle;
    case Shape::quad4:
    case Shape::quad8:
      return quad;
    case Shape::tetra4:
    case Shape::tetra10:
      return tetra;
    case Shape::wedge6:
    case Shape::wedge15:
      return wedge;
    case Shape::hexa8:
    case Shape::hexa20:
      return hexa;
    case Shape::other:
      break;
  }
  return none;
}

bool is_quadratic(Shape shape) {
  return shape == Shape::triangle6 || shape == Shape::quad8 || shape == Shape::tetra10 || shape == Shape::wedge15 ||
         shape == Shape::hexa20;
}

std::size_t n_corners(Shape shape) {
  std::size_t largest = 0;
  for (const auto& corners : face_corners(shape))
    for (int corner : corners) largest = std::max(largest, static_cast<std::size_t>(corner) + 1);
  return largest;
}

std::vector<std::string> names_of(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const auto& entry : mesh.node_sets) names.push_back(entry.first);
  for (const auto& entry : mesh.surfaces) names.push_back(entry.first);
  return names;
}

/// The set of that name; Abaqus ignores case.
template <class Sets>
const typename Sets::mapped_type* find(const Sets& sets, const std::string& name) {
  if (const auto found = sets.find(name); found != sets.end()) return &found->second;
  const auto found = sets.find(upper_case(name));
  return found == sets.end() ? nullptr : &found->second;
}

template <class Members>
const Members& not_empty(const Members& members, const std::string& name) {
  if (members.empty()) throw InvalidInput(fmt::format("'{}' of the mesh is empty", name));
  return members;
}

[[noreturn]] void refuse_name(const Mesh& mesh, const std::string& name) {
  throw InvalidInput(fmt::format("no node set or surface '{}' in the mesh{}", name, suggestion(name, names_of(mesh))));
}

}  // namespace

const std::vector<std::array<int, 2>>& edges_of(Shape shape) {
  static const Edges none;
  switch (shape) {
    case Shape::triangle3:
    case Shape::triangle6:
      return triangle_edges;
    case Shape::quad4:
    case Shape::quad8:
      return quad_edges;
    case Shape::tetra4:
    case Shape::tetra10:
      return tetra_edges;
    case Shape::wedge6:
    case Shape::wedge15:
      return wedge_edges;
    case Shape::hexa8:
    case Shape::hexa20:
      return hexa_edges;
    case Shape::other:
      break;
  }
  return none;
}

std::vector<Face> faces_of(const Mesh::Element& element) {
  const Edges& edges = edges_of(element.shape);
  const std::size_t first_middle = n_corners(element.shape);
  std::vector<Face> faces;
  for (const auto& corners : face_corners(element.shape)) {
    Face face;
    for (int corner : corners) face.push_back(element.nodes.at(static_cast<std::size_t>(corner)));
    if (is_quadratic(element.shape))
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const int a = corners[i], b = corners[(i + 1) % corners.size()];
        const auto edge = std::find_if(edges.begin(), edges.end(), [&](const auto& e) {
          return (e[0] == a && e[1] == b) || (e[0] == b && e[1] == a);
        });
        face.push_back(element.nodes.at(first_middle + static_cast<std::size_t>(edge - edges.begin())));
      }
    faces.push_back(std::move(face));
  }
  return faces;
}

std::vector<Face> faces_within(const Mesh& mesh, const std::vector<NodeId>& nodes) {
  const std::unordered_set<NodeId> wanted(nodes.begin(), nodes.end());
  std::set<std::vector<NodeId>> seen;
  std::vector<Face> faces;
  for (const auto& [id, element] : mesh.elements) {
    const auto inside =
        std::count_if(element.nodes.begin(), element.nodes.end(), [&](NodeId node) { return wanted.count(node) > 0; });
    if (inside < 3) continue;
    for (Face& face : faces_of(element)) {
      if (!std::all_of(face.begin(), face.end(), [&](NodeId node) { return wanted.count(node) > 0; })) continue;
      std::vector<NodeId> key = face;
      std::sort(key.begin(), key.end());
      if (seen.insert(key).second) faces.push_back(std::move(face));
    }
  }
  return faces;
}

std::vector<Face> faces_named(const Mesh& mesh, const std::string& name) {
  if (const auto* surface = find(mesh.surfaces, name)) return not_empty(*surface, name);
  const auto* set = find(mesh.node_sets, name);
  if (set == nullptr) refuse_name(mesh, name);
  std::vector<Face> faces = faces_within(mesh, not_empty(*set, name));
  if (faces.empty())
    throw InvalidInput(
        fmt::format("node set '{}' ({} nodes) holds no whole face of any element of the mesh", name, set->size()));
  return faces;
}

std::vector<NodeId> nodes_named(const Mesh& mesh, const std::string& name) {
  if (const auto* surface = find(mesh.surfaces, name)) {
    std::set<NodeId> nodes;
    for (const Face& face : not_empty(*surface, name)) nodes.insert(face.begin(), face.end());
    return {nodes.begin(), nodes.end()};
  }
  const auto* set = find(mesh.node_sets, name);
  if (set == nullptr) refuse_name(mesh, name);
  return not_empty(*set, name);
}

}  // namespace microslip
