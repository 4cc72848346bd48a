#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/hilbert_decay.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

/// A linear decay through a band-pass.
struct Case {
  double fs = 5120, f = 100, decay = 1.5;
  std::vector<double> x = test::linear_decay(10240, fs, f, decay, 0.4);
  BandExtractor extractor{x.size(), fs, {Band{80, 120}}};
  BandSignal measured = extractor(x, 0);

  [[nodiscard]] HilbertDecay decay_of(int iterations, double end = 2) const {
    DecayWindow window;
    window.end = end;
    HilbertSettings settings;
    settings.resolution = 1.0 / 40;
    settings.iterations = iterations;
    return hilbert_decay(measured, x, fs, extractor, 0, window, settings);
  }
};

TEST(HilbertDecay, FilterAndTransformAreTakenOffALinearDecay) {
  const Case c;
  const HilbertDecay d = c.decay_of(8);
  EXPECT_EQ(d.outcome, Outcome::converged);
  EXPECT_LT(d.correction, 1e-6);
  const double omega = 2 * pi * c.f;
  for (double t = d.start; t <= d.end; t += 0.1) {
    const LogDecay p = d.smooth.at(t);
    // A linear decay is a fixed point of the correction, so what is left is of the size of the last change.
    EXPECT_NEAR(p.rate.imag(), omega, 1e-6 * omega) << t;
    EXPECT_NEAR(p.rate.real(), -c.decay, 1e-6 * omega) << t;
    EXPECT_NEAR(p.value.real(), -c.decay * t, 1e-5) << t;
  }
  EXPECT_GT(d.damping_bias, 0);
}

TEST(HilbertDecay, SaysWhenItHasNotSettled) {
  const HilbertDecay d = Case().decay_of(1);
  EXPECT_EQ(d.iterations, 1);
  EXPECT_EQ(d.outcome, Outcome::iteration_limit);
  EXPECT_GT(d.correction, 0);
}

TEST(HilbertDecay, RefusesAWindowOfFewerThanFourResolvedIntervals) {
  EXPECT_THROW((void)Case().decay_of(8, 5.0 / 40), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
