#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/observed_order.hpp>

#include <microslip/dynamics/extrema.hpp>

namespace microslip {
namespace {

using std::numbers::pi;

/// offset + e^(-decay t) cos(omega t) followed with step h.
Extrema follow(double decay, double omega, double offset, double h, double end) {
  Extrema extrema;
  for (int i = 0; i * h <= end; ++i) {
    const double t = i * h, e = std::exp(-decay * t), c = std::cos(omega * t), s = std::sin(omega * t);
    extrema.follow(t, offset + e * c, e * (-decay * c - omega * s),
                   e * ((decay * decay - omega * omega) * c + 2 * decay * omega * s));
  }
  return extrema;
}

TEST(Extrema, AreFoundToFourthOrderOrBetter) {
  const double decay = 0.02, omega = 3.0;
  const double shift = std::atan(decay / omega) / omega;  // v = 0 where tan(omega t) = -decay/omega
  const auto worst = [&](double h) {
    const auto found = follow(decay, omega, 0, h, 100);
    double error = 0;
    for (std::size_t i = 0; i < found.points().size(); ++i)
      error = std::max(error, std::abs(found.points()[i].time - (static_cast<double>(i + 1) * pi / omega - shift)));
    return error;
  };
  // Better than fourth, because the fourth derivative of a sinusoid's velocity vanishes with the velocity.
  EXPECT_GT(test::observed_order(worst, 0.2), 4);
  EXPECT_LT(test::observed_order(worst, 0.2), 5.2);
  EXPECT_LT(worst(0.01), 1e-9);
}

TEST(Envelope, IsExactForAnExponentialDecayAboutAnOffset) {
  const double decay = 0.05, omega_d = 3.0, h = 1e-3;
  const Envelope found = envelope(follow(decay, omega_d, 0.3, h, 30).points());
  ASSERT_GT(found.time.size(), 10U);
  const double omega = std::hypot(omega_d, decay), zeta = decay / omega;
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    EXPECT_NEAR(found.frequency_hz[i], omega / (2 * pi), 1e-10);
    EXPECT_NEAR(found.damping_ratio[i], zeta, 1e-9);
    EXPECT_NEAR(found.amplitude[i] / std::exp(-decay * found.time[i]), 1, pi * pi * zeta * zeta);
  }
  // Steps of zeta fade from the mean with the amplitude.
  EXPECT_NEAR(found.mean.back(), 0.3, 1e-3);
}

TEST(Envelope, IsNotKnownOutsideTheExtrema) {
  const Envelope found = envelope(follow(0.05, 3.0, 0, 1e-2, 10).points());
  const EnvelopeSeries series = at_times(found, {0.0, 5.0, 20.0});
  EXPECT_TRUE(std::isnan(series.amplitude[0]) && std::isnan(series.amplitude[2]));
  EXPECT_NEAR(series.amplitude[1], std::exp(-0.25), 1e-3);
  EXPECT_TRUE(envelope({}).time.empty());
  EXPECT_TRUE(std::isnan(at_times({}, {1.0}).damping_ratio[0]));
}

}  // namespace
}  // namespace microslip
