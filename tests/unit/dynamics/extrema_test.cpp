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

/// Largest error in time of the extrema of e^(-decay t) cos(omega t) with step h.
double worst_time(double decay, double omega, double h) {
  const double shift = std::atan(decay / omega) / omega;  // v = 0 where tan(omega t) = -decay/omega
  const auto found = follow(decay, omega, 0, h, 300);
  double error = 0;
  for (std::size_t i = 0; i < found.points().size(); ++i)
    error = std::max(error, std::abs(found.points()[i].time - (static_cast<double>(i + 1) * pi / omega - shift)));
  return error;
}

TEST(Extrema, AreFoundToFourthOrderAndWithoutDampingToFifth) {
  // The cubic errs by v^(4) h^4 x^2 (1 - x)^2/24, an extremum at x of the step by that over the acceleration omega^2 A.
  // Without damping v^(4) = omega^4 v vanishes there and fifth order is left; with it v^(4) is 4 decay omega^4 A, and
  // fourth order wins where omega h is less than some 4 decay/omega. The 286 extrema find the worst x to a few per
  // cent.
  const auto undamped = [](double h) { return worst_time(0, 3.0, h); };
  EXPECT_NEAR(test::observed_order(undamped, 0.1), 5.0, 0.1);
  const auto damped = [](double h) { return worst_time(1.0, 3.0, h); };
  EXPECT_NEAR(test::observed_order(damped, 0.02), 4.0, 0.1);
  const double decay = 0.02, omega = 3, h = 0.01;
  const double fourth = 4 * decay * omega * omega * std::pow(h, 4) / 384;
  const double fifth = std::pow(omega, 4) * std::pow(h, 5) / 768;  // v is at most omega^2 A h/2 inside the step
  EXPECT_LT(worst_time(decay, omega, h), fourth + fifth + 1e-13);  // and the rounding of times up to 300
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
