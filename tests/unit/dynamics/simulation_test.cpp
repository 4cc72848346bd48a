#include <atomic>
#include <cmath>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/simulation.hpp>

namespace microslip {
namespace {

Mode iwan_mode(double mass, double load_shape, Eigen::VectorXd shape = {}) {
  return {.mass = mass,
          .linear_stiffness = 1.4e5,
          .damping = 2e-4 * std::sqrt(3.9e5 * mass),
          .joint = JointSpec{"iwan4", {{"slip_force", 4e4}, {"stiffness", 2.5e5}, {"chi", -0.5}, {"beta", 1.0}}, false},
          .shape = std::move(shape),
          .load_shape = load_shape};
}

const Excitation pulse{Load(HalfSine{1e4, 0.02}), false};

TEST(Simulation, SensorsSuperposeTheModes) {
  const Eigen::Vector2d first(0.5, -1), second(2, 1);
  ModalModel model{{iwan_mode(1, 1, first), iwan_mode(4, 0.3, second)}, {}};
  const TimePlan plan = plan_time(0.3, {}, shortest_period(model), pulse.load);
  const Simulation physical = simulate(model, pulse, {}, plan, {}, {});
  model.sensors = {{"tip", Eigen::Vector2d(1, 1)}};
  const Simulation sensed = simulate(model, pulse, {}, plan, {}, {});
  for (Mode& mode : model.modes) mode.shape = {};
  model.sensors = {};
  const Simulation modal = simulate(model, pulse, {}, plan, {}, {});
  ASSERT_EQ(physical.displacement.size(), 2U);
  ASSERT_EQ(sensed.coordinates, std::vector<std::string>{"tip"});
  ASSERT_EQ(modal.coordinates.size(), 2U);
  for (std::size_t j = 0; j < modal.time.size(); j += 97) {
    const double q1 = modal.displacement[0][j], q2 = modal.displacement[1][j];
    EXPECT_NEAR(physical.displacement[0][j], 0.5 * q1 + 2 * q2, 1e-15);
    EXPECT_NEAR(sensed.displacement[0][j], -0.5 * q1 + 3 * q2, 1e-15);
    EXPECT_NEAR(sensed.velocity[0][j], -0.5 * modal.velocity[0][j] + 3 * modal.velocity[1][j], 1e-12);
  }
  EXPECT_NEAR(modal.energy.imbalance(), 0, 1e-3);
}

TEST(Simulation, KeepsOnlyWhatIsAskedFor) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  const TimePlan plan = plan_time(0.5, {}, shortest_period(model), pulse.load);
  OutputPlan output{.displacement = true, .velocity = false, .acceleration = false, .envelope = false, .every = 10};
  const Simulation few = simulate(model, pulse, {}, plan, output, {});
  const Simulation all = simulate(model, pulse, {}, plan, {}, {});
  EXPECT_TRUE(few.velocity.empty() && few.envelopes.empty());
  ASSERT_EQ(few.displacement[0].size(), static_cast<std::size_t>(plan.n_steps / 10 + 1));
  EXPECT_EQ(few.displacement[0][7], all.displacement[0][70]);
  EXPECT_EQ(few.time[7], all.time[70]);
}

TEST(Simulation, MethodsGiveSeriesOfOneLength) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  const Excitation sine{Load(Sine{100, 80}), false};  // which never ends
  for (const Excitation* excitation : {&pulse, &sine}) {
    const TimePlan plan = plan_time(1.0, {}, shortest_period(model), excitation->load);
    const auto points = static_cast<std::size_t>(plan.n_steps / (plan.n_steps / 50) + 1);
    for (const Method method : {Method::newmark, Method::averaging, Method::hybrid}) {
      for (const std::int64_t every : {1, 7}) {
        OutputPlan output{.acceleration = true, .every = every, .energy_points = 50};
        const Simulation run = simulate(model, *excitation, {}, plan, output, {.method = method});
        for (const auto* rows : {&run.displacement, &run.velocity, &run.acceleration})
          EXPECT_EQ((*rows)[0].size(), run.time.size()) << to_string(method);
        EXPECT_EQ(run.envelopes[0].amplitude.size(), run.time.size());
        ASSERT_EQ(run.energy_history.size(), points) << to_string(method);
        EXPECT_EQ(run.energy_history.front().time, 0);
        for (std::size_t i = 1; i < points; ++i)
          EXPECT_GT(run.energy_history[i].time, run.energy_history[i - 1].time) << to_string(method);
      }
    }
  }
}

