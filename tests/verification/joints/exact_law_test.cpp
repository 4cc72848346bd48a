// The exact laws against independent references: sliders, extended precision, an ODE solver, quadrature.
#include <cmath>
#include <numbers>
#include <vector>

#include <boost/math/special_functions/hypergeometric_pFq.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/joints/describing_function.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/joints/iwan_sliders.hpp>

namespace microslip {
namespace {

using boost::multiprecision::cpp_bin_float_50;
using test::Random;
using test::random_history;
using test::roundoff;
using test::sample_law;

/// Largest difference of force from the exact law along a history, over the slip force.
double slider_error(const Iwan4<double>& law, int count, double ratio, const std::vector<double>& history) {
  const IwanSliders sliders = discretise(law, count, ratio);
  IwanSliders::State s;
  Iwan4<double>::State exact;
  double worst = 0;
  for (const double u : history)
    worst = std::max(worst, std::abs(sliders.advance(s, u).force - law.advance(exact, u).force) / law.slip_force);
  return worst;
}

TEST(Iwan4, EqualsAHundredThousandSlidersOnRandomHistories) {
  Random random(1);
  for (int trial = 0; trial < 4; ++trial) {
    Iwan4<double> law = sample_law<Iwan4<double>>(random).law;
    law.post_slip_stiffness = 0;
    law.chi = random.uniform(-0.7, 0.5);
    const auto history = random_history(random, 1.5 * law.phi_max(), 60);  // with macro-slip
    EXPECT_LT(slider_error(law, 100000, 1.0, history), 1e-6) << "chi " << law.chi;
  }
}

TEST(IwanSliders, ConvergeToTheExactLaw) {
  Random random(2);
  const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.3, .beta = 0.5};
  const auto history = random_history(random, 1.5 * law.phi_max(), 200);
  double previous = slider_error(law, 50, 1.0, history);
  for (const int count : {200, 800, 3200}) {
    const double error = slider_error(law, count, 1.0, history);
    EXPECT_LT(error, 0.5 * previous) << count;  // at least first order: a factor of 4 in count
    previous = error;
  }
}

TEST(IwanSliders, ReproduceTheSlipForceExactly) {  // the paper's remark after Eq. 53
  const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.575, .beta = 2};
  const IwanSliders sliders = discretise(law, 50, 1.2);
  IwanSliders::State s;
  EXPECT_NEAR(sliders.advance(s, 2 * law.phi_max()).force, 504, 504 * 1e-14);
}

TEST(Iwan4, DissipationHoldsTwelveDigitsFromMicroToMacroSlip) {
  using Big = cpp_bin_float_50;
  for (const double chi : {-0.9, -0.5, 0.3})
    for (const double beta : {0.0, 0.01, 1.0, 10.0}) {
      const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = chi, .beta = beta};
      const Big x = chi, b = beta, w = b + (x + 1) / (x + 2), fs = 504, kt = 7.1e5;
      const Big phi_max = fs * (1 + b) / (kt * w);
      const Big R = fs * (x + 1) / (pow(phi_max, x + 2) * w), S = fs * b / (phi_max * w);
      for (const double r : {1e-6, 1e-4, 0.01, 0.3, 0.999, 1.001, 1.5, 3.0}) {
        const double a = r * law.phi_max();
        const Big A = a;
        // Eq. 31 up to phi_max, then every slider slips.
        const Big exact = A <= phi_max ? 4 * R * pow(A, x + 3) / ((x + 2) * (x + 3))
                                       : 4 * (fs * A - R * pow(phi_max, x + 3) / (x + 3) - S * phi_max * phi_max);
        const double d = loop_dissipation(law, a, Framework::masing);
        EXPECT_NEAR(d / static_cast<double>(exact), 1, 1e-12) << "chi " << chi << " beta " << beta << " r " << r;
        // Traced in one stroke from +a to -a the loss is the same number; 64 steps lose digits to cancellation, of the
        // order of eps times the number of steps.
        EXPECT_NEAR(loop_dissipation(law, a, Framework::reversal) / d, 1, 1e-12);
        auto state = steady_state(law, a);
        double traced = 0;
        for (int i = 1; i <= 64; ++i) traced += law.advance(state, a - 2 * a * i / 64).dissipated;
        EXPECT_NEAR(2 * traced / d, 1, 64 * 1e-14);
      }
    }
}

TEST(Iwan4, ADecayNestsThousandsOfReversalsAndForgetsThemAtOnce) {
  const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.5, .beta = 1};
  const double a = 0.9 * law.phi_max();
  Iwan4<double>::State s;
  for (int i = 0; i < 20000; ++i) law.advance(s, (i % 2 == 0 ? a : -a) * (1 - i / 20000.0));
  EXPECT_GT(s.reversals.size(), 19000U);
  const double out = law.advance(s, 0.95 * law.phi_max()).force;  // past them all: back on first loading
  EXPECT_TRUE(s.reversals.empty());
  EXPECT_DOUBLE_EQ(out, law.curve(0.95 * law.phi_max()).force);
}

