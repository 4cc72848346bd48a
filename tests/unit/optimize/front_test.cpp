#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <microslip/optimize/front.hpp>

namespace microslip {
namespace {

TEST(Front, KeepsWhatNothingDominatesInOrder) {
  const std::vector<Point> points{{3, 1}, {1, 3}, {2, 2}, {2, 3}, {4, 4}, {1, 3}, {3, 1.5}};
  EXPECT_EQ(non_dominated(points), (std::vector<std::size_t>{1, 2, 0}));
}

TEST(Front, LeavesOutNaN) {
  const double nan = std::nan("");
  EXPECT_EQ(non_dominated(std::vector<Point>{{nan, 0}, {1, 1}, {0, nan}}), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(non_dominated(std::vector<Point>{}).empty());
}

TEST(Front, AgreesWithTheDefinitionOnRandomPoints) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> small(0, 30);  // few values: many ties
  std::vector<Point> points(400);
  for (Point& p : points) p = {double(small(random)), double(small(random))};
  const auto front = non_dominated(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false, repeats = false;
    for (std::size_t j = 0; j < points.size(); ++j) {
      dominated |= dominates(points[j], points[i]);
      repeats |= j < i && points[j] == points[i];
    }
    EXPECT_EQ(std::find(front.begin(), front.end(), i) != front.end(), !dominated && !repeats) << i;
  }
}

}  // namespace
}  // namespace microslip
