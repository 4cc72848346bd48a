#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/load.hpp>

namespace microslip {
namespace {

using std::numbers::pi;
using test::message_of;

/// int load dt by the trapezoid rule, fine enough for six digits.
double impulse(const Load& load, double from, double to) {
  const int n = 200000;
  double sum = 0.5 * (load(from) + load(to));
  for (int i = 1; i < n; ++i) sum += load(from + (to - from) * i / n);
  return sum * (to - from) / n;
}

TEST(Load, PulsesHaveTheirImpulseAndVanishOutside) {
  const Load half_sine(HalfSine{.amplitude = 10, .duration = 0.02}, 1.0);
  EXPECT_NEAR(impulse(half_sine, 0.9, 1.1), 10 * 0.02 * 2 / pi, 1e-7);
  EXPECT_DOUBLE_EQ(half_sine(1.01), 10);
  EXPECT_EQ(half_sine(0.999), 0);
  EXPECT_EQ(half_sine(1.021), 0);
  EXPECT_DOUBLE_EQ(half_sine.end(), 1.02);
  const Load haversine(Haversine{.amplitude = 10, .duration = 0.02});
  EXPECT_NEAR(impulse(haversine, 0, 0.02), 10 * 0.02 / 2, 1e-9);
  EXPECT_DOUBLE_EQ(haversine(0.01), 10);
}

TEST(Load, SweepsPassThroughTheirFrequencies) {
  for (const bool logarithmic : {false, true}) {
    const Load sweep(Sweep{.amplitude = 1, .from_hz = 2, .to_hz = 8, .duration = 10, .logarithmic = logarithmic});
    // Zero crossings upwards: their number is the integral of the frequency.
    int crossings = 0;
    double last = sweep(0);
    for (double t = 1e-4; t < 10; t += 1e-4) {
      const double now = sweep(t);
      if (last < 0 && now >= 0) ++crossings;
      last = now;
    }
    const double cycles = logarithmic ? 10 * (8 - 2) / std::log(4.0) : 10 * 5.0;
    EXPECT_NEAR(crossings, cycles, 1.0) << logarithmic;
  }
}

TEST(Load, SamplesAreJoinedByStraightLines) {
  const Load load(SampledLoad{{0, 1, 3}, {0, 2, -2}});
  EXPECT_DOUBLE_EQ(load(0.5), 1);
  EXPECT_DOUBLE_EQ(load(2), 0);
  EXPECT_DOUBLE_EQ(load(3), -2);
  EXPECT_EQ(load(3.1), 0);
  EXPECT_EQ(load(-0.1), 0);
  EXPECT_DOUBLE_EQ(load.shortest_period(), 2);
  EXPECT_EQ(load.kinks(0, 3), std::vector<double>{1});
}

TEST(Load, TheLargestOfAShortOrLateLoadIsFound) {
  const Load half_sine(HalfSine{-3, 1e-3}, 1e4), haversine(Haversine{3, 1e-3}, 1e4);
  const Load table(SampledLoad{{0, 1e-3, 2e-3, 3e-3}, {0, 1, -7, 0}}, 1e4);
  EXPECT_EQ(half_sine.largest(0, 2e4), 3);
  EXPECT_EQ(haversine.largest(0, 2e4), 3);
  EXPECT_EQ(table.largest(0, 2e4), 7);
  for (const Load* load : {&half_sine, &haversine, &table}) {
    EXPECT_EQ(load->largest(0, 1e4), 0);
    EXPECT_EQ(load->largest(1.1e4, 2e4), 0);
    EXPECT_DOUBLE_EQ(load->largest(0, 1e4 + 2e-4), std::abs((*load)(1e4 + 2e-4)));  // cut while it rises
  }
  const Load sine(Sine{2, 1000}), burst(Sine{2, 1000, 0, 0.01}, 5);
  EXPECT_EQ(sine.largest(0, 1), 2);  // zero at each of a thousand equal times
  EXPECT_EQ(burst.largest(0, 10), 2);
  EXPECT_EQ(burst.largest(0, 5), 0);
  EXPECT_EQ(burst.largest(5.01, 10), 0);
  EXPECT_EQ(Load().largest(0, 1), 0);
}

TEST(Load, NoiseIsReproducibleAndHasItsStrength) {
  const SampledLoad a = noise(3, 1000, 100, 7), b = noise(3, 1000, 100, 7), c = noise(3, 1000, 100, 8);
  EXPECT_EQ(a.value, b.value);
  EXPECT_NE(a.value, c.value);
  double mean = 0, square = 0;
  for (const double x : a.value) mean += x, square += x * x;
  const auto n = static_cast<double>(a.value.size());
  EXPECT_NEAR(mean / n, 0, 4 * 3 / std::sqrt(n));  // four standard errors
  EXPECT_NEAR(std::sqrt(square / n), 3, 4 * 3 / std::sqrt(2 * n));
}

TEST(Load, RefusesWhatIsNoLoad) {
  EXPECT_THROW(Load(HalfSine{.amplitude = 1, .duration = 0}), InvalidInput);
  EXPECT_THROW(Load(HalfSine{.amplitude = std::nan(""), .duration = 1}), InvalidInput);
  EXPECT_THROW(Load(Sine{.amplitude = 1, .frequency_hz = -1}), InvalidInput);
  EXPECT_THROW(Load(Sweep{.amplitude = 1, .from_hz = 0, .to_hz = 1, .duration = 1}), InvalidInput);
  EXPECT_THROW(Load(SampledLoad{{0}, {1}}), InvalidInput);
  EXPECT_THROW(Load(SampledLoad{{0, 0}, {1, 1}}), InvalidInput);
  EXPECT_EQ(message_of<InvalidInput>([] {
              Load(SampledLoad{{0, 1, 2, 3, 4}, {1, 1, 1, 1}});
            }),
            "load: 5 times with 4 values");
  EXPECT_THROW(noise(1, 1e9, 1e9, 1), InvalidInput);
}

TEST(Load, AGapInEquidistantSamplesIsRefusedAndAFewCornersAreNot) {
  SampledLoad samples;
  std::vector<std::string> where;
  for (int i = 0; i < 40; ++i) {
    samples.time.push_back(0.01 * (i < 20 ? i : i + 5));
    samples.value.push_back(i);
    where.push_back("hit.csv:" + std::to_string(i + 2));
  }
  const std::string message = message_of<InvalidInput>([&] { without_gaps(samples, where); });
  EXPECT_NE(message.find("hit.csv:22"), std::string::npos) << message;
  EXPECT_NE(message.find("gap"), std::string::npos) << message;
  EXPECT_NO_THROW(without_gaps(SampledLoad{{0, 1e-3, 1}, {0, 1, 0}}, {"a:1", "a:2", "a:3"}));
  EXPECT_THROW(without_gaps(SampledLoad{{0, 2, 1}, {0, 1, 0}}, {"a:1", "a:2", "a:3"}), InvalidInput);
  const auto refusal = [](const SampledLoad& given, const std::vector<std::string>& places) {
    return message_of<InvalidInput>([&] { without_gaps(given, places); });
  };
  EXPECT_EQ(refusal({{0, 1, 2}, {0, NAN, 0}}, {"a:1", "a:2", "a:3"}), "a:2: value must be a finite number, got nan");
  EXPECT_EQ(refusal({{0, 1, INFINITY}, {0, 1, 0}}, {"a:1", "a:2", "a:3"}),
            "a:3: time must be a finite number, got inf");
  EXPECT_EQ(refusal({{0, 1, 2}, {0, 1}}, {"a:1", "a:2", "a:3"}), "a:1: 3 times with 2 values");
  EXPECT_EQ(refusal({}, {}), "load: two samples or more are expected, got 0");
}

}  // namespace
}  // namespace microslip
