#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/butterworth.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

std::vector<double> probe() {
  std::vector<double> x(240);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto n = static_cast<double>(i);
    x[i] = std::sin(0.37 * n + 0.5) * std::exp(-0.01 * n) + 0.3 * std::cos(1.9 * n) + 0.2 + 0.001 * n;
  }
  return x;
}

// SciPy 1.10.1: sos = butter(order, [lower, upper], 'bandpass', fs=fs, output='sos'); sosfiltfilt(sos, x, padlen=60)
// and sosfilt(sos, x) of probe() at samples 0, 1, 5, 60, 119, 120, 180, 234, 239.
struct SciPy {
  Band band;
  double fs;
  int order;
  double zero_phase[9], one_pass[9];
};
const SciPy references[] = {
    {{65, 95},
     12800,
     4,
     {0.004403152275885664, 0.0033169040108452456, -0.0009188647801083791, -0.012152788877783002, 0.007191900577583331,
      0.007070605092466232, -0.0016997195449791277, 6.514358009311659e-05, 9.244209427454506e-05},
     {2.8241724950153713e-09, 2.494991016624621e-08, 1.815172850274469e-06, 0.0017762170878344082,
      -0.007160730819751502, -0.007245695473477455, 0.012282738188271903, -0.0010509550477109776,
      -0.005385647658264893}},
    {{10, 20},
     100,
     4,
     {0.00018439639530547225, -0.10079608358793499, 0.07601967575879537, -0.00020936615441735672,
      0.00012557062603629619, 9.928093915725455e-05, -2.7845947523544653e-05, -0.0187201284349317,
      -8.223467526073322e-06},
     {0.004725085091542826, 0.022753144536510596, -0.1288709573052626, 0.0004522861218153075, 0.0006158535543351572,
      -0.002624634898700051, -0.004022583610275923, 0.0008092524159685425, -0.002667931755746334}},
    {{1, 49},
     100,
     3,
     {0.006583031627870661, -0.08139255448621147, -0.2351758949639024, -0.09931083257401704, 0.44455092109365957,
      0.15753293494827558, -0.4179038232283061, -0.06936373952509332, 0.007548887705469021},
     {0.8636948526005069, 0.7590306482178194, 0.032624252550093935, -0.252535807049323, 0.5291085019300112,
      0.22642528953807858, -0.43162347047581845, -0.045211222231633444, 0.05982109891251075}}};

TEST(Butterworth, FiltersLikeSciPyInOnePassAndForwardBackward) {
  const auto x = probe();
  const std::size_t at[] = {0, 1, 5, 60, 119, 120, 180, 234, 239};
  for (const SciPy& r : references) {
    const Butterworth filter(r.band, r.fs, r.order);
    const auto both = filter.zero_phase(x, 60), once = filter.filter(x);
    for (int i = 0; i < 9; ++i) {
      // Poles 0.007 rad from 1 lose four digits in either program.
      EXPECT_NEAR(both[at[i]], r.zero_phase[i], 1e-11) << r.band.lower_hz << " sample " << at[i];
      EXPECT_NEAR(once[at[i]], r.one_pass[i], 1e-11) << r.band.lower_hz << " sample " << at[i];
    }
  }
}

// The same program: butter(4, [65, 95], 'bandpass', fs=12800, output='zpk'), upper half plane.
TEST(Butterworth, PolesAreSciPys) {
  const std::complex<double> reference[] = {{0.9971560431922445, 0.03218710642912228},
                                            {0.9931025552945095, 0.035030590896852155},
                                            {0.9918906302722377, 0.04058609272775523},
                                            {0.9956489349215463, 0.0457055633624367}};
  const Butterworth filter({65, 95}, 12800);
  for (const auto& expected : reference) {
    double nearest = 1;
    for (const auto& p : filter.poles()) nearest = std::min(nearest, std::abs(p - expected));
    EXPECT_LT(nearest, 1e-12);
  }
}

TEST(Butterworth, StableAndExactForBandEdgesFromOneTenThousandthToNearlyHalfTheRate) {
  const double edges[] = {1e-4, 2e-4, 1e-3, 0.01, 0.1, 0.25, 0.4, 0.48, 0.49};
  for (const double lower : edges)
    for (const double upper : edges)
      for (const int order : {1, 2, 3, 4, 7}) {
        if (upper <= lower) continue;
        const Butterworth filter({lower, upper}, 1.0, order);
        EXPECT_EQ(filter.poles().size(), static_cast<std::size_t>(2 * order));
        for (const auto& p : filter.poles()) EXPECT_LT(std::abs(p), 1.0) << lower << " to " << upper;
        // The sections' response against the closed form (1), which knows no poles.
        for (const double share : {0.0, 0.3, 0.7, 1.0}) {
          const double f = lower * std::pow(upper / lower, share);
          const std::complex<double> z = std::polar(1.0, -2 * pi * f);
          std::complex<double> h = 1;
          for (const Section& s : filter.sections())
            h *= (s.b0 + z * (s.b1 + z * s.b2)) / (1.0 + z * (s.a1 + z * s.a2));
          // A denominator that cancels to (2 pi f)^2 keeps eps/(2 pi f)^2 of its digits, in each of the sections.
          const double lost = 1e-15 * order / std::pow(2 * pi * std::min(lower, 0.5 - upper), 2);
          EXPECT_NEAR(std::norm(h), filter.zero_phase_gain(f), 1e-12 + 20 * lost)
              << lower << " to " << upper << " at " << f;
        }
      }
}

TEST(Butterworth, EdgesHaveHalfTheGainAndTheSupportIsWhereTheGainIsReached) {
  const Butterworth filter({65, 95}, 12800);
  EXPECT_NEAR(filter.zero_phase_gain(65), 0.5, 1e-12);
  EXPECT_NEAR(filter.zero_phase_gain(95), 0.5, 1e-12);
  const Band support = filter.support(1e-8);
  EXPECT_NEAR(filter.zero_phase_gain(support.lower_hz), 1e-8, 1e-18);
  EXPECT_NEAR(filter.zero_phase_gain(support.upper_hz), 1e-8, 1e-18);
}

TEST(Butterworth, LeavesASinusoidAtTheCentreAloneAndHasNoPhase) {
  const double fs = 2000, f = 100;
  const Butterworth filter({80, 125}, fs);  // centre near 100 Hz
  const auto x = test::linear_decay(4000, fs, f, 0, 0.3);
  const auto y = filter.zero_phase(x);
  const double gain = filter.zero_phase_gain(f);
  for (std::size_t i = 1500; i < 2500; ++i) EXPECT_NEAR(y[i], gain * x[i], 1e-9);
}

TEST(Butterworth, RefusesEdgesOutOfOrderOrBeyondHalfTheRate) {
  EXPECT_THROW(Butterworth({0, 10}, 100), InvalidInput);
  EXPECT_THROW(Butterworth({20, 10}, 100), InvalidInput);
  EXPECT_THROW(Butterworth({10, 50}, 100), InvalidInput);
  EXPECT_THROW(Butterworth({std::nan(""), 10}, 100), InvalidInput);
  EXPECT_THROW(Butterworth({10, 20}, 100, 0), InvalidInput);
  EXPECT_THROW((void)Butterworth({10, 20}, 100).zero_phase(std::vector<double>(5), 10), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
