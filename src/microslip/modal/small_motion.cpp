#include <algorithm>
#include <cmath>

#include <microslip/modal/small_motion.hpp>

namespace microslip {

double interface_size(const Interface& interface) { return std::sqrt(interface.areas.sum()); }
double motion_limit(const Interface& interface) { return 0.1 * interface_size(interface); }

double largest_motion(const System& system, const Interface& interface, const Eigen::VectorXd& shape) {
  double most = (interface.map * shape).cwiseAbs().maxCoeff();
  for (const Sensor& sensor : system.sensors) most = std::max(most, std::abs(sensor.row.dot(shape)));
  return most;
}

}  // namespace microslip
