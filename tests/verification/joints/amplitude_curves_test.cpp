// What amplitude_curves finds for every law: parameters at random, fixed seed.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/joints/amplitude_curves.hpp>

namespace microslip {
namespace {

using test::AllLaws;
using test::Random;
using test::sample_law;

template <class L>
struct AmplitudeCurves : ::testing::Test {};
TYPED_TEST_SUITE(AmplitudeCurves, AllLaws);

TYPED_TEST(AmplitudeCurves, LossAtAForceIsThatOfTheSmallestLoopWhereverTheSearchStarts) {
  Random random(43);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, scale] = sample_law<TypeParam>(random);
    const Framework framework = natural_framework(law);
    for (const double r : {0.02, 0.2, 0.45}) {                                      // iwan5 falls at 0.5
      if (!(law.curve(r * reach).tangent + law.post_slip_stiffness > 0)) continue;  // past a peak of iwan5
      const std::vector<double> force{loop_force(law, r * reach, framework)};
      const double exact = loop_dissipation(law, r * reach, framework);
      for (const double start : {1e-6, 0.1, 0.3, 1.0, 70.0, 1e4}) {
        const auto found = compare_dissipation(law, force, force, start * reach);
        // The force gives the amplitude to its round-off over the slope left in slip, 1e-4 of the stiffness and more.
        EXPECT_NEAR(found.dissipation[0], exact, 1e-10 * force[0] * reach) << r << " from " << start;
      }
    }
  }
}

TEST(AmplitudeSlope, OfAForceThatHasSaturatedIsNone) {  // where it grows by rounding alone
  for (const AnyLaw& law : {AnyLaw(BoucWen1<double>{1e7, 1e4, -1e4}), AnyLaw(BoucWen2<double>{1e7, 10, -10})})
    for (const double slope : amplitude_curves(law, 1e-2, 1e3, 6).slope) EXPECT_TRUE(std::isnan(slope)) << slope;
}

}  // namespace
}  // namespace microslip
