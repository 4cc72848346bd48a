// First harmonics far in macro-slip, where the whole turn of a loop is narrow beside its branch.
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss.hpp>
#include <gtest/gtest.h>

#include <microslip/joints/any_law.hpp>
#include <microslip/joints/describing_function.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

constexpr double K = 1e7, F = 1000, knee = F / K;
constexpr double knees[] = {1e-9, 0.01, 0.5, 1.0, 2.0, 7.0, 30.0, 1e3, 3e4, 7e5, 1e6};

/// exp(-z) I_1(z), at large z by Hankel's series, whose terms fall until the order 2z.
double scaled_bessel(double z) {
  if (z < 30) return std::exp(-z) * std::cyl_bessel_i(1, z);
  double term = 1, sum = 0;
  for (int k = 1; std::abs(term) > 1e-17 && k < 60; ++k) {
    sum += term;
    term *= -(4.0 - (2 * k - 1) * (2 * k - 1)) / (8 * k * z);
  }
  return sum / std::sqrt(2 * pi * z);
}

/// The promise of the header, as a stiffness.
double promised(double largest, double a) { return 4e-11 * largest / a; }

TEST(DescribingFunction, OfExponentialLoopsIsABesselFunctionThroughAMillionKnees) {
  // On a branch f = -F + (F + f_0) exp(-v/knee), v = a (1 - cos theta): int f cos = (F + f_0) exp(-z) pi I_1(z),
  // z = a/knee, and the steady loop has f_0 = F tanh z.
  for (const double r : knees) {
    const double a = r * knee, top = F * std::tanh(r), exact = 2 / a * (F + top) * scaled_bessel(r);
    const auto by = [&](const auto& law) { return describing_function(law, a, Framework::reversal).stiffness; };
    EXPECT_NEAR(by(BoucWen1<double>{K, 1 / knee, 0}), exact, promised(top, a)) << r;
    EXPECT_NEAR(by(BoucWen<double>{K, 1, 1 / knee, 0}), exact, promised(top, a)) << r;
    EXPECT_NEAR(by(Valanis<double>{K, 1 / knee, 0, 0}), exact, promised(top, a)) << r;
  }
}

TEST(DescribingFunction, OfABilinearValanisIsThatOfASlider) {
  const Valanis<double> law{1.1 * K, 1.1 / knee, 1, 0.1 * K};
  const Jenkins<double> slider{K, F, 0.1 * K};
  for (const double r : knees) {
    const double a = r * knee;
    EXPECT_NEAR(describing_function(law, a, Framework::reversal).stiffness,
                describing_function(slider, a, Framework::reversal).stiffness,
                promised(loop_force(slider, a, Framework::reversal), a))
        << r;
  }
}

/// By Gauss's rule of 30 points on panels that shrink by a quarter each towards theta = 0, and from both sides towards
/// where the force changes sign: it goes as |t|^n there.
template <class Law>
double by_graded_panels(const Law& law, double a, Framework framework) {
  const auto top = steady_state(law, a);
  const auto force = [&](double theta) { return unloading_force(law, top, a, a * std::cos(theta), framework); };
  const auto graded = [&](double towards, double from) {
    double sum = 0;
    for (double way = from - towards; std::abs(way) > 1e-14; way *= 0.75)
      sum += boost::math::quadrature::gauss<double, 30>::integrate(
          [&](double t) { return std::abs(way) * force(towards + way * t) * std::cos(towards + way * t); }, 0.75, 1.0);
    return sum;
  };
  double before = 0, zero = pi;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (before + zero);
    (force(middle) - law.post_slip_stiffness * a * std::cos(middle) > 0 ? before : zero) = middle;
  }
  return 2 / (pi * a) * (graded(0, 0.5 * zero) + graded(zero, 0.5 * zero) + graded(zero, pi));
}

TEST(DescribingFunction, OfRateFormLawsEqualsGradedPanelsThroughAMillionKnees) {
  const auto expect = [](const auto& law) {
    for (const Framework framework : {Framework::reversal, Framework::masing})
      for (const double r : knees) {
        const double a = r * knee;
        EXPECT_NEAR(describing_function(law, a, framework).stiffness, by_graded_panels(law, a, framework),
                    promised(std::abs(loop_force(law, a, framework)), a))
            << law.name << " " << r << " " << to_string(framework);
      }
  };
  expect(Valanis<double>{K, 1 / knee, 0.5, 0});
  expect(Valanis<double>{K, 1 / knee, 0.9, 0.1 * K});
  expect(BoucWen1<double>{K, 10 / knee, 9 / knee});
  expect(BoucWen2<double>{K, 1.5 / (knee * F), 0.5 / (knee * F)});
  expect(BoucWen2<double>{K, 1 / (knee * F), 1 / (knee * F)});  // no saturation: the steepest of all turns
  expect(BoucWen<double>{K, 0.5, 1.5 * K / std::sqrt(F), 0.5 * K / std::sqrt(F), 0.01 * K});
  expect(BoucWen<double>{K, 6, 1.5 * K / std::pow(F, 6), 0.5 * K / std::pow(F, 6)});
}

}  // namespace
}  // namespace microslip
