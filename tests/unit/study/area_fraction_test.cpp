#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/study/area_fraction.hpp>

namespace microslip::study {
namespace {

constexpr ErrorBox unit_box{{0, 0}, {1, 1}};

double fraction(std::vector<Point> points, const ErrorBox& box = unit_box) { return area_fraction(points, box); }

TEST(AreaFraction, OfFrontsWithKnownAreas) {
  EXPECT_EQ(fraction({{0, 0}}), 0);
  EXPECT_EQ(fraction({{1, 1}}), 1);
  EXPECT_EQ(fraction({}), 1);
  EXPECT_EQ(fraction({{0.5, 0.5}}), 0.75);           // an L
  EXPECT_EQ(fraction({{0, 0.5}, {0.5, 0}}), 0.125);  // a triangle
  EXPECT_EQ(fraction({{0, 1}, {1, 0}}), 0.5);
  EXPECT_EQ(fraction({{0.25, 0.75}, {0.75, 0.25}}), 0.25 + 0.25 + 0.0625);
  EXPECT_EQ(fraction({{0, 0.5}, {0.25, 0.25}, {0.5, 0}}), 0.125);  // a point on the line changes nothing
}

TEST(AreaFraction, IgnoresDominatedPointsAndTheirOrder) {
  const std::vector<Point> front{{0.5, 0}, {0.75, 0.75}, {0, 0.5}, {0.25, 0.5}};
  EXPECT_EQ(fraction(front), 0.125);
}

TEST(AreaFraction, CutsOffWhatLeavesTheBox) {
  EXPECT_EQ(fraction({{2, 0.1}}), 1);
  EXPECT_EQ(fraction({{0.1, 2}}), 1);
  EXPECT_EQ(fraction({{-1, 0.25}}), 0.25);
  EXPECT_EQ(fraction({{0.25, -1}}), 0.25);
  EXPECT_EQ(fraction({{-1, -1}}), 0);
  // From (-1, 2) to (1, 0): in the box it is the diagonal.
  EXPECT_EQ(fraction({{-1, 2}, {1, 0}}), 0.5);
  // From (0, 2) to (1, 0): full height up to 1/2, then a triangle.
  EXPECT_EQ(fraction({{0, 2}, {1, 0}}), 0.75);
  // From (0, 1) to (1, -1): a triangle of half the width.
  EXPECT_EQ(fraction({{0, 1}, {1, -1}}), 0.25);
  // A line that crosses the whole box and leaves it on both sides.
  EXPECT_EQ(fraction({{-1, 2.5}, {3, -1.5}}), 0.5 + 0.5 * 0.75);
}

TEST(AreaFraction, CountsFromTheLowerCornerOfTheBox) {
  EXPECT_NEAR(fraction({{3, 5}}, {{2, 4}, {4, 8}}), (0.5 * 1 + 0.5 * 0.25), 1e-15);
}

TEST(AreaFraction, RefusesABoxWithoutArea) {
  EXPECT_THROW(fraction({{0, 0}}, {{0, 0}, {0, 1}}), InvalidInput);
  EXPECT_THROW(fraction({{0, 0}}, {{0, 1}, {1, 0}}), InvalidInput);
}

}  // namespace
}  // namespace microslip::study
