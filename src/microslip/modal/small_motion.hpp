#pragma once

#include <microslip/structure/interface.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {

/// Size of an interface [m], and how far anything may move beside it: models of small displacement hold while points
/// of the interface stay opposite each other [Porter2022, section 3.2], here a tenth of its size.
double interface_size(const Interface& interface);
double motion_limit(const Interface& interface);

/// The largest displacement of a shape: relative ones of the interface, and those at the sensors.
double largest_motion(const System& system, const Interface& interface, const Eigen::VectorXd& shape);

}  // namespace microslip
