// Properties that every law has, on random parameters and random histories.
#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/joints/loop.hpp>

namespace microslip {
namespace {

using test::below_jump;
using test::Random;
using test::random_history;
using test::roundoff;
using test::sample_law;

template <class L>
struct FrictionLawProperty : ::testing::Test {};
TYPED_TEST_SUITE(FrictionLawProperty, test::AllLaws);

// Evaluating a force costs a few roundings of terms no larger than stiffness x reach.
constexpr double roundings = 64;

TYPED_TEST(FrictionLawProperty, SplittingAStepChangesNothing) {
  Random random(20260101);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const double scale = law.stiffness * reach;
    typename TypeParam::State s{};
    double u = 0;
    for (int i = 0; i < 200; ++i) {
      const double u_1 = random.uniform(-reach, reach), u_mid = u + random.uniform(0, 1) * (u_1 - u);
      auto split = s;
      const auto first = law.advance(split, u_mid), second = law.advance(split, u_1), whole = law.advance(s, u_1);
      EXPECT_NEAR(whole.force, second.force, roundoff(roundings, scale)) << "step " << i;
      EXPECT_NEAR(whole.dissipated, first.dissipated + second.dissipated, roundoff(roundings, scale * reach));
      EXPECT_GE(whole.dissipated, 0.0);
      u = u_1;
    }
  }
}

TYPED_TEST(FrictionLawProperty, ATrialEqualsTheAcceptedStepAndLeavesHistoryAlone) {
  Random random(7);
  const auto [law, reach, force] = sample_law<TypeParam>(random);
  typename TypeParam::State s{};
  for (const double u : random_history(random, reach, 200)) {
    const auto before = law.evaluate(s, 0.3 * reach);
    const auto trial = law.evaluate(s, u);
    EXPECT_EQ(law.evaluate(s, 0.3 * reach).force, before.force);
    const auto accepted = law.advance(s, u);
    EXPECT_EQ(trial.force, accepted.force);
    EXPECT_EQ(trial.tangent, accepted.tangent);
    EXPECT_EQ(trial.dissipated, accepted.dissipated);
  }
}

/// Energy that the law holds after a history: work put in minus what it says was lost must never be negative, because
/// from any state no more than what is stored can be taken out, and the virgin state stores nothing.
TYPED_TEST(FrictionLawProperty, WorkIsStoredOrLost) {
  Random random(11);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, full_reach, force] = sample_law<TypeParam>(random);
    const double reach = below_jump<TypeParam>(full_reach);
    typename TypeParam::State s{};
    double u = 0, work = 0, lost = 0;
    for (const double target : random_history(random, reach, 30)) {
      const int n = 400;  // the force is concave on a branch: the midpoint rule errs by O(1/n^2) of the work
      for (int i = 1; i <= n; ++i) {
        const double u_0 = u + (target - u) * (i - 1) / n, u_1 = i == n ? target : u + (target - u) * i / n;
        auto half = s;
        const auto mid = law.advance(half, 0.5 * (u_0 + u_1));
        const auto end = law.advance(s, u_1);
        work += mid.force * (u_1 - u_0);
        lost += end.dissipated;
      }
      u = target;
      EXPECT_GE(work - lost, -1e-3 * force * reach) << TypeParam::name;
    }
    EXPECT_GT(lost, 0.0);
  }
}

TYPED_TEST(FrictionLawProperty, AreaOfTheTracedSteadyLoopIsItsDissipation) {
  Random random(13);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    for (const double a : {0.2 * reach, 0.9 * reach}) {
      const double lost = loop_dissipation(law, a, Framework::reversal);
      const auto top = steady_state(law, a);
      // Area enclosed: the unloading branch f(u) lies below its mirror image -f(-u), so -2 int f over [-a, a].
      double area = 0;
      const int n = 20000;
      for (int i = 0; i < n; ++i) {
        const double u = a - 2 * a * (i + 0.5) / n;
        area -= 2 * law.evaluate(top, u).force * 2 * a / n;
      }
      EXPECT_GE(lost, 0.0);
      // Midpoint rule: O(1/n^2), O(1/n) across the jump of iwan5.
      const double error = TypeParam::name == "iwan5" ? 4.0 / n : 40.0 / n / n;
      EXPECT_NEAR(area, lost, error * law.stiffness * reach * a) << TypeParam::name << " at " << a;
    }
  }
}

TYPED_TEST(FrictionLawProperty, TheSteadyLoopClosesUnderTheLawItself) {
  Random random(17);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const double a = random.uniform(0.05, 1) * reach;
    auto s = steady_state(law, a);
    const double start = law.evaluate(s, a).force;
    law.advance(s, -a);
    const double bottom = law.evaluate(s, -a).force;
    const double back = law.advance(s, a).force;
    EXPECT_NEAR(bottom, -start, roundoff(roundings, law.stiffness * reach)) << TypeParam::name;
    EXPECT_NEAR(back, start, roundoff(roundings, law.stiffness * reach)) << TypeParam::name;
  }
}

