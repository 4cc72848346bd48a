// The exact laws against independent references: sliders, extended precision, an ODE solver, quadrature.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>
#include <support/laws.hpp>
#include <support/observed_order.hpp>

#include <microslip/joints/amplitude_curves.hpp>
#include <microslip/joints/describing_function.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/joints/iwan_sliders.hpp>

namespace microslip {
namespace {

using boost::multiprecision::cpp_bin_float_50;
using test::observed_order;
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

TEST(IwanSliders, ConvergeToTheExactLawAtTheOrdersOfTheory) {
  // First loading that ends at u within the interval (l, r) of width h: the slider at its middle m still sticks for
  // u < m and errs by int_l^u (u - phi) rho dphi, and has slipped for u > m and errs by int_u^r (phi - u) rho dphi.
  // Both are largest at u = m, rho h^2/8 but for higher orders; here u is just below m, so that rounding does not
  // choose: second order, but R (h/2)^(2+chi) / ((1+chi) (2+chi)) in the first interval.
  const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.3, .beta = 0.5};
  const double phi_max = law.phi_max(), R = slider_density(law).R, chi = law.chi, eps = 2.2e-16;
  const auto worst = [&](double h, double from) {  // over the middles of all intervals beyond `from`; h over phi_max
    const int count = static_cast<int>(std::lround(1 / h));
    std::vector<double> middles;
    for (int m = 0; m < count; ++m)
      if (m * h >= from - 0.5 * h) middles.push_back((m + 0.5) * h * phi_max * (1 - 4 * eps));
    return slider_error(law, count, 1.0, middles);
  };
  for (const int count : {50, 200, 800}) {
    const double h = 1.0 / count;
    const double first = R * std::pow(0.5 * h * phi_max, 2 + chi) / ((1 + chi) * (2 + chi)) / law.slip_force;
    // Forces are of the order of the slip force, of which rounding leaves some eps: 1e-9 of the least error.
    EXPECT_NEAR(worst(h, 0) / first, 1, 1e-9) << count;
    EXPECT_NEAR(observed_order([&](double x) { return worst(x, 0); }, h), 2 + chi, 1e-8) << count;
    // Beyond phi_max/2 the first middle is the worst, h/2 off that end: rho changes there by chi h, of which a halved
    // mesh has half, and the order by half of that over ln 2.
    EXPECT_NEAR(observed_order([&](double x) { return worst(x, 0.5); }, h), 2, -chi * h) << count;
  }
}

TEST(IwanSliders, LargestStiffnessStepIsTheLargestOfAllIntervals) {
  // Eq. 54 on a uniform mesh: rho(phi_m) h with phi_m = (m - 1/2) h falls with m where chi < 0, so that the first is
  // the largest; the last, which Eq. 55 takes, where chi > 0 or intervals grow fast enough.
  const int n = 50;
  for (const double chi : {-0.5751, 0.4}) {
    const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = chi, .beta = 2};
    const auto density = slider_density(law);
    const double h = density.phi_max / n, at = chi < 0 ? 0.5 * h : density.phi_max - 0.5 * h;
    const double step = density.R * std::pow(at, chi) * h / law.stiffness;
    EXPECT_NEAR(slider_conditions(law, n, 1.0).largest_stiffness_step, step, roundoff(16, step)) << chi;
  }
  const Iwan4<double> law{.slip_force = 504, .stiffness = 7.1e5, .chi = -0.5, .beta = 2};
  const auto density = slider_density(law);
  const double alpha = 1.2, total = std::pow(alpha, n) - 1;  // Eq. 55
  const double last = density.R * std::pow((std::pow(alpha, n - 1) * 0.5 * (1 + alpha) - 1) / total, law.chi) *
                      std::pow(alpha, n - 1) * (alpha - 1) / total * std::pow(density.phi_max, 1 + law.chi) /
                      law.stiffness;
  // Powers of alpha round by ln(alpha^n) = 9 units each way, and the last interval is a sixth of what it is taken from.
  EXPECT_NEAR(slider_conditions(law, n, alpha).largest_stiffness_step, last, roundoff(4 * 9 * 6, last));
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

TEST(Iwan5, SecantStiffnessIsThatOfTheWholeSpanPastThePeak) {
  // Falling before phi_max = 3e-4/1.4 m or at it, with a spring that lifts the force again, and not falling at all.
  for (const double theta : {0.0, 0.4, 0.8, 1.0})
    for (const double beta : {0.0, 0.1, 1.0})
      for (const double spring : {0.0, 1e6})
        for (const double a : {1e-5, 1.2e-4, 2e-4, 3e-4, 3e-3}) {
          const Iwan5<double> law{1000, 1e7, -0.5, beta, theta, spring};
          const LoopPath path = trace_loop(law, a, Framework::masing, 200000);
          const auto [least, most] = std::minmax_element(path.force.begin(), path.force.end());
          // Points are pi a/2e5 apart at most, the slope is K_T + k_p at most, and the peak at phi_max has a side.
          EXPECT_NEAR(path.secant_stiffness, (*most - *least) / (2 * a), 1.1e7 * std::numbers::pi / 2e5)
              << "theta " << theta << " beta " << beta << " spring " << spring << " a " << a;
          EXPECT_GE(path.secant_stiffness, (*most - *least) / (2 * a) * (1 - 1e-14));
          const auto curves = amplitude_curves(law, a, 2 * a, 2);
          EXPECT_NEAR(curves.secant_stiffness[0], path.secant_stiffness, roundoff(16, path.secant_stiffness));
        }
  const Iwan5<double> law{1000, 1e7, -0.5, 1, 0.8};  // 2 P - F = 2 x 950 - 800
  EXPECT_NEAR(secant_stiffness(law, 3e-4, Framework::masing), 1100 / 3e-4, 1e-7);
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

/// Far along saturation and back; law of exponent n with A = 1e7 N/m, saturation at fs = 1000 N, alpha = 3 beta.
template <class Law>
void expect_sliding_at_saturation(const Law& law, double n) {
  SCOPED_TRACE(testing::Message() << Law::name << ", n " << n);
  const double fs = 1000, A = law.stiffness, slip = fs / A;
  typename Law::State s;
  law.advance(s, 100 * slip);
  for (const double u : {200 * slip, 1e6 * slip}) {  // past what the force can tell
    const double v = u - s.u;
    const auto r = law.advance(s, u);
    EXPECT_NEAR(r.force, fs, roundoff(16, fs));
    EXPECT_NEAR(r.tangent, 0, roundoff(16, A * n));
    EXPECT_NEAR(r.dissipated, fs * v, roundoff(16, fs * u));
  }
  EXPECT_NEAR(law.evaluate(s, s.u).tangent, 0, roundoff(16, A * n));
  // Unloading has the closed form of a falling branch, and the rest of the way is first loading.
  const double back = 1.01 * slip, to_zero = slip * detail::gauss_fraction(1 / n, -2.0);
  ASSERT_LT(to_zero, back);
  const double exact = -law.curve(back - to_zero).force;
  EXPECT_NEAR(law.evaluate(s, s.u - back).force, exact, roundoff(4, A * s.u));  // of the displacement
}

TEST(BoucWen, SlidesAtSaturationHoweverFarAndComesBack) {
  const auto eta = [](double n) { return 1e7 / std::pow(1000.0, n); };
  for (const double n : {0.3, 0.8, 1.0, 1.5, 2.0, 8.0, 20.0})
    expect_sliding_at_saturation(BoucWen<double>{1e7, n, 1.5 * eta(n), 0.5 * eta(n)}, n);
  expect_sliding_at_saturation(BoucWen1<double>{1e7, 1.5 * eta(1), 0.5 * eta(1)}, 1);
  expect_sliding_at_saturation(BoucWen2<double>{1e7, 1.5 * eta(2), 0.5 * eta(2)}, 2);
}

TEST(BoucWen, FallsFromFarAboveTheKneeWithoutSaturation) {  // beta = alpha: the force grows for ever
  for (const double n : {0.7, 1.0, 2.0, 3.0, 40.0}) {
    const double A = 1e7, alpha = A / std::pow(1000.0, n);
    const BoucWen<double> law{.stiffness = A, .n = n, .alpha = alpha, .beta = alpha};
    BoucWen<double>::State s;
    const double top = law.advance(s, 6e-4).force;
    EXPECT_NEAR(top, 6000, roundoff(4, 6000));
    const auto whole = law.evaluate(s, 5e-4);
    const auto half = law.advance(s, 5.5e-4), rest = law.advance(s, 5e-4);
    EXPECT_NEAR(rest.force, whole.force, roundoff(64, 6000));
    EXPECT_NEAR(half.dissipated + rest.dissipated, whole.dissipated, roundoff(64, 6000 * 6e-4));
    EXPECT_LT(whole.force, 5000);  // steeper than the line
    if (n != 2) continue;
    const BoucWen2<double> two{.stiffness = A, .alpha = alpha, .beta = alpha};
    EXPECT_NEAR(whole.force, two.evaluate({.u = 6e-4, .f = top}, 5e-4).force, roundoff(64, 6000));
  }
}

/// 2F1(1, b; 1+b; z) by its series, below zero by Pfaff's transformation, in 50 digits.
cpp_bin_float_50 power_integral(const cpp_bin_float_50& b, const cpp_bin_float_50& z) {
  const bool pfaff = z < 0;
  const cpp_bin_float_50 x = pfaff ? z / (z - 1) : z;
  cpp_bin_float_50 term = 1, sum = 0;
  for (int k = 0; term > 1e-25 * sum; ++k) {
    sum += term;
    term *= pfaff ? x * (k + 1) / (1 + b + k) : x * (b + k) / (1 + b + k);
  }
  return pfaff ? sum / (1 - z) : sum;
}

TEST(PowerIntegral, GaussFractionHoldsAllDigits) {
  for (const double b : {0.02, 0.2, 0.5, 1.0, 1.7, 4.0, 40.0})
    for (const double z : {-40.0, -3.0, -0.5, -1e-3, 0.01, 0.4, 0.7, 0.9, 0.98}) {
      const double exact = power_integral(b, z).convert_to<double>();
      // A level rounds a few times, at random.
      EXPECT_NEAR(detail::gauss_fraction(b, z) / exact, 1, roundoff(2 * detail::gauss_levels(z), 1)) << b << " " << z;
    }
}

TEST(PowerIntegral, NearOneHoldsAllDigits) {
  for (const double b : {0.02, 0.2, 0.5, 1.0, 1.7, 2.0})
    for (const double w : {1e-3, 0.01, 0.1, 0.2, 0.3}) {
      const cpp_bin_float_50 z = 1 - cpp_bin_float_50(w);
      const auto [integral, power] = detail::near_one(b, w, -std::log(w));
      EXPECT_NEAR(integral / power_integral(b, z).convert_to<double>(), 1, roundoff(16, 1)) << "b " << b << " w " << w;
      EXPECT_NEAR(power / pow(z, -cpp_bin_float_50(b)).convert_to<double>(), 1, roundoff(16, 1));
    }
}

TEST(PowerIntegral, FarBelowZeroHoldsAllDigitsAcrossWholeNumbers) {
  for (const double b : {0.02, 0.4, 0.5, 0.9, 1 - 1e-9, 1.0, 1 + 1e-6, 1.2, 1.5, 2.0, 3.7, 20.0})
    for (const double Z : {40.0, 300.0}) {
      const double exact = power_integral(b, -Z).convert_to<double>();
      EXPECT_NEAR(detail::far_below_zero(b, Z) / exact, 1, roundoff(16, 1)) << "b " << b << " Z " << Z;
    }
}

TEST(PowerTable, HoldsAllDigitsForBothIntegrals) {
  using detail::PowerTable;
  for (const double n : {PowerTable::smallest_n, 1.0, 1.3, 2.0, 5.0, 60.0}) {
    const PowerTable& table = PowerTable::of(n);
    for (const int twice : {0, 1}) {
      const cpp_bin_float_50 b = cpp_bin_float_50(1 + twice) / n;
      for (const double z : {PowerTable::gentle_from, -2.01, -2.0, -1.0, -0.83, -0.82, -1e-2, 1e-9, 0.3, 0.45, 0.46,
                             0.66, 0.67, PowerTable::gentle_to}) {
        const double exact = cpp_bin_float_50(power_integral(b, z) - 1).convert_to<double>();
        EXPECT_NEAR(table.rise(-std::log1p(-z))[twice] / exact, 1, roundoff(16, 1)) << "n " << n << " z " << z;
      }
      for (const double w : {0.0, 1e-12, 1e-3, 0.0049, 0.0051, 0.049, 0.051, 0.129, 0.131, 0.3}) {
        const auto [integral, power] = table.near_one(w, 3.0);
        const auto [integral_2, power_2] = detail::near_one((1 + twice) / n, w, 3.0);
        EXPECT_NEAR(integral[twice] / integral_2, 1, roundoff(16, 1)) << "n " << n << " w " << w;
        EXPECT_NEAR(power[twice] / power_2, 1, roundoff(16, 1));
      }
    }
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

TEST(DescribingFunction, OfASliderThatIsAllButRigidKeepsItsDigits) {
  // With x = fs/(kt a): kt (theta - sin(2 theta)/2)/pi = kt 16/(3 pi) x^1.5 (1 - 3x/10 + O(x^2)), sin^2(theta/2) = x.
  for (const double x : {1e-6, 1e-10}) {
    const Prager<double> law{.slip_force = 1000, .post_slip_stiffness = 0, .stiffness = 1e18};
    const double a = law.slip_force / (law.stiffness * x);
    const auto found = describing_function(law, a, Framework::masing);
    EXPECT_NEAR(found.stiffness / (1e18 * 16 / (3 * std::numbers::pi) * std::pow(x, 1.5)), 1 - 0.3 * x, 1e-11);
    EXPECT_NEAR(found.loss * std::numbers::pi * a / 4000, 1, 1.01 * x);
  }
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

TEST(Jenkins, HoldsItsForceAtRestHoweverStiff) {
  // Beside a displacement of 0.1 the stretch at slip has no digits left where the spring is a penalty.
  for (const double kt : {1e6, 1e12, 3.16e18})
    for (const double kp : {0.0, 1e9}) {
      const Jenkins<double> law{.stiffness = kt, .slip_force = 1, .post_slip_stiffness = kp};
      Jenkins<double>::State s;
      (void)law.advance(s, 0.1);
      for (int i = 0; i < 3; ++i) {
        const auto still = law.advance(s, 0.1);
        EXPECT_NEAR(still.force - kp * 0.1, 1, 1e-12 + 1e-15 * kp) << kt;
        EXPECT_LE(still.dissipated, 1e-15 / kt);
      }
      if (const double there = 0.1 - 0.5 / kt; there < 0.1) {  // half of the stretch
        EXPECT_NEAR(law.evaluate(s, there).force - kp * there, 0.5, 1e-16 * kt + 1e-15 * kp);
      }
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
