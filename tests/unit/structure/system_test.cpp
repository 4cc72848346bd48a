#include <limits>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/dense.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {
namespace {

using test::refusal;

System two_masses() {
  return {.mass = Eigen::Vector2d(2, 3).asDiagonal(),
          .stiffness = (Eigen::Matrix2d() << 5, -5, -5, 5).finished(),
          .damping = {},
          .coordinates = {},
          .prestress = {},
          .sensors = {}};
}

std::string refused(const System& system) {
  return refusal([&] { (void)checked(system, "model.toml"); });
}

TEST(System, SingularStiffnessIsNormal) { EXPECT_EQ(checked(two_masses(), "model.toml").size(), 2); }

TEST(System, RoundingAsymmetryIsRemovedAndMoreIsRefusedWithTheEntries) {
  System system = two_masses();
  system.stiffness(0, 1) *= 1 + 1e-11;
  const System symmetric = checked(system, "model.toml");
  EXPECT_EQ(symmetric.stiffness(0, 1), symmetric.stiffness(1, 0));

  system.stiffness(0, 1) = -5.0001;
  const std::string message = refused(system);
  EXPECT_NE(message.find("model.toml: stiffness is not symmetric"), std::string::npos) << message;
  EXPECT_NE(message.find("2e-05"), std::string::npos) << message;
}

TEST(System, MassThatIsNotPositiveDefiniteIsRefusedWithItsEigenvalue) {
  System system = two_masses();
  system.mass << 1, 2, 2, 1;  // eigenvalues 3 and -1
  const std::string message = refused(system);
  EXPECT_NE(message.find("mass is not positive definite"), std::string::npos) << message;
  EXPECT_NE(message.find("-1"), std::string::npos) << message;

  system.mass = Eigen::Vector2d(1, 0).asDiagonal();
  EXPECT_NE(refused(system).find("diagonal entry 2 is 0"), std::string::npos);
}

TEST(System, MetresAndRadiansAreJudgedAlike) {
  System system = two_masses();
  system.mass = Eigen::Vector2d(1e9, 1e-12).asDiagonal();
  EXPECT_NO_THROW((void)checked(system, "model.toml"));
}

TEST(System, WrongSizesAndNumbersAreRefused) {
  System system = two_masses();
  system.stiffness = Eigen::Matrix3d::Identity();
  EXPECT_NE(refused(system).find("stiffness is 3 x 3, expected 2 x 2"), std::string::npos);

  system = two_masses();
  system.mass(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refused(system).find("finite"), std::string::npos);

  system = two_masses();
  system.prestress = Eigen::Vector3d::Ones();
  EXPECT_NE(refused(system).find("prestress force of 3 values"), std::string::npos);

  system = two_masses();
  system.coordinates = {"x"};
  EXPECT_NE(refused(system).find("1 coordinate labels"), std::string::npos);

  system = two_masses();
  system.sensors = {{.name = "tip", .row = Eigen::VectorXd::Ones(1)}};
  EXPECT_NE(refused(system).find("sensor 'tip'"), std::string::npos);

  EXPECT_NE(refused(System{}).find("empty"), std::string::npos);
}

TEST(Dense, FillsEveryPlaceAndRefusesComplexAndHuge) {
  CoordinateMatrix matrix{.name = "K",
                          .n_rows = 2,
                          .n_columns = 3,
                          .entries = {{0, 1, 4.0}, {1, 2, -1.0}},
                          .imaginary = {},
                          .row_labels = {},
                          .column_labels = {}};
  EXPECT_EQ(dense(matrix), (Eigen::MatrixXd(2, 3) << 0, 4, 0, 0, 0, -1).finished());
  matrix.imaginary = {0, 1};
  EXPECT_NE(refusal([&] { (void)dense(matrix); }).find("complex"), std::string::npos);
  matrix.imaginary.clear();
  matrix.n_rows = matrix.n_columns = 1'000'000;
  EXPECT_NE(refusal([&] { (void)dense(matrix); }).find("too large"), std::string::npos);
}

}  // namespace
}  // namespace microslip