TYPED_TEST(FrictionLawProperty, PlainRepetitionSettlesOnTheSteadyLoop) {
  Random random(19);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const double a = 0.5 * reach;
    typename TypeParam::State s{};
    double top = 0;
    for (int cycle = 0; cycle < 400; ++cycle) {
      top = law.advance(s, a).force;
      law.advance(s, -a);
    }
    EXPECT_NEAR(top, loop_force(law, a, Framework::reversal), 1e-10 * law.stiffness * reach) << TypeParam::name;
  }
}

TYPED_TEST(FrictionLawProperty, MasingAndReversalAgreeExactlyWhereTheLawObeysMasing) {
  Random random(23);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const double a = random.uniform(0.3, 1) * reach;
    const double by_masing = loop_dissipation(law, a, Framework::masing);
    const double by_reversal = loop_dissipation(law, a, Framework::reversal);
    // Dry friction obeys Masing's rules as long as the normal force is constant, as it is here.
    if (TypeParam::masing || TypeParam::name == "elastic_dry_friction") {
      EXPECT_NEAR(by_masing, by_reversal, roundoff(roundings, force * a));
    } else {
      EXPECT_GT(std::abs(by_masing - by_reversal), 1e-6 * by_reversal);
    }
  }
}

TYPED_TEST(FrictionLawProperty, TangentEqualsTheDualDerivative) {
  Random random(29);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const auto dual = law.template cast<Dual>();
    typename TypeParam::State s{};
    typename decltype(dual)::State dual_state{};
    for (const double u : random_history(random, reach, 50)) {
      EXPECT_NEAR(dual.evaluate(dual_state, Dual::variable(u)).force.grad, law.evaluate(s, u).tangent,
                  1e-9 * law.stiffness)
          << TypeParam::name;
      law.advance(s, u);
      dual.advance(dual_state, Dual(u));
    }
  }
}

TYPED_TEST(FrictionLawProperty, ParameterDerivativesEqualCentralDifferences) {
  Random random(31);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, full_reach, force] = sample_law<TypeParam>(random);
    const double reach = below_jump<TypeParam>(full_reach);
    const auto history = random_history(random, reach, 12);
    const auto end_force = [&](const TypeParam& l) {
      typename TypeParam::State s{};
      double f = 0;
      for (const double u : history) f = l.advance(s, u).force;
      return f;
    };
    const auto rows = TypeParam::parameters();
    const auto dual_rows = decltype(law.template cast<Dual>())::parameters();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double p = law.*rows[i].member;
      const double h = 1e-6 * (p != 0 ? std::abs(p) : 1);
      auto up = law, down = law;
      up.*rows[i].member = p + h;
      down.*rows[i].member = p - h;
      const double difference = (end_force(up) - end_force(down)) / (2 * h);
      auto dual = law.template cast<Dual>();
      (dual.*dual_rows[i].member).grad = 1;
      typename decltype(dual)::State s{};
      Dual f;
      for (const double u : history) f = dual.advance(s, Dual(u)).force;
      // Central differences: truncation h^2 relative, rounding eps/h relative to the force.
      const double scale = (force + law.stiffness * reach) / std::max(std::abs(p), h);
      EXPECT_NEAR(f.grad, difference, 2e-8 * scale) << TypeParam::name << "." << rows[i].name;
    }
  }
}

TYPED_TEST(FrictionLawProperty, LoopDerivativesEqualCentralDifferences) {
  Random random(37);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, force] = sample_law<TypeParam>(random);
    const double a = 0.37 * reach;
    const auto rows = TypeParam::parameters();
    const auto dual_rows = decltype(law.template cast<Dual>())::parameters();
    for (const Framework framework : {Framework::masing, Framework::reversal}) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double p = law.*rows[i].member;
        const double h = 1e-6 * (p != 0 ? std::abs(p) : 1);
        auto up = law, down = law;
        up.*rows[i].member = p + h;
        down.*rows[i].member = p - h;
        auto dual = law.template cast<Dual>();
        (dual.*dual_rows[i].member).grad = 1;
        const double scale = (force + law.stiffness * reach) / std::max(std::abs(p), h);
        EXPECT_NEAR(loop_dissipation(dual, Dual(a), framework).grad,
                    (loop_dissipation(up, a, framework) - loop_dissipation(down, a, framework)) / (2 * h),
                    2e-8 * scale * a)
            << TypeParam::name << "." << rows[i].name;
        EXPECT_NEAR(loop_force(dual, Dual(a), framework).grad,
                    (loop_force(up, a, framework) - loop_force(down, a, framework)) / (2 * h), 2e-8 * scale)
            << TypeParam::name << "." << rows[i].name;
      }
    }
  }
}

TYPED_TEST(FrictionLawProperty, UnphysicalParametersAreRefusedByName) {
  Random random(41);
  const auto [law, reach, force] = sample_law<TypeParam>(random);
  EXPECT_NO_THROW(checked(law));
  for (const auto& row : TypeParam::parameters()) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1e30}) {
      auto broken = law;
      broken.*row.member = bad;
      try {
        checked(broken);
        ADD_FAILURE() << TypeParam::name << "." << row.name << " = " << bad << " was accepted";
      } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(std::string(row.name)), std::string::npos) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace microslip
