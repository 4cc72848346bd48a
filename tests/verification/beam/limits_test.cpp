// The limits of the stuck beam, without bolt mass, k_0 and rotary inertia: free-free and clamped-free, from textbooks.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

Model bare() {
  Model m = test::asadi();
  m.beam.rotary_inertia = false;
  m.bolt.mass = 0;
  m.bolt.preload = 0;
  return m;
}

double bending_hz(const Beam& b, double root, double length) {
  return root * root / (length * length) * std::sqrt(b.bending_stiffness() / b.mass_per_length()) / two_pi;
}

TEST(BeamLimits, WithoutSupportTheBeamIsFreeFree) {
  Model m = bare();
  m.support.normal_stiffness = m.support.tangential_stiffness = 0;
  const auto f = StuckBeam(m).natural_frequencies_hz(7);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(f[i], 0) << "two rigid motions across, one along";
  // Roots of cosh(x) cos(x) = 1.
  const std::vector<double> roots{4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464};
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const double exact = bending_hz(m.beam, roots[i], m.beam.length);
    EXPECT_NEAR(f[3 + i], exact, 1e-10 * exact)
        << i;  // series and bisection leave round-off times the condition of the chain
  }
}

TEST(BeamLimits, WithoutSupportTheAxialMotionIsAFreeBars) {
  Model m = bare();
  m.support.normal_stiffness = m.support.tangential_stiffness = 0;
  const double exact = std::sqrt(m.beam.youngs_modulus / m.beam.density) / (2 * m.beam.length);
  double nearest = 0;
  for (double f : StuckBeam(m).natural_frequencies_hz(16))
    if (std::abs(f - exact) < std::abs(nearest - exact)) nearest = f;
  EXPECT_NEAR(nearest, exact, 1e-10 * exact);
}

/// Differences of values at stiffnesses that grow by a constant factor: their ratio gives the rate, and Richardson's
/// step the limit.
struct Approach {
  double rate;  ///< error ~ stiffness^-rate
  double limit;
};
template <class F>
Approach approach(F&& value, double stiffness, double factor) {
  const double a = value(stiffness), b = value(stiffness * factor), c = value(stiffness * factor * factor);
  const double rate = std::log((b - a) / (c - b)) / std::log(factor);
  return {.rate = rate, .limit = c + (c - b) / (std::pow(factor, rate) - 1)};
}

TEST(BeamLimits, BendingApproachesTheClampedBeamAsTheFourthRootOfTheNormalStiffness) {
  const Model m = bare();
  const auto first = [&](double kn) {
    Model stiff = m;
    stiff.support.normal_stiffness = kn;
    return StuckBeam(stiff).natural_frequencies_hz(1)[0];
  };
  const double clamped = bending_hz(m.beam, 1.875104068711961, m.beam.length - m.support.length);
  const Approach a = approach(first, 1e16, 16);
  EXPECT_NEAR(a.rate, 0.25, 0.005);
  // At 2.6e18 the beam is still 5.4e-4 short of the limit; one step of extrapolation takes all but its square.
  EXPECT_GT(1 - first(2.56e18) / clamped, 3e-4);
  EXPECT_NEAR(a.limit, clamped, 1e-5 * clamped);
}

TEST(BeamLimits, AxialMotionApproachesTheClampedBarAsTheRootOfTheTangentialStiffness) {
  Model m = bare();
  m.support.normal_stiffness = 1e18;  // a softer support lets the beam slide by turning: s = u - (h/2) w' = 0
  const auto first_axial = [&](double kt) {
    Model stiff = m;
    stiff.support.tangential_stiffness = kt;
    for (const Mode& mode : StuckBeam(stiff).modes(9))
      if (mode.bending_share < 0.5) return mode.frequency_hz;
    return 0.0;
  };
  const double clamped = std::sqrt(m.beam.youngs_modulus / m.beam.density) / (4 * (m.beam.length - m.support.length));
  const Approach a = approach(first_axial, 1e12, 16);
  EXPECT_NEAR(a.rate, 0.5, 0.02);
  EXPECT_NEAR(a.limit, clamped,
              2e-4 * clamped);  // bending and stretching stay coupled at the edge: see the theory page
}

TEST(BeamLimits, FrequenciesGrowWithTheTangentialStiffnessAsFarAsItIsAccepted) {
  // Springs only stiffen. What rounding takes, 1e-7 of the bending stiffness at most, is half as much of a frequency.
  for (const double kn : {1e4, 1e6, 1.7e9}) {
    Model m = test::asadi();
    m.support.normal_stiffness = kn;
    std::vector<double> before(3, 0.0);
    double last = 0;
    for (double kt = 1e10; kt < 1e18; kt *= 2) {
      m.support.tangential_stiffness = kt;
      try {
        check_resolution(m);
      } catch (const InvalidInput&) {
        break;
      }
      last = kt;
      const auto f = StuckBeam(m).natural_frequencies_hz(3);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(f[i], before[i] * (1 - 1e-7)) << kn << " " << kt << " " << i;
      before = f;
    }
    EXPECT_GT(last, 1e12) << kn;  // a solid layer as thick as the beam has G b/h, some 8e11
  }
}

}  // namespace
}  // namespace microslip::beam
