#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <support/asadi.hpp>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

TEST(Model, RefusesWhatMakesNoSenseAndNamesTheKey) {
  struct Case {
    std::string names;
    std::function<void(Model&)> spoil;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Case> cases{
      {"beam.length", [](Model& m) { m.beam.length = 0; }},
      {"beam.width", [](Model& m) { m.beam.width = -1; }},
      {"beam.height", [](Model& m) { m.beam.height = 0.1; }},
      {"beam.youngs_modulus", [&](Model& m) { m.beam.youngs_modulus = nan; }},
      {"beam.density", [&](Model& m) { m.beam.density = inf; }},
      {"support.length 0.4 is longer than the beam", [](Model& m) { m.support.length = 0.4; }},
      {"support.normal_stiffness", [](Model& m) { m.support.normal_stiffness = -1; }},
      {"support.tangential_stiffness", [&](Model& m) { m.support.tangential_stiffness = nan; }},
      {"support.friction_coefficient must be >= 0, got -0.2", [](Model& m) { m.support.friction_coefficient = -0.2; }},
      {"bolt.position", [](Model& m) { m.bolt.position = 0.06; }},
      {"bolt.mass", [](Model& m) { m.bolt.mass = -0.1; }},
      {"bolt.preload", [&](Model& m) { m.bolt.preload = inf; }},
      {"bolt.head_diameter 0.06", [](Model& m) { m.bolt.head_diameter = 0.06; }},
      {"load.position must lie in [0, 0.3], got 0.31", [](Model& m) { m.load.position = 0.31; }},
      {"load.frequency_hz", [](Model& m) { m.load.frequency_hz = -1; }},
      {"load.angle_deg", [](Model& m) { m.load.angle_deg = 91; }},
  };
  for (const Case& c : cases) {
    Model m = asadi();
    c.spoil(m);
    const std::string message = test::message_of<InvalidInput>([&] { checked(m); });
    EXPECT_NE(message.find(c.names), std::string::npos) << c.names << " / " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_NO_THROW(checked(asadi()));
}

TEST(Model, RefusesWavesTooShortToFollowAndNamesTheKey) {
  const auto refusal = [](auto spoil) {
    Model m = asadi();
    spoil(m);
    return test::message_of<InvalidInput>([&] { check_resolution(m); });
  };
  EXPECT_EQ(refusal([](Model& m) { m.support.normal_stiffness = 1e30; }).find("support.normal_stiffness 1e+30"), 0u);
  EXPECT_EQ(refusal([](Model& m) { m.support.tangential_stiffness = 1e30; }).find("support.tangential_stiffness"), 0u);
  EXPECT_EQ(refusal([](Model& m) { m.load.frequency_hz = 1e15; }).find("load.frequency_hz"), 0u);
  EXPECT_NO_THROW(check_resolution(asadi()));
}

}  // namespace
}  // namespace microslip::beam
