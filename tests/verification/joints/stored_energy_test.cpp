#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/joints/stored_energy.hpp>

namespace microslip {
namespace {

template <class L>
struct StoredEnergy : ::testing::Test {};
TYPED_TEST_SUITE(StoredEnergy, test::AllLaws);

/// Work is an integral over a fine path by Simpson's rule; what the law says it lost and what it says it holds must
/// add up to it. The path is cut into 4000 pieces per move: the corners of sliders leave an error of the order 1e-4
/// of a piece's work each.
template <StoresEnergy Law>
void expect_work_to_be_stored_or_lost() {
  test::Random random(11);
  for (int trial = 0; trial < 5; ++trial) {
    const auto [law, reach, force] = test::sample_law<Law>(random);
    typename Law::State s{};
    double u = 0, f = 0, work = 0, lost = 0, through = 0;
    for (const double target : test::random_history(random, test::below_jump<Law>(reach), 12)) {
      const int n = 4000;
      const double start = u;
      for (int i = 1; i <= n; ++i) {
        const double next = start + (target - start) * i / n, middle = 0.5 * (u + next);
        const auto half = law.advance(s, middle), whole = law.advance(s, next);
        const double piece = (next - u) * (f + 4 * half.force + whole.force) / 6;
        work += piece, through += std::abs(piece);
        lost += half.dissipated + whole.dissipated;
        u = next, f = whole.force;
      }
      EXPECT_NEAR(stored_energy(law, s, u), work - lost, 1e-6 * through) << "trial " << trial;
      EXPECT_GE(stored_energy(law, s, u), -1e-12 * through);
    }
  }
}

TYPED_TEST(StoredEnergy, WorkIsStoredOrLost) {
  static_assert(StoresEnergy<TypeParam>, "every law tells what it stores");
  expect_work_to_be_stored_or_lost<TypeParam>();
}

}  // namespace
}  // namespace microslip
