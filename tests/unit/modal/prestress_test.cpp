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
              "prestress.force is zero everywhere: a preload that presses is expected");
  }
  for (const double little : {0.0, 5e-324})
    EXPECT_NE(test::message_of<InvalidInput>([&] { solve(two_patches(Contact::penalty), stuck, {.preload = little}); }),
              "");
}

TEST(Prestress, TakesAtLeastOneLoadStep) {
  for (const int steps : {0, -3})
    EXPECT_EQ(
        test::message_of<InvalidInput>([&] { solve(two_patches(), stuck, {.preload = 300, .load_steps = steps}); }),
        fmt::format("load_steps must be >= 1, got {}", steps));
}

}  // namespace
}  // namespace microslip