TEST(Simulation, AveragingKeepsItsLedgerWhileALoadActs) {
  // Without joint and damper averaging is exact: the spring holds k u^2/2, and what the load did is all there is.
  const Excitation sine{Load(Sine{100, 80}), false};
  const OutputPlan output{.energy_points = 100};
  for (const bool linear : {true, false}) {
    Mode mode = iwan_mode(1, 1);
    if (linear) mode.joint.reset(), mode.damping = 0;
    const ModalModel model{{mode}, {}};
    const TimePlan plan{0.5, 10'000};
    const Simulation run = simulate(model, sine, {}, plan, output, {.method = Method::averaging});
    double most = 0;
    for (const EnergyPoint& point : run.energy_history)
      most = std::max(most, point.energy.kinetic + point.energy.stored);
    ASSERT_GT(most, 0);
    for (std::size_t i = 0; i < run.energy_history.size(); ++i) {
      const Energy& now = run.energy_history[i].energy;
      const double u = run.displacement[0][100 * i], v = run.velocity[0][100 * i];
      EXPECT_NEAR(now.kinetic, 0.5 * v * v, 1e-12 * most);
      if (linear) {
        EXPECT_NEAR(now.stored, 0.5 * mode.linear_stiffness * u * u,
                    1e-7 * most);  // steps are good to 1e-10 of u and v
        EXPECT_NEAR(now.work, now.kinetic + now.stored, 1e-7 * most);
        EXPECT_EQ(now.dissipated, 0);
      } else if (i > 0) {
        EXPECT_GT(now.dissipated, run.energy_history[i - 1].energy.dissipated);
      }
    }
    for (const auto part : {&Energy::work, &Energy::kinetic, &Energy::stored, &Energy::dissipated})
      EXPECT_NEAR(run.energy_history.back().energy.*part, run.energy.*part, 1e-10 * most) << "the last step";
  }
}

TEST(Simulation, TellsHowFarTheAveragedPropertiesWereTaken) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  const TimePlan plan = plan_time(0.5, {}, shortest_period(model), pulse.load);
  EXPECT_EQ(simulate(model, pulse, {}, plan, {}, {}).modes[0].averaged_up_to, 0);
  for (const Method method : {Method::averaging, Method::hybrid}) {
    const Simulation run = simulate(model, pulse, {}, plan, {}, {.method = method});
    double largest = 0;
    for (const double a : run.envelopes[0].amplitude)
      if (std::isfinite(a)) largest = std::max(largest, a);
    // Runge and Kutta's steps see the top of the amplitude within what it changes over a quarter of a period.
    EXPECT_NEAR(run.modes[0].averaged_up_to, largest, 0.1 * largest) << to_string(method);
    // However few times are kept.
    const Simulation few = simulate(model, pulse, {}, plan, {.every = plan.n_steps}, {.method = method});
    EXPECT_EQ(few.modes[0].averaged_up_to, run.modes[0].averaged_up_to) << to_string(method);
  }
}

TEST(Simulation, StopsAllModesTogetherAndKeepsWhatIsFinished) {
  const ModalModel model{{iwan_mode(1, 1), iwan_mode(4, 0.3)}, {}};
  const TimePlan plan{20, 500'000};
  const std::atomic<bool> stop = true;
  double told = 0;
  Progress progress;
  progress.stop = &stop;
  progress.report = [&](double fraction, std::string_view /*what*/) { told = fraction; };
  for (const Method method : {Method::newmark, Method::averaging, Method::hybrid}) {
    const OutputPlan output{.every = 3, .energy_points = 100};
    const Simulation run = simulate(model, pulse, {}, plan, output, {.method = method}, progress);
    EXPECT_TRUE(run.stopped);
    EXPECT_GT(told, 0);
    EXPECT_NEAR(run.plan.end, told * 20, 1e-12) << to_string(method);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(run.displacement[k].size(), run.time.size()) << to_string(method);
      EXPECT_EQ(run.envelopes[k].amplitude.size(), run.time.size()) << to_string(method);
    }
    if (method != Method::averaging) {  // whose equation under load is not the joint's
      EXPECT_NEAR(run.energy.imbalance(), 0, 1e-3) << to_string(method);
    }
    // A run that is done before anybody looks is not stopped.
    EXPECT_FALSE(simulate(model, pulse, {}, {0.1, 4000}, output, {.method = method}, progress).stopped);
  }
}

