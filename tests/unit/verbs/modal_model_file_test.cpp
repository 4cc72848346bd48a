#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/verbs/modal_model_file.hpp>

#include "support/scratch.hpp"

namespace microslip::verbs {
namespace {

using test::message_of;
using test::Scratch;

const char* const fitted = R"({"microslip": "0", "verb": "fit modal", "sensors": ["a", "b"], "modes": [
  {"model": "iwan4", "shape": [0.5, -0.25], "load_shape": 0.5,
   "parameters": {"slip_force": 2.33, "stiffness": 1.37e5, "chi": -0.178, "beta": 0.0316,
                  "linear_stiffness": 4.41e5, "damping": 1.505}},
  {"shape": [0.1, 0.2], "parameters": {"linear_stiffness": 4e6, "damping": 2.5}}]})";

TEST(ModalModelFile, AFitBecomesModesWithShapesAtItsSensors) {
  const Scratch scratch;
  const ModalModel model = read_modal_model(scratch.file("fit.json", fitted));
  ASSERT_EQ(model.size(), 2U);
  const Mode& first = model.modes[0];
  EXPECT_EQ(first.mass, 1);
  EXPECT_EQ(first.damping, 1.505);
  EXPECT_EQ(first.linear_stiffness, 4.41e5);
  EXPECT_EQ(first.load_shape, 0.5);
  ASSERT_TRUE(first.joint);
  EXPECT_EQ(first.joint->model, "iwan4");
  EXPECT_EQ(first.joint->parameters.at("chi"), -0.178);
  EXPECT_FALSE(model.modes[1].joint);
  ASSERT_EQ(model.sensors.size(), 2U);
  EXPECT_EQ(model.sensors[1].name, "b");
  EXPECT_EQ(model.sensors[1].row.dot(first.shape), -0.25);
}

TEST(ModalModelFile, TomlWithModesAloneIsEnough) {
  const Scratch scratch;
  const auto path = scratch.file("mode.toml",
                                 "[[mode]]\nmass = 1.0\nlinear_stiffness = 1.4e5\n"
                                 "joint = { model = \"iwan4\", slip_force = 4e4, stiffness = 2.5e5, chi = -0.5, "
                                 "beta = 1.0 }\n[load]\nkind = \"none\"\n");
  const ModalModel model = read_modal_model(path);
  ASSERT_EQ(model.size(), 1U);
  EXPECT_EQ(model.modes[0].joint->parameters.at("slip_force"), 4e4);
}

TEST(ModalModelFile, ComplaintsNameFileAndKey) {
  const Scratch scratch;
  const auto complaint = [&](const char* name, const std::string& text) {
    return message_of<InvalidInput>([&] { read_modal_model(scratch.file(name, text)); });
  };
  EXPECT_NE(complaint("a.json", "{}").find("a.json: modes"), std::string::npos);
  EXPECT_NE(complaint("a.json", R"({"modes": [{}]})").find("modes[0].parameters"), std::string::npos);
  EXPECT_NE(complaint("a.json", R"({"modes": []})").find("at least one mode"), std::string::npos);
  EXPECT_NE(complaint("a.json", R"({"modes": [{"parameters": {"chi": "x"}}]})").find("modes[0].parameters.chi"),
            std::string::npos);
  EXPECT_NE(complaint("a.json", R"({"modes": [{"parameters": {"linear_stiffness": null}}]})").find("linear_stiffness"),
            std::string::npos);
  EXPECT_NE(complaint("a.json", R"({"modes": [{"parameters": {"chi": 0.1}}]})").find("slip_force"), std::string::npos);
  EXPECT_NE(
      complaint("a.json", R"({"sensors": ["a"], "modes": [{"parameters": {"linear_stiffness": 1}}]})").find("row"),
      std::string::npos);
  EXPECT_NE(complaint("a.toml", "x = 1\n").find("[[mode]]"), std::string::npos);
}

}  // namespace
}  // namespace microslip::verbs
