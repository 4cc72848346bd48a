#include <random>

#include <gtest/gtest.h>

#include <microslip/study/search_space.hpp>

namespace microslip::study {
namespace {

/// Parameter 1 must stay below parameter 0; the ranges overlap.
Entry squeezed() {
  Entry entry;
  entry.spans = {{"stiffness", 10, 17, true}, {"post_slip_stiffness", 4, 13, true}, {"kappa", 0, 0.99, false}};
  entry.below = {.parameter = 1, .other = 0};
  return entry;
}

std::vector<double> anywhere(const SearchSpace& space, std::mt19937& random) {
  std::vector<double> c;
  for (Eigen::Index j = 0; j < space.lower().size(); ++j)
    c.push_back(std::uniform_real_distribution(space.lower()[j], space.upper()[j])(random));
  return c;
}

TEST(SearchSpace, HasNoCoordinatesOutsideOfTheDomain) {
  const SearchSpace space(squeezed());
  std::mt19937 random(20260101);
  int squeezed = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> c = anywhere(space, random), x = space.point(c), again = space.coordinates(x);
    EXPECT_LE(x[1], x[0] - 0.999 * SearchSpace::margin);
    EXPECT_GE(x[1], 4);
    EXPECT_LE(x[1], 13);
    EXPECT_EQ(x[0], c[0]);
    EXPECT_EQ(x[2], c[2]);
    if (c[0] > 13 + SearchSpace::margin)
      EXPECT_DOUBLE_EQ(x[1], c[1]);  // nothing to squeeze
    else
      ++squeezed;
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(again[j], c[j], 1e-12);
  }
  EXPECT_GT(squeezed, 500);
}

TEST(SearchSpace, ReachesTheEdgeOfTheDomain) {
  const SearchSpace space(squeezed());
  EXPECT_DOUBLE_EQ(space.point(std::vector<double>{11, 13, 0.5})[1], 11 - SearchSpace::margin);
  EXPECT_DOUBLE_EQ(space.coordinates(std::vector<double>{11, 12, 0.5})[1], 13);  // from outside: to the edge
}

TEST(SearchSpace, SlopesEqualDifferences) {
  const SearchSpace space(squeezed());
  std::mt19937 random(7);
  const double h = 1e-6;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> c = anywhere(space, random);
    if (std::abs(c[0] - 13 - SearchSpace::margin) < 2 * h) continue;  // a corner
    const Eigen::MatrixXd slopes = space.slopes(c);
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> up = c, down = c;
      up[j] += h;
      down[j] -= h;
      const std::vector<double> a = space.point(up), b = space.point(down);
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(slopes(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)), (a[k] - b[k]) / (2 * h), 1e-8);
    }
  }
}

TEST(SearchSpace, LeavesFreeParametersAlone) {
  Entry entry = squeezed();
  entry.below.reset();
  const SearchSpace space(entry);
  const std::vector<double> c{10.5, 12.5, 0.3};
  EXPECT_EQ(space.point(c), c);
  EXPECT_EQ(space.coordinates(c), c);
  EXPECT_EQ(space.slopes(c), Eigen::MatrixXd::Identity(3, 3));
}

}  // namespace
}  // namespace microslip::study
