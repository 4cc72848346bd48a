// Properties that every law in three directions has. A new law joins the list and inherits them.
#include <gtest/gtest.h>

#include "support.hpp"

namespace microslip {
namespace {

using namespace contact_test;

template <class L>
struct ContactLawProperty : ::testing::Test {};
using AllContactLaws =
    ::testing::Types<Jenkins2d<double>, Jenkins2d<double, NormalPenalty>, JenkinsPrager2d<double>,
                     JenkinsPrager2d<double, NormalPenalty>, ElasticDryFriction2d<double>,
                     PatchContact<ElasticDryFriction<double>>, PatchContact<ElasticDryFriction<double>, NormalPenalty>>;
TYPED_TEST_SUITE(ContactLawProperty, AllContactLaws);

TYPED_TEST(ContactLawProperty, SplittingAStepChangesNothing) {
  const auto law = Sample<TypeParam>::law();
  Walk walk(20260101);
  typename TypeParam::State s{};
  ContactMotion<double> u{};
  for (int i = 0; i < 20000; ++i) {
    const auto u_1 = walk.next(), u_mid = between(u, u_1, walk.cut());
    auto split = s;
    const auto first = law.advance(split, u_mid), second = law.advance(split, u_1), whole = law.advance(s, u_1);
    for (std::size_t k : {0, 1, 2})
      ASSERT_NEAR(whole.force[k], second.force[k], roundoff(32, f_max)) << "step " << i << ", direction " << k;
    ASSERT_NEAR(whole.dissipated, first.dissipated + second.dissipated, roundoff(32, f_max * reach)) << "step " << i;
    ASSERT_GE(whole.dissipated, 0.0);
    ASSERT_GE(first.dissipated, 0.0);
    u = u_1;
  }
}

TYPED_TEST(ContactLawProperty, WorkIsWhatIsStoredAndWhatIsLost) {
  const auto law = Sample<TypeParam>::law();
  Walk walk(7);
  typename TypeParam::State s{};
  ContactMotion<double> u{};
  const double scale = f_max * reach;
  for (int i = 0; i < 300; ++i) {
    const auto u_1 = walk.next();
    const double stored = law.stored(s), done = work(law, s, u, u_1, scale);
    const double lost = law.advance(s, u_1).dissipated;
    // Some eighty panels are each good to 2e-15 of the scale; halving a jump forty times leaves 1e-12 of it.
    ASSERT_NEAR(done, law.stored(s) - stored + lost, 3e-12 * scale) << "step " << i;
    u = u_1;
  }
}

TYPED_TEST(ContactLawProperty, ATrialIsWhatAnAcceptedStepReturns) {
  const auto law = Sample<TypeParam>::law();
  Walk walk(11);
  typename TypeParam::State s{};
  for (int i = 0; i < 2000; ++i) {
    const auto u = walk.next();
    const auto trial = law.evaluate(s, u), again = law.evaluate(s, u), step = law.advance(s, u);
    ASSERT_EQ(trial.force, again.force);
    ASSERT_EQ(trial.force, step.force);
    ASSERT_EQ(trial.tangent, step.tangent);
    ASSERT_EQ(trial.dissipated, step.dissipated);
    const auto rest = law.evaluate(s, u);  // staying where it is costs nothing and changes nothing
    for (std::size_t k : {0, 1, 2}) ASSERT_NEAR(rest.force[k], step.force[k], roundoff(4, f_max));
    ASSERT_NEAR(rest.dissipated, 0.0, roundoff(4, f_max * reach));
  }
}

TYPED_TEST(ContactLawProperty, TangentEqualsDualDerivative) {
  using D = DualN<3>;
  const auto law = Sample<TypeParam>::law();
  const auto dual_law = law.template cast<D>();
  using DualLaw = std::remove_const_t<decltype(dual_law)>;
  Walk walk(3);
  typename TypeParam::State s{};
  for (int i = 0; i < 5000; ++i) {
    const auto u = walk.next();
    const ContactMotion<D> v{D::variable(u.x, 0), D::variable(u.y, 1), D::variable(u.n, 2)};
    const auto dual = dual_law.evaluate(cast_state<DualLaw, D>(s), v);
    const auto plain = law.evaluate(s, u);
    for (std::size_t a : {0, 1, 2})
      for (int b : {0, 1, 2}) {
        const double largest = std::max({kt + kp, kn, std::abs(plain.tangent[a][static_cast<std::size_t>(b)])});
        // The duals also differentiate the onset of slip, which the closed tangent is free of: near grazing its
        // derivative grows as 1/sqrt(discriminant) and cancels only to that many digits.
        ASSERT_NEAR(plain.tangent[a][static_cast<std::size_t>(b)], dual.force[a].grad[b], 1e-11 * largest)
            << "step " << i << ", " << a << b;
      }
    law.advance(s, u);
  }
}

TYPED_TEST(ContactLawProperty, TangentAndLossDerivativeEqualCentralDifferences) {
  using D = DualN<3>;
  const auto law = Sample<TypeParam>::law();
  const auto dual_law = law.template cast<D>();
  using DualLaw = std::remove_const_t<decltype(dual_law)>;
  Walk walk(5);
  typename TypeParam::State s{};
  int compared = 0, at_a_corner = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto u = walk.next();
    const auto here = law.evaluate(s, u);
    const ContactMotion<D> v{D::variable(u.x, 0), D::variable(u.y, 1), D::variable(u.n, 2)};
    const D loss = dual_law.evaluate(cast_state<DualLaw, D>(s), v).dissipated;
    for (int b : {0, 1, 2}) {
      const double h = 1e-5 * (b == 2 ? press : reach);
      auto up = u, down = u;
      (b == 0 ? up.x : b == 1 ? up.y : up.n) += h;
      (b == 0 ? down.x : b == 1 ? down.y : down.n) -= h;
      const auto r_up = law.evaluate(s, up), r_down = law.evaluate(s, down);
      for (std::size_t a : {0, 1, 2}) {
        const double forward = (r_up.force[a] - here.force[a]) / h, backward = (here.force[a] - r_down.force[a]) / h;
        const double scale = std::max({kt + kp, kn, std::abs(forward)});
        if (std::abs(forward - backward) > 1e-2 * scale) {
          ++at_a_corner;  // stick to slip, or the edge of contact, within h
          continue;
        }
        ++compared;
        // mean of both: error (h^2/6) f''' against second differences already below 1e-2
        ASSERT_NEAR(here.tangent[a][static_cast<std::size_t>(b)], 0.5 * (forward + backward),
                    std::max(1e-6 * scale, 0.51 * std::abs(forward - backward)))
            << "step " << i << ", " << a << b;
      }
      const double f = (r_up.dissipated - here.dissipated) / h, g = (here.dissipated - r_down.dissipated) / h;
      ASSERT_NEAR(loss.grad[b], 0.5 * (f + g), std::max(1e-6 * f_max, 0.51 * std::abs(f - g))) << "step " << i;
    }
    law.advance(s, u);
  }
  EXPECT_GT(compared, 10 * at_a_corner);  // one instant in twelve is put at the edge of contact on purpose
}

TYPED_TEST(ContactLawProperty, OnlyThePathCountsNotItsPace) {
  const auto law = Sample<TypeParam>::law();
  Walk walk(13);
  typename TypeParam::State s{}, crept{};
  ContactMotion<double> u{};
  for (int i = 0; i < 2000; ++i) {
    const auto u_1 = walk.next();
    const int n = 1 + i % 9;  // slowly, and ever more slowly
    double lost = 0;
    for (int j = 1; j < n; ++j) lost += law.advance(crept, between(u, u_1, double(j * j) / (n * n))).dissipated;
    const auto whole = law.advance(s, u_1), last = law.advance(crept, u_1);
    lost += last.dissipated;
    for (std::size_t k : {0, 1, 2}) ASSERT_NEAR(whole.force[k], last.force[k], roundoff(64, f_max)) << "step " << i;
    ASSERT_NEAR(whole.dissipated, lost, roundoff(64, f_max * reach)) << "step " << i;
    u = u_1;
  }
}

/// Laws that do not know directions.
template <class L>
struct Isotropic : ::testing::Test {};
using IsotropicLaws =
    ::testing::Types<Jenkins2d<double>, JenkinsPrager2d<double, NormalPenalty>, ElasticDryFriction2d<double>>;
TYPED_TEST_SUITE(Isotropic, IsotropicLaws);

TYPED_TEST(Isotropic, TurningThePathTurnsTheTraction) {
  const auto law = Sample<TypeParam>::law();
  for (const double angle : {0.3, 1.5707963267948966, 2.9, -1.1}) {
    const double c = std::cos(angle), sn = std::sin(angle);
    Walk walk(17);
    typename TypeParam::State s{}, turned_s{};
    for (int i = 0; i < 2000; ++i) {
      const auto u = walk.next();
      const auto r = law.advance(s, u);
      const auto t = law.advance(turned_s, {c * u.x - sn * u.y, sn * u.x + c * u.y, u.n});
      ASSERT_NEAR(t.force[0], c * r.force[0] - sn * r.force[1], roundoff(64, f_max)) << "step " << i;
      ASSERT_NEAR(t.force[1], sn * r.force[0] + c * r.force[1], roundoff(64, f_max)) << "step " << i;
      ASSERT_NEAR(t.dissipated, r.dissipated, roundoff(64, f_max * reach)) << "step " << i;
    }
  }
}

/// Derivatives with respect to parameters, carried through a history with slip, separation and contact regained.
template <class Law, class Seed>
void expect_parameter_derivative(const Law& law, double Law::*parameter, Seed seed, const char* name) {
  const auto run = [](const auto& any_law) {
    using L = std::remove_cvref_t<decltype(any_law)>;
    using S = typename L::Scalar;
    Walk walk(23);
    typename L::State s{};
    std::vector<S> out;
    for (int i = 0; i < 200; ++i) {
      const auto r = any_law.advance(s, cast<S>(walk.next()));
      out.insert(out.end(), {r.force[0], r.force[1], r.dissipated});
    }
    return out;
  };
  auto dual_law = law.template cast<Dual>();
  seed(dual_law).grad = law.*parameter;  // d/d ln(parameter)
  const double h = 1e-6;
  Law up = law, down = law;
  up.*parameter *= 1 + h;
  down.*parameter *= 1 - h;
  const auto duals = run(dual_law);
  const auto here = run(law), above = run(up), below = run(down);
  for (std::size_t i = 0; i < here.size(); ++i) {
    const double scale = i % 3 == 2 ? f_max * reach : f_max;
    const double forward = (above[i] - here[i]) / h, backward = (here[i] - below[i]) / h;
    EXPECT_NEAR(duals[i].grad, 0.5 * (forward + backward), std::max(2e-8 * scale, 0.51 * std::abs(forward - backward)))
        << name << ", entry " << i;
  }
}

TEST(ElasticDryFriction2d, ParameterDerivativesEqualCentralDifferences) {
  using L = ElasticDryFriction2d<double>;
  const auto law = Sample<L>::law();
  expect_parameter_derivative(
      law, &L::friction_coefficient, [](auto& l) -> auto& { return l.friction_coefficient; }, "friction_coefficient");
  expect_parameter_derivative(
      law, &L::stiffness, [](auto& l) -> auto& { return l.stiffness; }, "stiffness");
  expect_parameter_derivative(
      law, &L::normal_stiffness, [](auto& l) -> auto& { return l.normal_stiffness; }, "normal_stiffness");
  expect_parameter_derivative(
      law, &L::post_slip_stiffness, [](auto& l) -> auto& { return l.post_slip_stiffness; }, "post_slip_stiffness");
}

TEST(JenkinsPrager2d, ParameterDerivativesEqualCentralDifferences) {
  using L = JenkinsPrager2d<double, NormalPenalty>;
  const auto law = Sample<L>::law();
  expect_parameter_derivative(
      law, &L::slip_force, [](auto& l) -> auto& { return l.slip_force; }, "slip_force");
  expect_parameter_derivative(
      law, &L::stiffness, [](auto& l) -> auto& { return l.stiffness; }, "stiffness");
  expect_parameter_derivative(
      law, &L::post_slip_stiffness, [](auto& l) -> auto& { return l.post_slip_stiffness; }, "post_slip_stiffness");
}

}  // namespace
}  // namespace microslip
