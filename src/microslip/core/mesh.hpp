#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace microslip {

/// Shapes of elements; nodes in Abaqus order: corners, then the middles of edges.
enum class Shape { triangle3, triangle6, quad4, quad8, tetra4, tetra10, wedge6, wedge15, hexa8, hexa20, other };

using NodeId = std::int64_t;
/// Corners in order around the face, then the middles of its edges where the element has them.
using Face = std::vector<NodeId>;

/// A finite-element mesh as its file gives it. Names of sets are in capitals where the format ignores case.
struct Mesh {
  struct Element {
    Shape shape = Shape::other;
    std::vector<NodeId> nodes;
  };

  std::map<NodeId, std::array<double, 3>> nodes;
  std::map<std::int64_t, Element> elements;
  std::map<std::string, std::vector<NodeId>> node_sets;
  std::map<std::string, std::vector<Face>> surfaces;
};

/// Pairs of corners (places in the element's node list) whose middles follow the corners of a quadratic element.
const std::vector<std::array<int, 2>>& edges_of(Shape shape);
/// The faces of a solid element, in Abaqus order; a plane element is its own face.
std::vector<Face> faces_of(const Mesh::Element& element);
/// The faces of elements all of whose nodes are in `nodes`, each once.
std::vector<Face> faces_within(const Mesh& mesh, const std::vector<NodeId>& nodes);
/// The faces of the surface or node set of that name: of the surface where there are both. Refused with a suggestion
/// where there is none, or where it is empty or holds no whole face.
std::vector<Face> faces_named(const Mesh& mesh, const std::string& name);
/// The nodes of the surface or node set of that name, chosen alike, so that they are those of its faces; at least one.
std::vector<NodeId> nodes_named(const Mesh& mesh, const std::string& name);

}  // namespace microslip
