#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <microslip/structure/system.hpp>

namespace microslip {

/// Normal contact: a spring in both senses, or one that opens.
enum class Contact { spring, penalty };

std::string_view to_string(Contact contact);
/// The contact of that name; refused with a suggestion otherwise.
Contact contact_from(std::string_view name);

/// The flat picture of an interface, for people: where its points lie and which element they belong to.
struct InterfacePicture {
  Eigen::MatrixX2d nodes;                  ///< in-plane positions [m]
  std::vector<std::vector<int>> elements;  ///< corners of each patch's faces or of each coarse element
  std::vector<int> point_of_element;       ///< patch of each face; empty for full-joint models
  Eigen::MatrixX2d points;                 ///< in-plane position of each patch or quadrature point [m]
};

/// Where joints act. Relative displacements w = map u come in threes (x, y, n) per point, a point being a patch or a
/// quadrature point; n is positive in compression. Forces on u are map^T f, with f = area times traction.
struct Interface {
  Eigen::MatrixXd map;
  Eigen::VectorXd areas;  ///< of each patch, or the weight of each quadrature point [m^2]
  Contact contact = Contact::spring;
  InterfacePicture picture;  ///< may be empty

  [[nodiscard]] Eigen::Index n_points() const { return areas.size(); }
};

/// Stiffness of each point of an interface: (x, y, n) by (x, y, n).
using PointTangents = std::vector<std::array<std::array<double, 3>, 3>>;

/// The interface, if it belongs to the system: three rows per area, as many columns as coordinates, areas > 0, and a
/// map of full rank: patches that move independently, or quadrature points that tell apart all coordinates they touch.
Interface checked(Interface interface, const System& system, const std::string& what);

}  // namespace microslip
