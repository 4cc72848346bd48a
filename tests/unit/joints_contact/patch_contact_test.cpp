// Any one-dimensional law in a patch that opens and closes.
#include <gtest/gtest.h>

#include <microslip/joints/any_law.hpp>

#include "support.hpp"

namespace microslip {
namespace {

using namespace contact_test;

template <class L>
L sample_law();
template <>
Iwan4<double> sample_law() {
  return {.slip_force = ts, .stiffness = kt, .chi = -0.5, .beta = 0.3, .post_slip_stiffness = kp};
}
template <>
Jenkins<double> sample_law() {
  return {.stiffness = kt, .slip_force = ts, .post_slip_stiffness = kp};
}
template <>
JenkinsPrager<double> sample_law() {
  return {.stiffness = kt, .slip_force = ts, .post_slip_stiffness = kp};
}
template <>
BoucWen2<double> sample_law() {
  return {.stiffness = kt, .alpha = 1.2 * kt / (ts * ts), .beta = 0.3 * kt / (ts * ts), .post_slip_stiffness = kp};
}
template <>
Valanis<double> sample_law() {
  return {.stiffness = kt, .lambda = kt / ts, .kappa = 0.6, .post_slip_stiffness = kp};
}

template <class L>
struct PatchOf : ::testing::Test {};
using Laws = ::testing::Types<Iwan4<double>, Jenkins<double>, JenkinsPrager<double>, BoucWen2<double>, Valanis<double>>;
TYPED_TEST_SUITE(PatchOf, Laws);

TYPED_TEST(PatchOf, SplittingAStepChangesNothingAcrossSeparation) {
  const PatchContact<TypeParam, NormalPenalty> patch{sample_law<TypeParam>(), {kn}};
  Walk walk(53);
  typename std::remove_cvref_t<decltype(patch)>::State s{};
  ContactMotion<double> u{};
  for (int i = 0; i < 3000; ++i) {
    const auto u_1 = walk.next(), u_mid = between(u, u_1, walk.cut());
    auto split = s;
    const auto first = patch.advance(split, u_mid), second = patch.advance(split, u_1), whole = patch.advance(s, u_1);
    for (std::size_t k : {0, 1, 2})
      ASSERT_NEAR(whole.force[k], second.force[k], roundoff(256, f_max)) << "step " << i << ", direction " << k;
    ASSERT_NEAR(whole.dissipated, first.dissipated + second.dissipated, roundoff(256, f_max * reach)) << "step " << i;
    u = u_1;
  }
}

TYPED_TEST(PatchOf, WorkIsWhatIsStoredAndWhatIsLostAcrossSeparation) {
  const PatchContact<TypeParam, NormalPenalty> patch{sample_law<TypeParam>(), {kn}};
  Walk walk(59);
  typename std::remove_cvref_t<decltype(patch)>::State s{};
  ContactMotion<double> u{};
  const double scale = f_max * reach;
  for (int i = 0; i < 200; ++i) {
    const auto u_1 = walk.next();
    const double stored = patch.stored(s), done = work(patch, s, u, u_1, scale, 1e-13);
    const double lost = patch.advance(s, u_1).dissipated;
    ASSERT_GE(lost, 0.0);
    // some eighty panels, each good to 1e-13 of the scale
    ASSERT_NEAR(done, patch.stored(s) - stored + lost, 1e-11 * scale) << "step " << i;
    u = u_1;
  }
}

TYPED_TEST(PatchOf, StartsAnewWhereContactIsRegained) {
  const PatchContact<TypeParam, NormalPenalty> patch{sample_law<TypeParam>(), {kn}};
  const auto law = sample_law<TypeParam>();
  typename std::remove_cvref_t<decltype(patch)>::State s{};
  patch.advance(s, {reach, -reach, press});
  patch.advance(s, {2 * reach, 0, -press});
  const auto r = patch.evaluate(s, {2.5 * reach, reach, press});  // contact half-way, Eq. 5
  EXPECT_NEAR(r.force[0], law.evaluate({}, 0.25 * reach).force, roundoff(64, f_max));
  EXPECT_NEAR(r.force[1], law.evaluate({}, 0.5 * reach).force, roundoff(64, f_max));
  EXPECT_NEAR(r.tangent[0][0], 0.5 * law.evaluate({}, 0.25 * reach).tangent, roundoff(1024, kt));
  // d/dn of the share n/(n + press) of the move
  EXPECT_NEAR(r.tangent[0][2], law.evaluate({}, 0.25 * reach).tangent * 0.5 * reach / (4 * press), roundoff(1024, kt));
}

}  // namespace
}  // namespace microslip