TEST(Iwan5, IsIwan4AtThetaOneAndDropsBelow) {
  const Iwan4<double> four{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.5, .beta = 1};
  Iwan5<double> five{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.5, .beta = 1, .theta = 1};
  for (const double r : {0.1, 0.7, 1.0, 2.0}) {
    const double x = r * four.phi_max();
    EXPECT_NEAR(five.curve(x).force, four.curve(x).force, 1e-12 * 504);
    EXPECT_NEAR(five.curve(x).loss, four.curve(x).loss, 1e-12 * 504 * x);
  }
  five.theta = 0.7;
  const double pm = five.phi_max();
  const double drop = five.curve(pm * (1 - 1e-12)).force - five.curve(pm).force;
  EXPECT_NEAR(drop, 0.3 * 7.1e5 * pm * 0.5, 1e-6 * 504);  // (1 - theta) S phi_max, S = K_T beta/(1 + beta)
  EXPECT_DOUBLE_EQ(five.curve(2 * pm).force, 0.7 * 504);
}

/// Force after following a history by Dormand-Prince at tight tolerance: the paper's own way [Porter2022,
/// section 2.3.2].
template <class Rate>
double integrate_rate(const Rate& rate, const std::vector<double>& history) {
  namespace ode = boost::numeric::odeint;
  std::vector<double> f{0.0};
  double u = 0;
  for (const double target : history) {
    const double sign = target > u ? 1 : -1, length = std::abs(target - u);
    const auto system = [&](const std::vector<double>& y, std::vector<double>& dy, double s) {
      dy[0] = sign * rate(u + sign * s, y[0], sign);
    };
    auto stepper = ode::make_controlled<ode::runge_kutta_dopri5<std::vector<double>>>(1e-13, 1e-13);
    ode::integrate_adaptive(stepper, system, f, 0.0, length, length / 1000);
    u = target;
  }
  return f[0];
}

TEST(BoucWen, EqualsDormandPrince) {
  Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    auto [law, reach, force] = sample_law<BoucWen<double>>(random);
    law.n = random.uniform(1, 4);
    law.alpha = law.stiffness / std::pow(force, law.n) / 0.6;
    law.beta = 0.4 * law.alpha;
    law.post_slip_stiffness = 0;
    const auto history = random_history(random, 0.7 * reach, 6);
    BoucWen<double>::State s;
    double f = 0;
    for (const double u : history) f = law.advance(s, u).force;
    const auto rate = [&](double, double t, double sign) {
      return law.stiffness - (law.alpha * (t * sign >= 0 ? 1 : -1) - law.beta) * std::pow(std::abs(t), law.n);
    };
    EXPECT_NEAR(f, integrate_rate(rate, history), 1e-10 * force) << "n " << law.n;
  }
}

TEST(Valanis, EqualsDormandPrince) {
  Random random(4);
  for (int trial = 0; trial < 10; ++trial) {
    const auto [law, reach, force] = sample_law<Valanis<double>>(random);
    const auto history = random_history(random, 0.7 * reach, 6);
    Valanis<double>::State s;
    double f = 0;
    for (const double u : history) f = law.advance(s, u).force;
    const auto rate = [&](double u, double t, double sign) {  // Eq. 16
      const double z = sign * law.lambda / law.stiffness * (law.post_slip_stiffness * u - t);
      return law.stiffness * (1 + z) / (1 + law.kappa * z);
    };
    EXPECT_NEAR(f, integrate_rate(rate, history), 1e-10 * force) << "kappa " << law.kappa;
  }
}

TEST(BoucWen, MeetsItsSpecialCasesAtNOneAndTwo) {
  Random random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const auto one = sample_law<BoucWen1<double>>(random);
    const auto two = sample_law<BoucWen2<double>>(random);
    const BoucWen<double> general_1{one.law.stiffness, 1, one.law.alpha, one.law.beta};
    const BoucWen<double> general_2{two.law.stiffness, 2, two.law.alpha, two.law.beta};
    const double f_1 = one.law.curve(0.3 * one.reach).force, f_2 = two.law.curve(0.3 * two.reach).force;
    EXPECT_NEAR(general_1.curve(0.3 * one.reach).force, f_1, 1e-13 * f_1);
    EXPECT_NEAR(general_2.curve(0.3 * two.reach).force, f_2, 1e-13 * f_2);
    EXPECT_NEAR(general_2.curve(0.3 * two.reach).loss, two.law.curve(0.3 * two.reach).loss, 1e-12 * f_2 * two.reach);
  }
}

