#include <microslip/core/check.hpp>
#include <microslip/structure/modal_model.hpp>

namespace microslip {

ModalModel checked(ModalModel model, const std::string& what) {
  if (model.modes.empty()) throw InvalidInput(fmt::format("{}: at least one mode is expected", what));
  const Eigen::Index n_physical = model.modes.front().shape.size();
  for (std::size_t i = 0; i < model.modes.size(); ++i) {
    const Mode& mode = model.modes[i];
    const std::string here = fmt::format("{}: mode {}", what, i + 1);
    positive(here + " mass", mode.mass);
    non_negative(here + " linear_stiffness", mode.linear_stiffness);
    non_negative(here + " damping", mode.damping);
    finite(here + " load_shape", mode.load_shape);
    if (mode.linear_stiffness == 0 && !mode.joint)
      throw InvalidInput(fmt::format("{} has neither linear_stiffness nor a joint", here));
    if (mode.shape.size() != n_physical)
      throw InvalidInput(
          fmt::format("{} has a shape of {} values, the first mode one of {}", here, mode.shape.size(), n_physical));
    if (!mode.shape.allFinite())
      throw InvalidInput(fmt::format("{} has a shape with a value that is not finite", here));
  }
  for (const Sensor& sensor : model.sensors) {
    if (sensor.row.size() != n_physical)
      throw InvalidInput(fmt::format("{}: sensor '{}' has a row of {} values, the shapes have {}", what, sensor.name,
                                     sensor.row.size(), n_physical));
    if (!sensor.row.allFinite())
      throw InvalidInput(fmt::format("{}: sensor '{}' has a value that is not finite", what, sensor.name));
  }
  return model;
}

}  // namespace microslip
