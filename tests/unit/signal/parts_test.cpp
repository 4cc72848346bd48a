#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/dissipation.hpp>
#include <microslip/signal/gaussian_process.hpp>
#include <microslip/signal/inspect.hpp>
#include <microslip/signal/mode_band.hpp>
#include <microslip/signal/repeats.hpp>
#include <microslip/signal/sensors.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

TEST(Sensors, TrimmedMeanDropsElevenPercentOnEachSide) {
  std::vector<double> values(70, 1.0);
  for (std::size_t i = 0; i < 8; ++i) {
    values[i] = 1e6;
    values[69 - i] = -1e6;
  }
  EXPECT_DOUBLE_EQ(trimmed_mean(values, 0.11), 1.0);  // eight of seventy, as in the paper
  EXPECT_THROW((void)trimmed_mean(values, 0.5), InvalidInput);
  EXPECT_THROW((void)trimmed_mean({}, 0.1), InvalidInput);
}

TEST(Sensors, FewAreHeldAgainstTheirMedianAndAveraged) {
  using Strings = std::vector<std::string>;
  using Weights = std::vector<double>;
  const std::vector<double> ones(4, 1.0);
  // The median of 1, 1, 2.1, 2.1 is 1.55, and all lie within half of it.
  auto w = average_weights(ones, std::vector<double>{1, 1, 2.1, 2.1}, {});
  EXPECT_EQ(w.weight, Weights(4, 0.25));
  EXPECT_EQ(w.reason, Strings(4));
  // 1 and 2.2 lie 0.6 from 1.6, less than half of it.
  EXPECT_EQ(average_weights(std::vector<double>{1, 1}, std::vector<double>{1, 2.2}, {}).weight, Weights(2, 0.5));
  // An outlier and a node are left out; signs and sizes of the shape are divided out.
  w = average_weights(std::vector<double>{1, -2, 0.5, 0.04}, std::vector<double>{1, 2, 1, 1}, {});
  EXPECT_EQ(w.weight, (Weights{0.5, -0.25, 0, 0}));
  EXPECT_EQ(w.reason, (Strings{"", "", "its modal amplitude is 2.00 times the median", "near a node of the mode"}));
  // Two that share nothing: neither is nearer to the other.
  EXPECT_THROW((void)average_weights(std::vector<double>{1, 1}, std::vector<double>{1, 4}, {}), InvalidInput);
  // Those at rest have no say in what the others are held against.
  for (const Weights& amplitude : {Weights{0, 1}, Weights{0, 0, 1, 1}, Weights{1, 1, 0, 1}}) {
    const std::vector<double> shape(amplitude.size(), 1.0);
    w = average_weights(shape, amplitude, {});
    const auto moving = static_cast<double>(std::count(amplitude.begin(), amplitude.end(), 1.0));
    for (std::size_t j = 0; j < amplitude.size(); ++j) {
      EXPECT_EQ(w.weight[j], amplitude[j] / moving);
      EXPECT_EQ(w.reason[j], amplitude[j] == 0 ? "it does not move" : "");
    }
  }
  EXPECT_THROW((void)average_weights(std::vector<double>{1, 1}, std::vector<double>{0, 0}, {}), InvalidInput);
}

TEST(Sensors, ModalFilterIsTheInverseOnItsModes) {
  const std::vector<std::vector<double>> shapes{{1, 2, 3, 4}, {1, -1, 1, -1}};
  for (std::size_t r = 0; r < 2; ++r) {
    const auto w = modal_filter_weights(shapes, r).weight;
    for (std::size_t s = 0; s < 2; ++s) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += w[j] * shapes[s][j];
      EXPECT_NEAR(sum, r == s ? 1.0 : 0.0, 1e-14);
    }
  }
  EXPECT_THROW((void)modal_filter_weights({{1, 2}, {2, 4}}, 0), InvalidInput);
  EXPECT_THROW((void)modal_filter_weights({{1, 2}, {2}}, 0), InvalidInput);
}

TEST(Inspect, ARoundedOscillationIsNotClipped) {
  auto x = test::linear_decay(5000, 10000, 20, 1);
  EXPECT_FALSE(last_clipped(x, 10000));
  auto rounded = x;
  for (double& v : rounded) v = std::round(v * 100) / 100;
  EXPECT_FALSE(last_clipped(rounded, 10000));
  for (double& v : x) v = std::min(v, 0.9);
  EXPECT_TRUE(last_clipped(x, 10000));
}

