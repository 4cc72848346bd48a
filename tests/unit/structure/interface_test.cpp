#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/interface.hpp>

namespace microslip {
namespace {

using test::refusal;

System floating(Eigen::Index n) {
  System system;
  system.mass = Eigen::MatrixXd::Identity(n, n);
  system.stiffness = Eigen::MatrixXd::Zero(n, n);
  return system;
}

Interface two_points(Eigen::Index n) {
  Interface interface;
  interface.map = Eigen::MatrixXd::Identity(6, n);
  interface.areas = Eigen::Vector2d(1e-4, 2e-4);
  return interface;
}

std::string refused(const Interface& interface, const System& system) {
  return refusal([&] { (void)checked(interface, system, "model.toml"); });
}

TEST(Interface, RowsMayBeFewerOrMoreThanTheCoordinatesTheyTouch) {
  EXPECT_EQ(checked(two_points(9), floating(9), "model.toml").n_points(), 2);
  Interface quadrature = two_points(4);  // six rows on two of four coordinates, as a full joint has
  quadrature.map = Eigen::MatrixXd::Zero(6, 4);
  quadrature.map.leftCols(2) << 1, 0, 0, 1, 1, 1, 1, -1, 2, 1, 1, 3;
  EXPECT_NO_THROW((void)checked(quadrature, floating(4), "model.toml"));
}

TEST(Interface, DeficientRankIsRefusedWithTheNumbers) {
  Interface interface = two_points(9);
  interface.map.row(4) = 2 * interface.map.row(1);
  const std::string message = refused(interface, floating(9));
  EXPECT_NE(message.find("rank 5, with 5 of 6 rows"), std::string::npos) << message;
  interface.map.setZero();
  EXPECT_NE(refused(interface, floating(9)).find("rank 0"), std::string::npos);
}

TEST(Interface, AreasAndColumnsThatDoNotMatchAreRefused) {
  Interface interface = two_points(9);
  interface.areas = Eigen::Vector3d::Ones();
  EXPECT_NE(refused(interface, floating(9)).find("3 areas do not match an interface map of 6 rows"), std::string::npos);
  interface = two_points(9);
  EXPECT_NE(refused(interface, floating(8)).find("9 columns, the system has 8"), std::string::npos);
  interface.areas(1) = 0;
  EXPECT_NE(refused(interface, floating(9)).find("area 2 must be > 0"), std::string::npos);
  EXPECT_NE(refused(Interface{}, floating(9)).find("no areas"), std::string::npos);
}

TEST(Interface, ContactGoesByName) {
  EXPECT_EQ(contact_from("penalty"), Contact::penalty);
  EXPECT_EQ(to_string(Contact::spring), "spring");
  EXPECT_NE(refusal([] { (void)contact_from("sprung"); }).find("'spring'"), std::string::npos);
}

}  // namespace
}  // namespace microslip
