// Segalman, A Four-Parameter Iwan Model for Lap-Type Joints, SAND2002-3828 (2002): numbers printed in the text beside
// its figures. Measured data are printed for one set only, AFF1_1 (appendix); its nine sets scatter by 5 % (Fig. 16).
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <support/segalman.hpp>

#include <microslip/identify/dissipation.hpp>
#include <microslip/identify/variability.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/joints/iwan_sliders.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/joints/test_rig.hpp>

namespace microslip {
namespace {

using test::aff1_1;

TEST(Segalman2002, Figure7ManualFitThroughAPointNearTheCentre) {
  // chi = -0.58, beta = 10, F_S = 504 give phi_max = 7.29e-4 from the mean of several sets. One set may differ by 5 %.
  const ManualFit fit = manual_fit(-0.58, 10, 504, aff1_1.force[2], aff1_1.dissipation[2]);
  EXPECT_NEAR(fit.law.phi_max(), 7.29e-4, 0.05 * 7.29e-4);
}

TEST(Segalman2002, Figures14And16TheAveragedModelMeetsTheOneSetThatIsPrinted) {
  // chi = -0.57245, beta = 10, phi_max = 7.61268e-4: parameters averaged over eight sets. The largest variability of a
  // set is about 0.0025 (AFF_7), and that of the model is of the same order.
  const DissipationFit averaged = fit_of(from_phi_max(504, 7.61268e-4, -0.57245, 10), aff1_1);
  const Variability v = variability({aff1_1, aff1_1}, {averaged, averaged});
  EXPECT_LT(v.model[0], 0.0025);  // Eq. 43, natural logarithms
  const DissipationFit one = fit_dissipation_segalman(aff1_1, 504, {});
  EXPECT_NEAR(one.law.phi_max(), 7.61268e-4, 0.05 * 7.61268e-4);
  EXPECT_NEAR(one.law.chi, -0.57245, 0.05 * (3 - 0.57245) / std::log(226.27417 / 42.42640687));  // 5 % at one end
}

TEST(Segalman2002, Equations45And46TheJointSeenFromTheRig) {
  // 1.56e6 and 2.67e6 lbf/in are rounded to 0.005e6, which moves K_T by (K_T/K)^2 of that: 0.039e6 together.
  const double k = joint_stiffness(1.56e6, 2.67e6);
  EXPECT_NEAR(k, 3.73e6, 0.005e6 * (std::pow(k / 1.56e6, 2) + std::pow(k / 2.67e6, 2)));
  EXPECT_EQ(std::floor(seen_from_rig(504, 45)), 712);  // cut, not rounded: 712.8
}

/// Energy per cycle once the loop is steady, "always on the second cycle".
double traced(const IwanSliders& sliders, double amplitude) {
  IwanSliders::State s;
  for (const double u : {amplitude, -amplitude, amplitude}) sliders.advance(s, u);
  return sliders.advance(s, -amplitude).dissipated + sliders.advance(s, amplitude).dissipated;
}

/// Worst error of N sliders against Eq. 31, for 0.05 F_S < F_0 < F_S.
double worst_error(const Iwan4<double>& law, int count, double ratio) {
  const IwanSliders sliders = discretise(law, count, ratio);
  double worst = 0;
  for (int i = 1; i < 100; ++i) {
    const double a = law.phi_max() * shape_of(law).amplitude(std::pow(0.05, 1 - i / 100.0));
    worst = std::max(worst, std::abs(traced(sliders, a) / loop_dissipation(law, a, Framework::masing) - 1));
  }
  return worst;
}

TEST(Segalman2002, Figure19FiftySlidersAreEnoughAndTenOnlyForTheStraightCurve) {
  // The figure has logarithmic axes over four decades: a tenth of a decade (26 %) is what shows. N = 50, alpha = 1.2 is
  // called overly conservative: a tenth of that. Ten, "sufficient" for 0.05 F_S < F_0, serve the AFF leg; of the
  // stepped specimen, whose weak sliders matter more, they miss half at the lower end.
  const Iwan4<double> leg = from_phi_max(504, 7.29e-4, -0.58, 10), stepped = from_phi_max(400, 4.92e-5, -0.6, 0.1);
  for (const auto& [name, law] : {std::pair{"leg", leg}, {"stepped", stepped}}) {
    RecordProperty(std::string("ten_") + name, std::to_string(worst_error(law, 10, 1.2)));
    RecordProperty(std::string("fifty_") + name, std::to_string(worst_error(law, 50, 1.2)));
    EXPECT_LT(worst_error(law, 50, 1.2), 0.026) << name;
  }
  EXPECT_LT(worst_error(leg, 10, 1.2), 0.26);
  EXPECT_GT(worst_error(stepped, 10, 1.2), 0.26);
}

}  // namespace
}  // namespace microslip
