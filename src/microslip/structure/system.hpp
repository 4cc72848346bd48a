#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace microslip {

/// A row over the coordinates of a structure: what a sensor there reads is row . u.
struct Sensor {
  std::string name;
  Eigen::VectorXd row;
};

/// A linear structure in coordinates u:  mass u'' + damping u' + stiffness u = forces.
/// Singular stiffness is normal: the structure may float, and its joints hold it together.
struct System {
  Eigen::MatrixXd mass, stiffness;
  Eigen::MatrixXd damping;               ///< empty: none
  std::vector<std::string> coordinates;  ///< what each coordinate is; empty where the source does not say
  Eigen::VectorXd prestress;             ///< static force for a preload of 1 N in every bolt; empty: none
  std::vector<Sensor> sensors;

  [[nodiscard]] Eigen::Index size() const { return mass.rows(); }
};

/// The system, made exactly symmetric, if it can be one: square matrices of one size, mass positive definite, no
/// matrix unsymmetric by more than 1e-10 of its largest entry, every number finite. `what` begins the message.
System checked(System system, const std::string& what);

}  // namespace microslip
