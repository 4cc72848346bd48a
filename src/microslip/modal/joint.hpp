#pragma once

#include <span>
#include <string>
#include <string_view>

#include <microslip/joints/any_law.hpp>
#include <microslip/structure/interface.hpp>
#include <microslip/structure/modal_model.hpp>

namespace microslip {

/// How friction acts in the plane: the same law along x and along y, each for itself (whole joints), or one law that
/// knows no direction (full joints; jenkins, jenkins_prager, prager and elastic_dry_friction have such a form).
enum class Tangential { separate, coupled };

/// "separate" or "coupled", and back; another name is refused with a suggestion.
std::string_view to_string(Tangential tangential);
Tangential tangential_from(std::string_view name);

/// What holds an interface together, the same at every point: a law in the plane and the stiffness across it.
struct Joint {
  AnyLaw law;
  double normal_stiffness = 0;
  Tangential tangential = Tangential::separate;
  bool per_area = true;  ///< parameters are those of a traction; else of each point's force
};

/// The joint that a file describes: the law's parameters and normal_stiffness by name.
Joint make_joint(const JointSpec& spec, Tangential tangential = Tangential::separate);

/// The law's parameters in the order of its table, then normal_stiffness: the order of sensitivities.
NamedValues joint_parameters(const Joint& joint);

/// Stiffness of a law's linear spring alone.
double post_slip_stiffness(const AnyLaw& law);

/// What the joint's parameters are multiplied by at each point: its area, or 1 where they are those of the point.
Eigen::VectorXd acting_areas(const Joint& joint, const Eigen::VectorXd& areas);

/// Springs kt in the plane of the interface and the joint's own across it. Penalty contact has none at points that the
/// relative displacements w leave open; without w every point is closed.
PointTangents point_springs(const Joint& joint, const Interface& interface, double kt, std::span<const double> w = {});

/// Whether Masing's rules describe the joint's loops: the law obeys them and the contact never opens. Such laws obey
/// them in the plane too, as long as each point moves along a line.
bool obeys_masing(const Joint& joint, Contact contact);

}  // namespace microslip
