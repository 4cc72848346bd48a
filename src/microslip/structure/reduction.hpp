#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/progress.hpp>
#include <microslip/structure/fe_model.hpp>
#include <microslip/structure/projection.hpp>
#include <microslip/structure/reduced_model.hpp>

namespace microslip {

/// A force on the FE model for a preload of 1 N.
struct NamedLoad {
  std::string name;
  Eigen::VectorXd force;
};

/// Equal and opposite unit forces, evenly shared by the nodes of two sets: the head's along -axis, the nut's along
/// +axis, axis pointing from nut to head. They press the joint together. Refused where the nut's nodes lie farther
/// along the axis than the head's; sets at one place (a thread that is cut open) are taken at their names.
NamedLoad bolt_preload(const FeModel& model, const std::string& head, const std::string& nut,
                       const Eigen::Vector3d& axis);

/// The displacement of a node in a direction 1, 2 or 3.
Sensor node_sensor(const FeModel& model, const std::string& name, NodeId node, int direction);

/// Linear springs over the interface, per area: what the reduced model is held against the full one with.
struct CheckSprings {
  double tangential = 1e12, normal = 1e12;  ///< [N/m^3]
  Eigen::Index n_modes = 10;                ///< elastic modes compared; 0: no check
};

struct ReductionOptions {
  Eigen::Index fixed_interface_modes = 19;  ///< rigid ones included, as they come with the same constraint
  CheckSprings check;
};

/// Craig-Bampton with respect to the constraint that the projection puts on the interface (docs/theory/reduction.md):
/// static shapes of least energy for each coordinate q, then modes with q = 0, all orthogonal to the rigid motions
/// of the structure, which are left out. Throws NotConverged where a residual or the count of modes is not as it
/// should be, InvalidInput where the model cannot be reduced.
ReducedModel reduce(const FeModel& model, const Surface& surface, const Projection& projection,
                    const std::vector<NamedLoad>& bolts, const std::vector<Sensor>& sensors,
                    const ReductionOptions& options, const Progress& progress = {});

}  // namespace microslip
