#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/optimize/minimise.hpp>

namespace microslip {
namespace {

double rosenbrock(const Eigen::VectorXd& x) { return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2); }

/// Eleven valleys, the deepest at 0.3.
double waves(const Eigen::VectorXd& x) {
  return std::pow(x[0] - 0.3, 2) + 0.1 * (1 - std::cos(10 * std::numbers::pi * (x[0] - 0.3)));
}

MinimiseOptions between(double lower, double upper, Eigen::Index n) {
  MinimiseOptions options;
  options.lower = Eigen::VectorXd::Constant(n, lower);
  options.upper = Eigen::VectorXd::Constant(n, upper);
  return options;
}

TEST(Minimise, NelderMeadFollowsTheBananaToItsEnd) {
  const auto found = minimise(rosenbrock, Eigen::Vector2d(-1.2, 1), {});
  EXPECT_EQ(found.outcome, Outcome::converged);
  // It stops where f no longer changes, so x holds half the digits of f's rounding.
  EXPECT_NEAR(found.x[0], 1, 1e-6);
  EXPECT_NEAR(found.x[1], 1, 1e-6);
  EXPECT_DOUBLE_EQ(found.value, rosenbrock(found.x));
  EXPECT_GT(found.evaluations, 50);
}

TEST(Minimise, DirectFindsTheDeepestValleyThatADescentMisses) {
  const Eigen::VectorXd start = Eigen::VectorXd::Constant(1, -0.9);
  MinimiseOptions options = between(-1, 1, 1);
  EXPECT_GT(std::abs(minimise(waves, start, options).x[0] - 0.3), 0.1);
  options.method = MinimiseMethod::direct;
  options.max_evaluations = 500;
  EXPECT_NEAR(minimise(waves, start, options).x[0], 0.3, 1e-3);
}

TEST(Minimise, StopsAtABound) {
  const auto found = minimise(rosenbrock, Eigen::Vector2d(0, 0), between(-0.5, 0.5, 2));
  EXPECT_NEAR(found.x[0], 0.5, 1e-6);  // along the valley x1 = x0^2 as far as it goes
  EXPECT_NEAR(found.x[1], 0.25, 1e-6);
}

TEST(Minimise, SaysThatItRanOut) {
  MinimiseOptions options;
  options.max_evaluations = 20;
  const auto found = minimise(rosenbrock, Eigen::Vector2d(-1.2, 1), options);
  EXPECT_EQ(found.outcome, Outcome::iteration_limit);
  EXPECT_EQ(found.evaluations, 20);
  EXPECT_LE(found.value, rosenbrock(Eigen::Vector2d(-1.2, 1)));
}

TEST(Minimise, WhatTheObjectiveThrowsComesOutAsItIs) {
  const auto broken = [](const Eigen::VectorXd&) -> double { throw std::runtime_error("no number at all"); };
  EXPECT_EQ(test::message_of<std::runtime_error>([&] { (void)minimise(broken, Eigen::Vector2d(0, 0), {}); }),
            "no number at all");
  const auto refusing = [](const Eigen::VectorXd&) -> double { throw InvalidInput("stiffness must be > 0"); };
  EXPECT_EQ(test::refusal([&] { (void)minimise(refusing, Eigen::Vector2d(0, 0), {}); }), "stiffness must be > 0");
}

TEST(Minimise, RefusesBoundsOfAnotherSize) {
  EXPECT_EQ(test::refusal([] { (void)minimise(rosenbrock, Eigen::Vector2d(0, 0), between(-1, 1, 1)); }),
            "minimise: 1 bounds for 2 variables");
}

}  // namespace
}  // namespace microslip