TEST(Simulation, BaseAccelerationPushesByMinusTheMass) {
  ModalModel model{{iwan_mode(3, 1)}, {}};
  const TimePlan plan = plan_time(0.2, {}, shortest_period(model), pulse.load);
  const Simulation shaken = simulate(model, {Load(HalfSine{100, 0.02}), true}, {}, plan, {}, {});
  const Simulation pushed = simulate(model, {Load(HalfSine{-300, 0.02}), false}, {}, plan, {}, {});
  for (std::size_t j = 0; j < pushed.time.size(); ++j)
    ASSERT_NEAR(shaken.displacement[0][j], pushed.displacement[0][j], 1e-13);  // -300 sin and -3 (100 sin) round apart
}

TEST(Simulation, AStaticForceGoesOnActing) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  const TimePlan plan = plan_time(0.2, {}, shortest_period(model), Load{});
  const Simulation rest = simulate(model, {}, {{0, 0, 2e4}}, plan, {}, {});
  EXPECT_GT(rest.displacement[0].front(), 0.04);
  EXPECT_NEAR(rest.displacement[0].back(), rest.displacement[0].front(), 1e-12);
  EXPECT_THROW(simulate(model, {}, {{0, 0, 2e4}}, plan, {}, {.method = Method::averaging}), InvalidInput);
}

TEST(Simulation, RefusesWhatIsNoModeByName) {
  ModalModel model{{iwan_mode(1, 1), iwan_mode(1, 1)}, {}};
  const TimePlan plan{1, 1000};
  for (const double mass : {0.0, -1.0, std::nan("")}) {
    model.modes[1].mass = mass;
    const std::string message = test::message_of<InvalidInput>([&] { simulate(model, pulse, {}, plan, {}, {}); });
    EXPECT_NE(message.find("mode 2"), std::string::npos) << message;
    EXPECT_NE(message.find("mass"), std::string::npos) << message;
  }
  model.modes[1].mass = 1;
  model.modes[1].joint->parameters["chi"] = -2;
  EXPECT_THROW(simulate(model, pulse, {}, plan, {}, {}), InvalidInput);
  model = {{iwan_mode(1, 1)}, {}};
  EXPECT_THROW(simulate(model, pulse, {{}, {}}, plan, {}, {}), InvalidInput);
  EXPECT_THROW(simulate(model, pulse, {}, plan, {}, {.newmark = {.hht_alpha = 0.1}}), InvalidInput);
}

TEST(Simulation, RefusesToKeepEveryZerothStep) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  for (const Method method : {Method::newmark, Method::averaging, Method::hybrid})
    for (const std::int64_t every : {0, -3}) {
      const std::string message = test::message_of<InvalidInput>([&] {
        simulate(model, pulse, {}, {0.1, 4000}, {.every = every}, {.method = method});
      });
      EXPECT_NE(message.find("output.every must be at least 1"), std::string::npos) << message;
    }
}

TEST(Simulation, ARunThatLeavesTheNumbersSaysWhen) {
  const ModalModel model{{iwan_mode(1, 1)}, {}};
  const TimePlan plan = plan_time(0.2, {}, shortest_period(model), pulse.load);
  const std::string message = test::message_of<NotConverged>([&] {
    simulate(model, {Load(HalfSine{1e308, 0.02}), false}, {{1e308, 1e308, 0}}, plan, {}, {});
  });
  EXPECT_NE(message.find(" s does not converge"), std::string::npos) << message;
}

}  // namespace
}  // namespace microslip
