#include <microslip/modal/joint_points.hpp>
#include <microslip/modal/joint_points_of.hpp>

namespace microslip {

std::unique_ptr<JointPoints<double>> make_points(const Joint& joint, Contact contact, const Eigen::VectorXd& areas) {
  return detail::points_of<double>(joint, contact, areas, 0);
}

}  // namespace microslip
