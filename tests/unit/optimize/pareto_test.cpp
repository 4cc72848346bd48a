#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/optimize/boundary_intersection.hpp>
#include <microslip/optimize/nsga2.hpp>

namespace microslip {
namespace {

/// Mean squared distances to two targets a and b, plus a floor, on a log scale: as eq. 42 has it. The Pareto set is
/// the segment from a to b; with s the share of the way, f = log10(floor + (s d)^2), log10(floor + ((1 - s) d)^2).
struct TwoTargets {
  Eigen::Vector3d a{-0.4, 0.2, 0.1}, b{0.5, -0.3, 0.6};
  double floor = 1e-3;

  [[nodiscard]] double d() const { return (b - a).norm(); }
  [[nodiscard]] Point at(double s) const {
    return {std::log10(floor + std::pow(s * d(), 2)), std::log10(floor + std::pow((1 - s) * d(), 2))};
  }
  Point operator()(const Eigen::VectorXd& x, Eigen::Matrix2Xd* gradients) const {
    const Eigen::Vector3d to_a = x - a, to_b = x - b;
    const double p = floor + to_a.squaredNorm(), q = floor + to_b.squaredNorm();
    if (gradients != nullptr) {
      gradients->row(0) = 2 * to_a.transpose() / (p * std::numbers::ln10);
      gradients->row(1) = 2 * to_b.transpose() / (q * std::numbers::ln10);
    }
    return {std::log10(p), std::log10(q)};
  }
  /// How far above the front a point lies, in the second objective: the front solved for the first.
  [[nodiscard]] double above_front(const Point& f) const {
    const double s = std::sqrt(std::max(0.0, std::pow(10, f[0]) - floor)) / d();
    return f[1] - at(std::min(s, 1.0))[1];
  }
};

std::vector<Point> evaluate_all(const TwoTargets& problem, const std::vector<std::vector<double>>& x) {
  std::vector<Point> f;
  for (const auto& one : x) f.push_back(problem(Eigen::Map<const Eigen::VectorXd>(one.data(), 3), nullptr));
  return f;
}

Nsga2Options box(int members = 40) {
  Nsga2Options options;
  options.lower = {-1, -1, -1};
  options.upper = {1, 1, 1};
  options.members = members;
  return options;
}

std::vector<Candidate> evaluated(const TwoTargets& problem, const std::vector<std::vector<double>>& x) {
  const auto f = evaluate_all(problem, x);
  std::vector<Candidate> members;
  for (std::size_t i = 0; i < x.size(); ++i) members.push_back({x[i], f[i]});
  return members;
}

TEST(BoundaryIntersection, FindsTheKnownFrontAtEveryAngle) {
  const TwoTargets problem;
  const Point utopia{std::log10(problem.floor), std::log10(problem.floor)};
  BoundaryIntersectionOptions options;
  options.lower = Eigen::Vector3d::Constant(-1);
  options.upper = Eigen::Vector3d::Constant(1);
  for (int k = 1; k < 10; ++k) {
    const double psi = k * std::numbers::pi / 20;
    const auto found = intersect_boundary(problem, utopia, psi, Eigen::Vector3d(0.1, 0.3, -0.2), options);
    ASSERT_EQ(found.outcome, Outcome::converged) << k;
    // The ray meets the front where the slopes agree; x must lie on the segment to the square root of rounding in f.
    EXPECT_NEAR(problem.above_front(found.f), 0, 1e-9) << k;
    EXPECT_LT(found.missed, 1e-9) << k;
    EXPECT_NEAR(std::atan2(found.f[1] - utopia[1], found.f[0] - utopia[0]), psi, 1e-8) << k;
  }
}

TEST(BoundaryIntersection, FollowsItsBoundsWhereTheyCutTheFront) {
  const TwoTargets problem;
  BoundaryIntersectionOptions options;
  options.lower = Eigen::Vector3d(0.0, -1, -1);  // cuts off the way to a
  options.upper = Eigen::Vector3d::Constant(1);
  // The whole front leaves the box where the ray is steeper than 0.824; the front in the plane x0 = 0 goes on to 0.916.
  const auto found = intersect_boundary(problem, {std::log10(problem.floor), std::log10(problem.floor)}, 0.87,
                                        Eigen::Vector3d(0.5, 0, 0), options);
  EXPECT_EQ(found.outcome, Outcome::converged);
  EXPECT_LT(found.missed, 1e-9);
  EXPECT_NEAR(found.x[0], 0, 1e-9);
  // In the plane of the bound the best points lie on the segment between the targets' images. A distance e from it
  // costs f of the order e^2, so e goes down to the root of what ends the search.
  const Eigen::Vector2d a = problem.a.tail<2>(), b = problem.b.tail<2>(), x = found.x.tail<2>();
  const Eigen::Vector2d along = (b - a).normalized();
  EXPECT_NEAR((x - a).x() * along.y() - (x - a).y() * along.x(), 0, 1e-4);
  EXPECT_GT((x - a).dot(along), 0);
  EXPECT_LT((x - a).dot(along), (b - a).norm());
}

TEST(BoundaryIntersection, NeedsNoBoundsButRefusesSomeOfThem) {
  const TwoTargets problem;
  const Point utopia{std::log10(problem.floor), std::log10(problem.floor)};
  const auto found = intersect_boundary(problem, utopia, 0.7, Eigen::Vector3d(0.1, 0.3, -0.2), {});
  EXPECT_NEAR(problem.above_front(found.f), 0, 1e-9);
  BoundaryIntersectionOptions options;
  options.lower = Eigen::VectorXd::Constant(2, -1);
  EXPECT_THROW((void)intersect_boundary(problem, utopia, 0.7, Eigen::Vector3d(0.1, 0.3, -0.2), options), InvalidInput);
}

TEST(BoundaryIntersection, WhatTheObjectivesThrowComesOutAsItIs) {
  const TwoTargets problem;
  int evaluations = 0;
  const TwoObjectives broken = [&](const Eigen::VectorXd& x, Eigen::Matrix2Xd* gradients) {
    if (++evaluations > 3) throw std::runtime_error("no number at all");
    return problem(x, gradients);
  };
  EXPECT_EQ(test::message_of<std::runtime_error>([&] {
              (void)intersect_boundary(broken, {std::log10(problem.floor), std::log10(problem.floor)}, 0.7,
                                       Eigen::Vector3d(0.1, 0.3, -0.2), {});
            }),
            "no number at all");
}

TEST(BoundaryIntersection, EndsWhereThereAreNoDerivatives) {
  const TwoTargets problem;
  BoundaryIntersectionOptions options;
  options.lower = Eigen::Vector3d::Constant(-1);
  options.upper = Eigen::Vector3d::Constant(1);
  int evaluations = 0;
  const TwoObjectives broken = [&](const Eigen::VectorXd& x, Eigen::Matrix2Xd* gradients) {
    EXPECT_TRUE(x.allFinite());
    const Point f = problem(x, gradients);
    if (gradients != nullptr && ++evaluations > 3) gradients->setConstant(std::nan(""));
    return f;
  };
  const auto found = intersect_boundary(broken, {std::log10(problem.floor), std::log10(problem.floor)}, 0.7,
                                        Eigen::Vector3d(0.1, 0.3, -0.2), options);
  EXPECT_EQ(found.outcome, Outcome::step_too_small);
  EXPECT_TRUE(found.x.allFinite());
}

TEST(Nsga2, ApproachesTheKnownFrontAndSpansIt) {
  const TwoTargets problem;
  const EvaluateAll all = [&](const auto& x) { return evaluate_all(problem, x); };
  /// Mean distance from the Pareto set, as a share of its length.
  const auto distance = [&](const std::vector<Candidate>& members) {
    double sum = 0;
    for (const Candidate& member : members) {
      const Eigen::Vector3d x(member.x[0], member.x[1], member.x[2]), along = (problem.b - problem.a).normalized();
      const double s = std::clamp((x - problem.a).dot(along), 0.0, problem.d());
      sum += (x - problem.a - s * along).norm() / problem.d();
    }
    return sum / static_cast<double>(members.size());
  };
  const auto evolved = [&](int n, int generations) {
    auto members = evaluated(problem, first_members(box(n), {}, 1));
    for (int g = 1; g <= generations; ++g) members = next_generation(members, box(n), 1, g, all);
    return members;
  };
  const auto members = evolved(40, 100);
  double lowest = 1, highest = 0;
  for (const Candidate& member : members) {
    EXPECT_GT(problem.above_front(member.f), -1e-12);  // nothing lies below the true front
    const double s = std::sqrt(std::max(0.0, std::pow(10, member.f[0]) - problem.floor)) / problem.d();
    lowest = std::min(lowest, s);
    highest = std::max(highest, s);
  }
  // What is left is the room between members, in which crowding prefers a lonely point to a better one: it does not
  // shrink with generations but with members.
  EXPECT_LT(distance(members), 0.1 * distance(evolved(40, 0)));
  EXPECT_LT(distance(evolved(100, 100)), 0.75 * distance(members));
  EXPECT_LT(lowest, 1.0 / 40);
  EXPECT_GT(highest, 1 - 1.0 / 40);
}

TEST(Nsga2, IsDeterminedBySeedAndGenerationAlone) {
  const TwoTargets problem;
  const EvaluateAll all = [&](const auto& x) { return evaluate_all(problem, x); };
  const auto start = evaluated(problem, first_members(box(), {}, 5));
  auto straight = start;
  for (int g = 1; g <= 6; ++g) straight = next_generation(straight, box(), 5, g, all);
  auto halfway = start;
  for (int g = 1; g <= 3; ++g) halfway = next_generation(halfway, box(), 5, g, all);
  auto resumed = halfway;  // nothing else is carried over
  for (int g = 4; g <= 6; ++g) resumed = next_generation(resumed, box(), 5, g, all);
  for (std::size_t i = 0; i < straight.size(); ++i) {
    EXPECT_EQ(straight[i].x, resumed[i].x) << i;
    EXPECT_EQ(straight[i].f, resumed[i].f) << i;
  }
  auto other = start;
  for (int g = 1; g <= 6; ++g) other = next_generation(other, box(), 6, g, all);
  EXPECT_NE(straight[0].x, other[0].x);
}

TEST(Nsga2, EvaluatesWholeGenerationsAndKeepsTheBest) {
  const TwoTargets problem;
  std::vector<std::size_t> sizes;
  const EvaluateAll all = [&](const auto& x) {
    sizes.push_back(x.size());
    for (const auto& one : x)
      for (double v : one) EXPECT_TRUE(v >= -1 && v <= 1);
    return evaluate_all(problem, x);
  };
  auto members = evaluated(problem, first_members(box(), {}, 1));
  double best = 1e9;
  for (const auto& member : members) best = std::min(best, member.f[0]);
  for (int g = 1; g <= 10; ++g) {
    members = next_generation(members, box(), 1, g, all);
    double now = 1e9;
    for (const auto& member : members) now = std::min(now, member.f[0]);
    EXPECT_LE(now, best);
    best = now;
  }
  EXPECT_EQ(sizes, std::vector<std::size_t>(10, 40));
}

TEST(Nsga2, FirstMembersFillEveryRangeAndHoldTheGivenOnes) {
  auto options = box(20);
  options.lower = {-1, 3, 10};
  options.upper = {1, 3, 30};  // the second is fixed
  const auto x = first_members(options, {{0.5, 3, 40}}, 9);
  ASSERT_EQ(x.size(), 20U);
  EXPECT_EQ(x[0], (std::vector<double>{0.5, 3, 30}));  // moved into the bounds
  EXPECT_EQ(first_members(options, {}, 9), first_members(options, {}, 9));
  EXPECT_NE(first_members(options, {}, 9), first_members(options, {}, 10));
  std::vector<int> hits(20);  // one member in each twentieth of a range
  for (const auto& one : first_members(options, {}, 9)) ++hits[static_cast<std::size_t>((one[0] + 1) * 10)];
  EXPECT_EQ(hits, std::vector<int>(20, 1));
}

TEST(Nsga2, RefusesBoundsAndSizesThatCannotWork) {
  auto options = box();
  options.members = 30;
  EXPECT_THROW(first_members(options, {}, 1), InvalidInput);
  options = box();
  std::swap(options.lower, options.upper);
  EXPECT_THROW(first_members(options, {}, 1), InvalidInput);
  options = box();
  options.upper[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(first_members(options, {}, 1), InvalidInput);
  options = box();
  options.upper.pop_back();
  EXPECT_THROW(first_members(options, {}, 1), InvalidInput);
  EXPECT_THROW(first_members(box(), {{1.0}}, 1), InvalidInput);
}

}  // namespace
}  // namespace microslip
