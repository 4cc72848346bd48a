#pragma once

#include <string>
#include <utility>
#include <vector>

#include <microslip/modal/rqnma.hpp>

namespace microslip::test {

/// A mass on a spring k and a joint along x; y and n are far stiffer and take no part.
inline JointedSystem oscillator(double mass, double k, Contact contact = Contact::spring) {
  System system;
  system.mass = Eigen::Vector3d(mass, 1, 1).asDiagonal();
  system.stiffness = Eigen::Vector3d(k, 1e4 * k / mass, 1e4 * k / mass).asDiagonal();
  Interface interface;
  interface.map = Eigen::Matrix3d::Identity();
  interface.areas = Eigen::VectorXd::Ones(1);
  interface.contact = contact;
  return {std::move(system), std::move(interface), "oscillator"};
}

inline Joint joint_of(const AnyLaw& law, double normal_stiffness = 1e6) {
  return {.law = law, .normal_stiffness = normal_stiffness, .tangential = Tangential::separate, .per_area = false};
}

inline std::vector<double> spaced(double low, double high, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(low * std::pow(high / low, double(i) / (count - 1)));
  return values;
}

}  // namespace microslip::test
