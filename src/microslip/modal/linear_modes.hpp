#pragma once

#include <array>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include <microslip/modal/condensed.hpp>
#include <microslip/modal/joint.hpp>
#include <microslip/modal/prestress.hpp>

namespace microslip {

/// Frequencies of the first elastic modes at vanishing amplitude and their mass-normalised shapes (columns).
struct LinearModes {
  Eigen::VectorXd frequencies_hz;
  Eigen::MatrixXd shapes;
};

/// Joints at their initial stiffness; with penalty contact, the points that the preload leaves in contact.
LinearModes linear_modes(const JointedSystem& system, const Joint& joint, int count,
                         const PrestressOptions& options = {});

/// A mode in condensed coordinates, y^T N y = 1.
struct CondensedMode {
  Eigen::VectorXd y;
  double lambda = 0;
};

/// Stiffness of every point that is in contact, before anything slips.
PointTangents initial_tangents(const Joint& joint, const Interface& interface,
                               const std::optional<Prestress>& prestress);

/// The elastic modes `first` to `last` (from 1) of A(lambda) with these stiffnesses at the points.
std::vector<CondensedMode> condensed_modes(const Condensed& condensed, const PointTangents& tangents, int first,
                                           int last);

}  // namespace microslip
