#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include "two_patches.hpp"

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::two_patches;

const Joint stuck = test::stuck_joint();

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
        system.system().stiffness + map.transpose() * test::springs(system.interface(), kt, 3e5).asDiagonal() * map;
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

TEST(Prestress, WithoutAnyForceIsRefusedInOneLine) {
  for (const Contact contact : {Contact::spring, Contact::penalty}) {
    const JointedSystem loaded = two_patches(contact);
    System system = loaded.system();
    system.prestress.setZero();
    EXPECT_EQ(test::message_of<InvalidInput>(
                  [&] { solve(JointedSystem(system, loaded.interface(), "two patches"), stuck, {.preload = 300}); }),
              "the prestress force is zero everywhere: one that presses is expected");
  }
  for (const double little : {0.0, 5e-324})
    EXPECT_NE(test::message_of<InvalidInput>([&] { solve(two_patches(Contact::penalty), stuck, {.preload = little}); }),
              "");
}

/// Two bodies of two masses each, with nothing that holds them: the joint lies between their first ones.
JointedSystem two_bodies(double mass, Contact contact) {
  System system;
  system.mass = MatrixXd::Identity(12, 12);
  system.mass.diagonal().head(3).setConstant(mass);
  system.mass.diagonal().tail(3).setConstant(1.5);
  system.stiffness = MatrixXd::Zero(12, 12);
  for (int d = 0; d < 3; ++d)
    for (const int at : {d, 6 + d}) {
      const double k = 1e6 * (1 + 0.3 * d);
      system.stiffness(at, at) = system.stiffness(at + 3, at + 3) = k;
      system.stiffness(at, at + 3) = system.stiffness(at + 3, at) = -k;
    }
  system.prestress = VectorXd::Zero(12);
  system.prestress(2) = 1, system.prestress(8) = -1;
  Interface interface;
  interface.map = MatrixXd::Zero(3, 12);
  interface.map.leftCols(3).setIdentity();
  interface.map.middleCols(6, 3) = -MatrixXd::Identity(3, 3);
  interface.areas = VectorXd::Ones(1);
  interface.contact = contact;
  return {std::move(system), std::move(interface), "two bodies"};
}

TEST(Prestress, OfAStructureThatFloatsIsCarriedByItsJoint) {
  const Joint joint{Jenkins<double>{.stiffness = 1e6, .slip_force = 10}, 1e7, Tangential::separate, true};
  for (const double mass : {0.3, 0.5, 0.7, 1.0, 1.3, 2.0, 2.2, 2.9, 3.0})
    for (const Contact contact : {Contact::spring, Contact::penalty})
      for (const PrestressLaw law : {PrestressLaw::full, PrestressLaw::conservative}) {
        const JointedSystem system = two_bodies(mass, contact);
        const Prestress found = solve(system, joint, {.law = law, .preload = 100});
        EXPECT_NEAR(found.force[2], 100, 1e-9) << mass;
        EXPECT_NEAR(found.relative[2], 1e-5, 1e-16);
        EXPECT_EQ(found.n_open, 0);
        // The springs of the bodies carry nothing, and the whole does not move.
        EXPECT_NEAR(found.displacement(2), found.displacement(5), 1e-16);
        EXPECT_NEAR(found.displacement(8), found.displacement(11), 1e-16);
        EXPECT_LT((system.system().mass * found.displacement).segment(0, 12).reshaped(3, 4).rowwise().sum().norm(),
                  1e-15);
      }
  for (const Contact contact : {Contact::spring, Contact::penalty}) {
    const JointedSystem system = two_patches(contact, true);
    const Prestress found = solve(system, stuck, {.preload = 300});
    const MatrixXd& map = system.interface().map;
    const VectorXd k = test::springs(system.interface(), 2e5 + 4e3, 3e5), load = 300 * system.system().prestress;
    const VectorXd left = system.system().stiffness * found.displacement +
                          map.transpose() * k.asDiagonal() * map * found.displacement - load;
    EXPECT_LT(left.norm(), 1e-9 * load.norm());
  }
}

TEST(Prestress, ThatPushesAStructureThatFloatsIsRefused) {
  const JointedSystem floats = two_bodies(2, Contact::penalty);
  System system = floats.system();
  system.prestress(8) = -0.9;
  EXPECT_EQ(test::message_of<InvalidInput>([&] {
              solve(JointedSystem(system, floats.interface(), "two bodies"), stuck, {.preload = 100});
            }).substr(0, 73),
            "the prestress force is not balanced: it pushes the whole structure, which");
}

TEST(Prestress, ThatNothingHoldsDoesNotConverge) {
  System system;
  system.mass = MatrixXd::Identity(3, 3);
  system.stiffness = MatrixXd::Zero(3, 3);
  system.prestress = Eigen::Vector3d(0.1, 0, 1);  // without friction nothing holds it along x
  Interface interface;
  interface.map = MatrixXd::Identity(3, 3);
  interface.areas = VectorXd::Ones(1);
  interface.contact = Contact::penalty;
  const Joint joint{Jenkins<double>{.stiffness = 1e6, .slip_force = 10}, 1e7, Tangential::separate, true};
  const std::string message = test::message_of<NotConverged>([&] {
    solve(JointedSystem(system, interface, "a mass"), joint, {.law = PrestressLaw::conservative, .preload = 100});
  });
  EXPECT_NE(message.find("nothing holds a motion that it pushes"), std::string::npos) << message;
}

TEST(Prestress, TakesAtLeastOneLoadStep) {
  for (const int steps : {0, -3})
    EXPECT_EQ(
        test::message_of<InvalidInput>([&] { solve(two_patches(), stuck, {.preload = 300, .load_steps = steps}); }),
        fmt::format("load_steps must be >= 1, got {}", steps));
}

}  // namespace
}  // namespace microslip
