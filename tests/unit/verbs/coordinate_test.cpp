#include <gtest/gtest.h>

#include <microslip/verbs/coordinate.hpp>

namespace microslip::verbs {
namespace {

TEST(Coordinate, UnitsFollowFromItAndTheQuantity) {
  const auto units = [](const char* coordinate, Quantity quantity) {
    const CoordinateUnits u = units_of(coordinate, quantity);
    return u.amplitude + ", " + u.acceleration + ", " + u.force + ", " + u.dissipation;
  };
  EXPECT_EQ(units("modal", Quantity::velocity), "sqrt(kg) m, sqrt(kg) m/s^2, N/sqrt(kg), J");
  EXPECT_EQ(units("acc1", Quantity::acceleration), "m, m/s^2, m/s^2, m^2/s^2");
  EXPECT_EQ(units("modal (not mass-normalised)", Quantity::velocity), "m, m/s^2, m/s^2, m^2/s^2");
  EXPECT_EQ(units("gauge", Quantity::strain), "1 (strain), 1/s^2, 1/s^2, 1/s^2 (strain)");
}

TEST(Coordinate, IsNamedForPeople) {
  EXPECT_EQ(coordinate_text("modal"), "mass-normalised modal coordinate");
  EXPECT_EQ(coordinate_text("modal (not mass-normalised)"), "modal coordinate (not mass-normalised)");
  EXPECT_EQ(coordinate_text("acc1"), "sensor acc1");
}

}  // namespace
}  // namespace microslip::verbs
