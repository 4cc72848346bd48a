#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/modal_model.hpp>

namespace microslip {
namespace {

using test::refusal;

ModalModel paper_003() {
  Mode mode;
  mode.linear_stiffness = 1.4e5;
  mode.damping = 0.1249;
  mode.joint = JointSpec{.model = "iwan4", .parameters = {{"slip_force", 4e4}}, .per_area = false};
  return {.modes = {mode}, .sensors = {}};
}

std::string refused(const ModalModel& model) {
  return refusal([&] { (void)checked(model, "system.toml"); });
}

TEST(ModalModel, AcceptsTheCaseOfPaper003) { EXPECT_EQ(checked(paper_003(), "system.toml").size(), 1U); }

TEST(ModalModel, RefusesWhatCannotVibrate) {
  ModalModel model = paper_003();
  model.modes[0].mass = 0;
  EXPECT_NE(refused(model).find("system.toml: mode 1 mass must be > 0, got 0"), std::string::npos);
  model = paper_003();
  model.modes[0].damping = -1;
  EXPECT_NE(refused(model).find("damping"), std::string::npos);
  model = paper_003();
  model.modes[0].joint.reset();
  model.modes[0].linear_stiffness = 0;
  EXPECT_NE(refused(model).find("neither linear_stiffness nor a joint"), std::string::npos);
  EXPECT_NE(refused(ModalModel{}).find("at least one mode"), std::string::npos);
}

TEST(ModalModel, ShapesAndSensorsHaveOneLength) {
  ModalModel model = paper_003();
  model.modes.push_back(model.modes[0]);
  model.modes[1].shape = Eigen::Vector2d(1, 2);
  EXPECT_NE(refused(model).find("mode 2 has a shape of 2 values, the first mode one of 0"), std::string::npos);
  model.modes[0].shape = Eigen::Vector2d(1, -1);
  model.sensors = {{.name = "tip", .row = Eigen::Vector3d::Ones()}};
  EXPECT_NE(refused(model).find("sensor 'tip'"), std::string::npos);
}

}  // namespace
}  // namespace microslip
