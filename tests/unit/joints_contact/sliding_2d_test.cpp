#include <gtest/gtest.h>

#include "support.hpp"

namespace microslip {
namespace {

using namespace contact_test;
using V2 = Vector2<double>;

double norm(const V2& v) { return std::hypot(v.x, v.y); }

struct End {
  V2 t;
  double lost;
};

/// The flow itself, t' = kt (u' - g e), g = e.u' - m/kt while slipping, by classical Runge-Kutta: knows no closed form.
End integrate_slip(double kt, V2 t, double ts_0, const V2& du, double ts_1, int n) {
  const double m = ts_1 - ts_0, h = 1.0 / n;
  const auto rate = [&](const V2& at, double tau) {
    const V2 e = (1 / norm(at)) * at;
    const double g = dot(e, du) - m / kt;
    return std::pair{kt * (du - g * e), (ts_0 + m * tau) * g};
  };
  double lost = 0;
  for (int i = 0; i < n; ++i) {
    const double tau = i * h;
    const auto [k1, l1] = rate(t, tau);
    const auto [k2, l2] = rate(t + (h / 2) * k1, tau + h / 2);
    const auto [k3, l3] = rate(t + (h / 2) * k2, tau + h / 2);
    const auto [k4, l4] = rate(t + h * k3, tau + h);
    t = t + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    lost += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {t, lost};
}

TEST(Sliding2d, AgreesWithTheIntegratedFlow) {
  // unit scales: kt = 1, ts around 1
  for (const double angle : {0.0, 0.4, 1.2, -1.5, 1.57})
    for (const double V : {0.01, 0.5, 3.0})
      for (const double ts_1 : {0.3, 0.999, 1.0, 1.0001, 1.5}) {
        const V2 t_0{std::cos(angle), std::sin(angle)}, du{V, 0};
        if (V * std::cos(angle) <= ts_1 - 1) continue;  // sticks
        const Sliding2d<double> slide(1.0, t_0, 1.0, du, ts_1);
        const End flow = integrate_slip(1.0, t_0, 1.0, du, ts_1, 4000);
        ASSERT_TRUE(slide.slips());
        // fourth order at h = 1/4000 with rates up to V/ts = 10: (10/4000)^4 is 4e-11 of the first derivative's scale
        const double tolerance = 1e-11 * (1 + V);
        EXPECT_NEAR(slide.traction().x, flow.t.x, tolerance) << angle << ' ' << V << ' ' << ts_1;
        EXPECT_NEAR(slide.traction().y, flow.t.y, tolerance) << angle << ' ' << V << ' ' << ts_1;
        EXPECT_NEAR(slide.dissipated(), flow.lost, tolerance) << angle << ' ' << V << ' ' << ts_1;
      }
}

TEST(Sliding2d, SlipsBackwardsWhenTheLimitFallsFasterThanTheSpringUnloads) {
  // psi near pi: the move unloads the spring, and yet the limit falls faster, so that it slips all the way.
  const V2 t_0{-std::cos(0.2), std::sin(0.2)}, du{0.3, 0};
  const Sliding2d<double> slide(1.0, t_0, 1.0, du, 0.2);
  const End flow = integrate_slip(1.0, t_0, 1.0, du, 0.2, 4000);
  ASSERT_TRUE(slide.slips());
  EXPECT_NEAR(slide.traction().x, flow.t.x, 1e-11);
  EXPECT_NEAR(slide.traction().y, flow.t.y, 1e-11);
  EXPECT_NEAR(slide.dissipated(), flow.lost, 1e-11);
  // exactly backwards: stays on its line
  const Sliding2d<double> line(1.0, {-1, 0}, 1.0, du, 0.2);
  EXPECT_DOUBLE_EQ(line.traction().x, -0.2);
  EXPECT_EQ(line.traction().y, 0.0);
  EXPECT_NEAR(line.dissipated(), 0.5 * 1.2 * (0.8 - 0.3), roundoff(8, 1));
}

TEST(Sliding2d, ShrinksAlongItselfWhenOnlyTheLimitFalls) {
  const Sliding2d<double> slide(2.0, {0.6, 0.8}, 1.5, {0, 0}, 0.5);
  EXPECT_NEAR(slide.traction().x, 0.3, roundoff(4, 1));
  EXPECT_NEAR(slide.traction().y, 0.4, roundoff(4, 1));
  EXPECT_NEAR(slide.dissipated(), (1 - 0.25) / (2 * 2.0), roundoff(8, 1));
  // and just beside it, with a move that is all but nothing
  const Sliding2d<double> beside(2.0, {0.6, 0.8}, 1.5, {1e-150, -1e-150}, 0.5);
  EXPECT_NEAR(beside.traction().y, 0.4, roundoff(4, 1));
  EXPECT_NEAR(beside.dissipated(), (1 - 0.25) / (2 * 2.0), roundoff(8, 1));
}

TEST(Sliding2d, LosesAllByTheTimeTheLimitIsZero) {
  // energy: work along du less the change of |t|^2/(2 kt); with du = 0 the whole of it
  for (const V2 du : {V2{0, 0}, V2{0.01, 0.02}, V2{-0.5, 1.0}, V2{3, -1}}) {
    const V2 t_0{0.5, 0.3};
    const Sliding2d<double> slide(1.0, t_0, 1.0, du, 0.0), almost(1.0, t_0, 1.0, du, 1e-9);
    EXPECT_EQ(norm(slide.traction()), 0.0);
    // a limit of 1e-9 at the end changes the loss by no more than 1e-9 (V + 1)
    EXPECT_NEAR(slide.dissipated(), almost.dissipated(), 1e-9 * (1 + norm(du)));
  }
  EXPECT_NEAR((Sliding2d<double>(1.0, {0.5, 0.3}, 1.0, {0, 0}, 0.0).dissipated()), 0.17, roundoff(4, 1));
}

TEST(Sliding2d, ConstantLimitIsTheLimitOfAVaryingOne) {
  for (const double V : {1e-6, 0.1, 0.9, 1.1, 8.0, 60.0})
    for (const double angle : {0.0, 0.7, 1.5, -1.2}) {
      const V2 t_0{std::cos(angle), std::sin(angle)};
      const Sliding2d<double> constant(1.0, t_0, 1.0, {V, 0}, 1.0), nearly(1.0, t_0, 1.0, {V, 0}, 1.0 + 1e-13);
      EXPECT_NEAR(constant.dissipated(), nearly.dissipated(), 2e-13 * (1 + V)) << V << ' ' << angle;
      // its own closed form: ts^2/kt ln(cosh(x) + cos(psi) sinh(x))
      EXPECT_NEAR(constant.dissipated(),
                  V + std::log(0.5 * (1 + std::cos(angle) + (1 - std::cos(angle)) * std::exp(-2 * V))),
                  roundoff(8, 1 + V));
    }
}

TEST(Sliding2d, RadialReturnInSmallStepsConvergesToItAtFirstOrder) {
  const V2 t_0{0.2, -0.7}, du{0.4, 2.5};
  const double ts_0 = 1.0, ts_1 = 0.6;
  const Sliding2d<double> exact(1.0, t_0, ts_0, du, ts_1);
  const auto error = [&](int n) {
    V2 t = t_0;
    for (int i = 1; i <= n; ++i) {
      t = t + (1.0 / n) * du;
      const double limit = ts_0 + (ts_1 - ts_0) * i / n;
      if (norm(t) > limit) t = (limit / norm(t)) * t;
    }
    return norm(t - exact.traction());
  };
  EXPECT_NEAR(std::log2(error(2000) / error(4000)), 1.0, 0.02);
  EXPECT_LT(error(64000), 1e-5);
}

TEST(Sliding2d, StaysStuckInsideTheLimitAtBothEnds) {
  const Sliding2d<double> slide(2.0, {0.3, 0.0}, 1.0, {0.1, 0.2}, 0.9);
  EXPECT_FALSE(slide.slips());
  EXPECT_DOUBLE_EQ(slide.traction().x, 0.5);
  EXPECT_DOUBLE_EQ(slide.traction().y, 0.4);
  EXPECT_EQ(slide.dissipated(), 0.0);
}

TEST(Sliding2d, StartsFromTheTipOfTheConeInTheDirectionOfTheMove) {
  const Sliding2d<double> slips(1.0, {0, 0}, 0.0, {3, 4}, 2.0), sticks(1.0, {0, 0}, 0.0, {0.3, 0.4}, 2.0);
  EXPECT_NEAR(slips.traction().x, 1.2, roundoff(4, 1));
  EXPECT_NEAR(slips.traction().y, 1.6, roundoff(4, 1));
  EXPECT_NEAR(slips.dissipated(), 0.5 * 2.0 * (5 - 2), roundoff(8, 3));
  EXPECT_EQ(sticks.dissipated(), 0.0);
  EXPECT_DOUBLE_EQ(sticks.traction().y, 0.4);
}

/// Slip that begins inside a step, where it is hardest: grazing the limit, moves along the limit, tiny and huge moves.
TEST(Sliding2d, SplittingHoldsAtTheEdges) {
  std::mt19937 rng(31);
  std::uniform_real_distribution<double> unit(0, 1), angle(-3.141592653589793, 3.141592653589793), exponent(-9, 3);
  for (int i = 0; i < 50000; ++i) {
    const double a = angle(rng), b = i % 3 == 0 ? a + 1.5707963267948966 : angle(rng), V = std::pow(10, exponent(rng));
    const double inside = i % 2 == 0 ? 1.0 : 1 - std::pow(10, exponent(rng) - 6);
    const V2 t_0{inside * std::cos(a), inside * std::sin(a)}, du{V * std::cos(b), V * std::sin(b)};
    if (norm(t_0) > 1) continue;
    const double ts_1 = i % 5 == 0 ? 1.0 : 2 * unit(rng), cut = unit(rng), ts_mid = 1 + cut * (ts_1 - 1);
    const Sliding2d<double> whole(1.0, t_0, 1.0, du, ts_1), first(1.0, t_0, 1.0, cut * du, ts_mid);
    const Sliding2d<double> second(1.0, first.traction(), ts_mid, (1 - cut) * du, ts_1);
    const double scale = 1 + V;
    ASSERT_NEAR(whole.traction().x, second.traction().x, roundoff(32, scale)) << "case " << i;
    ASSERT_NEAR(whole.traction().y, second.traction().y, roundoff(32, scale)) << "case " << i;
    ASSERT_NEAR(whole.dissipated(), first.dissipated() + second.dissipated(), roundoff(32, 2 * scale)) << "case " << i;
    ASSERT_GE(whole.dissipated(), 0.0);
    ASSERT_LE(norm(whole.traction()), ts_1 * (1 + roundoff(8, 1)));
  }
}

}  // namespace
}  // namespace microslip