TEST(ModeBand, KeepsAwayFromNeighboursAndIsWideWithoutThem) {
  std::vector<double> power(4001);
  const auto peak = [&](double f, double height) {
    for (std::size_t k = 1; k < power.size(); ++k) {
      const double d = (static_cast<double>(k) - f) / (0.002 * f);
      power[k] += height * height / (1 + d * d);
    }
  };
  peak(1000, 1);
  const ModeBand alone = choose_band(power, 1.0, 1003);
  EXPECT_EQ(alone.peak_hz, 1000);
  EXPECT_NEAR(alone.band.lower_hz, 650, 1);
  EXPECT_NEAR(alone.band.upper_hz, 1500, 1);
  peak(1200, 1);
  const ModeBand near = choose_band(power, 1.0, 1000);
  EXPECT_NEAR(near.band.upper_hz, 1000 + 200 * std::pow(1e-3, 1.0 / 8), 1);
  EXPECT_NEAR(near.band.lower_hz, 650, 1);
  EXPECT_THROW((void)choose_band(power, 1.0, 2500), InvalidInput);
  EXPECT_THROW((void)choose_band(power, 1.0, 3900), InvalidInput);
}

TEST(Dissipation, OfALinearOscillatorIsPiCOmegaASquared) {
  const double f = 80, zeta = 0.002, a = 1e-4, omega = 2 * pi * f, c = 2 * zeta * omega;  // unit mass
  EXPECT_NEAR(dissipation(a, zeta, linear_energy_slope(a, f)), pi * c * omega * a * a, 1e-22);
  EXPECT_DOUBLE_EQ(masing_energy_slope(a, f, 0), linear_energy_slope(a, f));
  // Cubic softening F = k A - g A^3: E' = A dF/dA.
  const double k = 1e5, g = 1e11, force_slope = k - 3 * g * a * a, k_secant = k - g * a * a;
  const double dlnf_dlna = -g * a * a / k_secant;
  EXPECT_NEAR(masing_energy_slope(a, std::sqrt(k_secant) / (2 * pi), dlnf_dlna), a * force_slope, 1e-9);
}

TEST(GaussianProcess, RecoversACurveAndHoldsNinetyFivePercentOfItsPoints) {
  std::vector<double> x, y;
  const auto noise = test::white_noise(600, 0.05, 21);
  for (std::size_t i = 0; i < 600; ++i) {
    x.push_back(-10 + 0.01 * static_cast<double>(i));
    y.push_back(std::sin(x.back()) + 0.3 * x.back() + noise[i]);
  }
  const GaussianProcess process(x, y);
  EXPECT_NEAR(process.noise(), 0.05, 0.008);  // 200 points: 5 % of sigma, times three
  int inside = 0;
  for (std::size_t i = 0; i < 600; ++i) {
    const auto p = process.at(x[i]);
    inside += std::abs(p.mean - y[i]) <= 1.96 * p.point_deviation ? 1 : 0;
    EXPECT_NEAR(p.mean, std::sin(x[i]) + 0.3 * x[i], 5 * p.deviation);
  }
  EXPECT_GE(inside, 600 * 0.92);
  EXPECT_THROW(GaussianProcess(std::vector<double>{1, 2}, std::vector<double>{1, 2}), InvalidInput);
  EXPECT_THROW(GaussianProcess(std::vector<double>(9, 1.0), std::vector<double>(9, 1.0)), InvalidInput);
}

TEST(Repeats, BandsOfSevenBackbonesHoldTheTruthAndSkipFlaggedPoints) {
  std::vector<Backbone> repeats;
  for (unsigned r = 0; r < 7; ++r) {
    const auto noise = test::white_noise(80, 1, r);
    Backbone b;
    b.coordinate = "modal";
    for (std::size_t i = 0; i < 80; ++i) {
      const double a = 1e-6 * std::pow(100.0, static_cast<double>(i) / 79);
      b.amplitude.push_back(a);
      b.frequency_hz.push_back(80 - 1e4 * a + 0.01 * noise[i]);
      b.damping_ratio.push_back(i == 40 ? 1.0 : 1e-3 + 10 * a + 2e-5 * noise[79 - i]);
      b.dissipation.push_back(0);
      b.flag.emplace_back(i == 40 ? "wrong" : "");
    }
    repeats.push_back(b);
  }
  const BackboneBands bands = backbone_bands(repeats, 50);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(bands.frequency_hz[i], 80 - 1e4 * bands.amplitude[i], bands.frequency_band[i]);
    EXPECT_NEAR(bands.damping_ratio[i], 1e-3 + 10 * bands.amplitude[i], bands.damping_band[i]);
    EXPECT_NEAR(bands.frequency_band[i], 1.96 * 0.01, 0.005);
  }
  repeats[1].coordinate = "acc1";
  EXPECT_THROW((void)backbone_bands(repeats), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
