#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <microslip/structure/system.hpp>

namespace microslip {

/// A friction law by its name and parameters, as files give it.
struct JointSpec {
  std::string model;
  std::map<std::string, double> parameters;
  bool per_area = false;  ///< the parameters are those of a traction
};

/// One mode with its own joint: mass q'' + damping q' + linear_stiffness q + joint(q) = load_shape . load.
struct Mode {
  double mass = 1;
  double linear_stiffness = 0;  ///< beside the joint
  double damping = 0;
  std::optional<JointSpec> joint;
  Eigen::VectorXd shape;  ///< physical displacements for q = 1; empty: none known
  double load_shape = 1;  ///< modal force for a load of 1
};

/// Uncoupled modes; a physical displacement is the sum of shape q over the modes.
struct ModalModel {
  std::vector<Mode> modes;
  std::vector<Sensor> sensors;  ///< rows over the physical displacements

  [[nodiscard]] std::size_t size() const { return modes.size(); }
  /// Whether every mass is 1, which is what mass-normalised modes have.
  [[nodiscard]] bool has_unit_masses() const {
    return std::all_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.mass == 1; });
  }
};

/// The model, if every mode has mass > 0, linear_stiffness and damping >= 0, some stiffness, and shapes and sensors of
/// one length. The joint's parameters are checked where the law is made.
ModalModel checked(ModalModel model, const std::string& what);

}  // namespace microslip
