#include <microslip/modal/joint_points.hpp>
#include <microslip/modal/joint_points_of.hpp>

namespace microslip {

std::unique_ptr<JointPoints<Dual>> make_dual_points(const Joint& joint, Contact contact, const Eigen::VectorXd& areas,
                                                    std::size_t seed) {
  return detail::points_of<Dual>(joint, contact, areas, seed);
}

}  // namespace microslip
