#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include "two_patches.hpp"

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::two_patches;

const Jenkins<double> strong{.stiffness = 2e5, .slip_force = 1e9, .post_slip_stiffness = 4e3};
const Joint stuck{strong, 3e5, Tangential::separate, true};

VectorXd springs(const Interface& interface, double kt, double kn) {
  VectorXd k(interface.map.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = interface.areas(i / 3) * (i % 3 == 2 ? kn : kt);
  return k;
}

Prestress solve(const JointedSystem& system, const Joint& joint, const PrestressOptions& options) {
  const Condensed condensed = Condensed::for_mode(system, 1);
  const auto points = make_points(joint, system.interface().contact, system.interface().areas);
  return prestress(condensed, joint, *points, options);
}

TEST(Prestress, OfAJointThatSticksIsALinearSolve) {
  const JointedSystem system = two_patches();
  const MatrixXd& map = system.interface().map;
  for (const PrestressLaw law : {PrestressLaw::full, PrestressLaw::conservative}) {
    const Prestress found = solve(system, stuck, {.law = law, .preload = 300});
    const double kt = law == PrestressLaw::full ? 2e5 + 4e3 : 4e3;
    const MatrixXd K =
        system.system().stiffness + map.transpose() * springs(system.interface(), kt, 3e5).asDiagonal() * map;
    const VectorXd u = K.partialPivLu().solve(300 * system.system().prestress);
    EXPECT_LT((found.displacement - u).norm(), 1e-10 * u.norm()) << to_string(law);
    EXPECT_LT(found.residual, 1e-11);
    EXPECT_EQ(found.n_open, 0);
  }
}

TEST(Prestress, LoadStepsDoNotMatterWhereFrictionLoadsMonotonically) {
  const JointedSystem system = two_patches();
  const Joint slips{Jenkins<double>{2e5, 8, 0}, 3e5, Tangential::separate, true};
  const Prestress one = solve(system, slips, {.preload = 300}),
                  ten = solve(system, slips, {.preload = 300, .load_steps = 10});
  EXPECT_GT(one.displacement.norm(), 1.001 * solve(system, stuck, {.preload = 300}).displacement.norm());
  EXPECT_LT((one.displacement - ten.displacement).norm(), 1e-9 * one.displacement.norm());
}

TEST(Prestress, ThatOpensTheWholeJointIsRefusedWithTheNumbers) {
  const JointedSystem system = two_patches(Contact::penalty);
  const Joint joint{ElasticDryFriction<double>{0.3, 2e5, 0, 0}, 3e5, Tangential::separate, true};
  const std::string message = test::message_of<InvalidInput>([&] { solve(system, joint, {.preload = -300}); });
  EXPECT_NE(message.find("opens the whole joint"), std::string::npos) << message;
  EXPECT_NE(message.find("-300"), std::string::npos) << message;
}

TEST(LinearModes, AreThoseOfTheFullMatrices) {
  for (const bool floats : {false, true}) {
    const JointedSystem system = two_patches(Contact::spring, floats);
    ASSERT_EQ(system.n_rigid(), floats ? 1 : 0);
    const MatrixXd& map = system.interface().map;
    const MatrixXd K =
        system.system().stiffness + map.transpose() * springs(system.interface(), 2.04e5, 3e5).asDiagonal() * map;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> exact(K, system.system().mass);
    const LinearModes modes = linear_modes(system, stuck, 3);
    for (int i = 0; i < 3; ++i) {
      const double hz = std::sqrt(exact.eigenvalues()(i + (floats ? 1 : 0))) / (2 * std::numbers::pi);
      EXPECT_NEAR(modes.frequencies_hz(i), hz, 1e-11 * hz) << "mode " << i + 1;
      const VectorXd phi = exact.eigenvectors().col(i + (floats ? 1 : 0));
      EXPECT_NEAR(std::abs(phi.dot(system.system().mass * modes.shapes.col(i))), 1, 1e-10);
    }
  }
}

TEST(Rqnma, SolutionsSatisfyTheEquationsOfTheFullMatrices) {
  for (const bool floats : {false, true}) {
    const JointedSystem system = two_patches(Contact::spring, floats);
    const Iwan4<double> law{.slip_force = 100, .stiffness = 2e5, .chi = -0.4, .beta = 0.3};
    const Joint joint{law, 3e5, Tangential::separate, true};
    const std::vector<double> amplitudes{1e-4, 5e-4, 2e-3};
    const Rqnma result = rqnma(system, joint, 2, amplitudes);
    const MatrixXd &K = system.system().stiffness, &M = system.system().mass, &map = system.interface().map;
    for (const BackbonePoint& point : result.points) {
      ASSERT_TRUE(point.converged) << point.flag;
      const VectorXd u = point.amplitude * point.shape, w = map * u;
      VectorXd f(w.size());
      for (Eigen::Index i = 0; i < w.size(); ++i) {
        const double area = system.interface().areas(i / 3);
        f(i) = area * (i % 3 == 2 ? 3e5 * w(i) : std::copysign(law.curve(std::abs(w(i))).force, w(i)));
      }
      const double lambda = std::pow(2 * std::numbers::pi * point.frequency_hz, 2);
      EXPECT_LT((K * u + map.transpose() * f - lambda * (M * u)).norm(), 1e-9 * lambda * (M * u).norm());
      EXPECT_NEAR(u.dot(M * u), point.amplitude * point.amplitude, 1e-10 * point.amplitude * point.amplitude);
      EXPECT_LT((point.relative - w).norm(), 1e-12 * w.norm());
      EXPECT_LT((point.force - f).norm(), 1e-9 * f.norm());
    }
  }
}

TEST(Rqnma, BadCallsAreRefusedInOneLine) {
  const JointedSystem spring = two_patches(), penalty = two_patches(Contact::penalty);
  const std::vector<double> good{1e-4, 2e-4}, down{2e-4, 1e-4}, zero{0.0}, nan{std::nan("")};
  const Joint joint{Jenkins<double>{1e5, 10, 0}, 1e5};
  const auto message = [&](const JointedSystem& system, const Joint& with, int mode, const std::vector<double>& q,
                           const RqnmaOptions& options = {}) {
    return test::message_of<InvalidInput>([&] { rqnma(system, with, mode, q, options); });
  };
  EXPECT_EQ(message(spring, joint, 1, good), "");
  EXPECT_NE(message(spring, joint, 1, down).find("ascend"), std::string::npos);
  EXPECT_NE(message(spring, joint, 1, zero).find("amplitude 1 must be > 0"), std::string::npos);
  EXPECT_NE(message(spring, joint, 1, nan).find("amplitude 1"), std::string::npos);
  EXPECT_NE(message(spring, joint, 0, good).find("counted from 1"), std::string::npos);
  EXPECT_NE(message(spring, joint, 11, good).find("mode 11"), std::string::npos);
  EXPECT_NE(message(penalty, joint, 1, good).find("needs a preload"), std::string::npos);
  EXPECT_NE(message(spring, {ElasticDryFriction<double>{0.3, 1e5, 0, 0}, 1e5}, 1, good).find("penalty"),
            std::string::npos);
  EXPECT_NE(message(spring, {Iwan4<double>{10, 1e5, -0.5, 1, 0}, 1e5, Tangential::coupled}, 1, good).find("iwan4"),
            std::string::npos);
  EXPECT_NE(message(spring, {Jenkins<double>{1e5, 10, 0}, -1}, 1, good).find("normal_stiffness"), std::string::npos);
  RqnmaOptions options;
  options.damping_ratio = -0.1;
  EXPECT_NE(message(spring, joint, 1, good, options).find("damping_ratio"), std::string::npos);
}

TEST(Rqnma, SystemsThatCannotBeAreRefused) {
  const JointedSystem good = two_patches();
  const auto message = [&](auto&& spoil) {
    System system = good.system();
    Interface interface = good.interface();
    spoil(system, interface);
    return test::message_of<InvalidInput>([&] { JointedSystem(system, interface, "spoilt"); });
  };
  EXPECT_EQ(message([](System&, Interface&) {}), "");
  EXPECT_NE(message([](System& s, Interface&) { s.stiffness.resize(9, 10); }).find("9 x 10"), std::string::npos);
  EXPECT_NE(message([](System& s, Interface&) { s.mass(3, 3) = -1; }).find("positive definite"), std::string::npos);
  EXPECT_NE(message([](System& s, Interface&) { s.stiffness(1, 4) *= 1.001; }).find("not symmetric"),
            std::string::npos);
  EXPECT_NE(message([](System&, Interface& i) { i.areas.conservativeResize(1); }).find("areas"), std::string::npos);
  EXPECT_NE(message([](System&, Interface& i) { i.map.row(3) = i.map.row(0); }).find("deficient rank"),
            std::string::npos);
}

}  // namespace
}  // namespace microslip