TEST(PowerIntegral, EqualsTheHypergeometricFunction) {
  for (const double b : {0.2, 0.5, 1.0, 1.7, 4.0})
    for (const double z : {-40.0, -3.0, -0.5, 0.01, 0.4, 0.69, 0.71, 0.95, 0.999}) {
      // For |z| > 1 by Pfaff's transformation, so that the reference's series converges.
      const double reference = z < -0.9 ? boost::math::hypergeometric_pFq({1.0, 1.0}, {1 + b}, z / (z - 1)) / (1 - z)
                                        : boost::math::hypergeometric_pFq({1.0, b}, {1 + b}, z);
      EXPECT_NEAR(power_integral(b, z) / reference, 1, 1e-12) << "b " << b << " z " << z;
    }
}

TEST(DescribingFunction, ClosedFormsEqualQuadratureAndTheSampledHarmonic) {
  Random random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [law, reach, force] = sample_law<Iwan4<double>>(random);
    const double a = random.uniform(0.05, 1.2) * reach;
    const auto closed = describing_function(law, a, Framework::masing);
    const auto by_quadrature = describing_function<Iwan4<double>>(law, a, Framework::masing);
    EXPECT_NEAR(closed.stiffness / by_quadrature.stiffness, 1, 1e-9) << "chi " << law.chi;
    const auto top = steady_state(law, a);
    double real = 0, imaginary = 0;
    constexpr int n = 20000;
    for (int i = 0; i < n; ++i) {
      const double theta = std::numbers::pi * (i + 0.5) / n;
      const double f = law.evaluate(top, a * std::cos(theta)).force;
      real += 2 * f * std::cos(theta) / (n * a);
      imaginary -= 2 * f * std::sin(theta) / (n * a);
    }
    EXPECT_NEAR(real / closed.stiffness, 1, 1e-6);
    EXPECT_NEAR(imaginary, closed.loss, 1e-6 * closed.stiffness);
  }
  const Jenkins<double> slider{.stiffness = 1e6, .slip_force = 100};
  for (const double a : {0.5e-4, 1.5e-4, 1e-3})
    EXPECT_NEAR(describing_function(slider, a, Framework::masing).stiffness,
                describing_function<Jenkins<double>>(slider, a, Framework::masing).stiffness, 1e-5);
}

TEST(Iwan4Shape, SlopeAndCurvatureAreDerivativesOfTheCurve) {
  for (const double chi : {-0.7, -0.2})
    for (const double beta : {0.05, 2.0}) {
      const Iwan4Shape<double> shape{chi, beta};
      for (const double ratio : {1e-3, 0.2, 0.7, 0.95}) {
        const auto ln_d = [&](double ln_f) { return std::log(shape.dissipation(shape.amplitude(std::exp(ln_f)))); };
        const double h = 1e-4, at = std::log(ratio), r = shape.amplitude(ratio);
        EXPECT_NEAR(shape.slope(r), (ln_d(at + h) - ln_d(at - h)) / (2 * h), 1e-4);
        EXPECT_NEAR(shape.curvature(r), (ln_d(at + h) - 2 * ln_d(at) + ln_d(at - h)) / (h * h),
                    1e-3 * (1 + shape.curvature(r)));
      }
    }
}

TEST(Iwan4Shape, AmplitudeInvertsTheForceToRoundOff) {
  for (const double chi : {-0.99, -0.5, 0.0, 1.5})
    for (const double beta : {0.0, 1e-3, 1.0, 10.0}) {
      const Iwan4Shape<double> shape{chi, beta};
      for (const double ratio : {1e-300, 1e-12, 1e-3, 0.3, 0.9, 0.999999, 1 - 1e-15, 1.0})
        // 1 + beta less r^(1+chi)/(2+chi) leaves as little as 1/stiffness() of it: rounding grows by that much.
        EXPECT_NEAR(shape.force(shape.amplitude(ratio)) / ratio, 1, roundoff(8, shape.stiffness()))
            << chi << " " << beta << " " << ratio;
    }
}

TEST(SliderDensity, ConvertsBothWays) {
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    Iwan4<double> law = sample_law<Iwan4<double>>(random).law;
    const Iwan4<double> back = from_slider_density(slider_density(law), law.chi);
    EXPECT_NEAR(back.slip_force / law.slip_force, 1, 1e-12);
    EXPECT_NEAR(back.stiffness / law.stiffness, 1, 1e-12);
    EXPECT_NEAR(back.beta / law.beta, 1, 1e-11);
  }
}

}  // namespace
}  // namespace microslip
