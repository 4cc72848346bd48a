#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/pff.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

TEST(PffDecay, ALinearDecayOnAnOffsetComesBackExactly) {
  const double fs = 5000, f = 97.3, decay = 2, omega = 2 * pi * f;
  auto y = test::linear_decay(5000, fs, f, decay, 0.7);
  for (double& value : y) value += 0.02;
  const PffDecay pff(y, fs, 1.1 * f, 0, 1);
  EXPECT_EQ(pff.outcome(), Outcome::converged);
  EXPECT_LE(pff.change(), 1e-7);
  EXPECT_LT(pff.passes(), 10);  // it stopped because the peaks had come to rest, not because passes ran out
  EXPECT_LT(pff.start(), 1 / f);
  EXPECT_GT(pff.end(), 1 - 1 / f);
  for (double t = 0.05; t < 1; t += 0.05) {
    const LogDecay p = pff.at(t);
    // Peaks that move by less than 1e-7 rad, ten half-periods apart at least.
    EXPECT_NEAR(p.rate.imag(), omega, 1e-7 * omega) << t;
    EXPECT_NEAR(p.rate.real(), -decay, 1e-7 * omega) << t;
    EXPECT_NEAR(p.value.real(), -decay * t, 1e-7) << t;
    EXPECT_NEAR(std::abs(p.change), 0, 1e-6 * omega * f) << t;
  }
}

TEST(PffDecay, NeedsSixExtrema) {
  const auto y = test::linear_decay(1000, 1000, 10, 1);
  EXPECT_THROW(PffDecay(y, 1000, 10, 0, 0.2), InvalidInput);  // two periods
  EXPECT_NO_THROW(PffDecay(y, 1000, 10, 0, 0.5));
  EXPECT_THROW(PffDecay(y, 1000, 10, 0.8, 0.2), InvalidInput);
  EXPECT_THROW(PffDecay(y, 0, 10, 0, 1), InvalidInput);
  EXPECT_THROW(PffDecay(y, 1000, std::nan(""), 0, 1), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
