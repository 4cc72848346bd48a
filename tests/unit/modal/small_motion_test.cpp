#include <gtest/gtest.h>

#include <microslip/modal/small_motion.hpp>

namespace microslip {
namespace {

TEST(SmallMotion, IsThatOfInterfaceAndSensorsBesideTheInterfacesSize) {
  Interface interface;
  interface.map = Eigen::MatrixXd::Identity(3, 3);
  interface.areas = Eigen::VectorXd::Constant(1, 4.0);
  System system;
  const Eigen::Vector3d shape(1, -3, 2);
  EXPECT_EQ(interface_size(interface), 2);
  EXPECT_EQ(motion_limit(interface), 0.1 * 2);
  EXPECT_EQ(largest_motion(system, interface, shape), 3);
  system.sensors = {{"tip", Eigen::Vector3d(0, 0, -5)}, {"root", Eigen::Vector3d(1, 0, 0)}};
  EXPECT_EQ(largest_motion(system, interface, shape), 10);
}

}  // namespace
}  // namespace microslip
