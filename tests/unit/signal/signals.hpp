#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip::signal::test {

constexpr double pi = std::numbers::pi;

/// exp(-decay t) cos(2 pi f t + phase), f damped.
inline std::vector<double> linear_decay(std::size_t n, double fs, double f, double decay, double phase = 0) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / fs;
    x[i] = std::exp(-decay * t) * std::cos(2 * pi * f * t + phase);
  }
  return x;
}

inline std::vector<double> white_noise(std::size_t n, double deviation, unsigned seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal(0, deviation);
  std::vector<double> x(n);
  for (double& value : x) value = normal(rng);
  return x;
}

inline Record record_of(std::vector<double> x, double fs, Quantity quantity = Quantity::displacement,
                        std::string name = "x") {
  Record record;
  record.sampling_rate_hz = fs;
  record.source = "test";
  record.channels.push_back({std::move(name), "", quantity, std::move(x)});
  return record;
}

inline RingdownOptions one_mode(double f, bool filter = true) {
  RingdownOptions options;
  options.modes = {{.frequency_hz = f, .band = {}}};
  options.filter = filter;
  return options;
}

/// A decay with known amplitude and frequency laws in closed form: ln A = -a t - b (1 - exp(-c t)), frequency
/// f0 - s exp(-c t) (softer and more damped at first, as a slipping joint).
struct ClosedLaw {
  double a = 0.7, b = 0.4, c = 1.5, f0 = 80.6, s = 0.4;
  [[nodiscard]] double decay(double t) const { return a + b * c * std::exp(-c * t); }
  [[nodiscard]] double omega(double t) const { return 2 * pi * (f0 - s * std::exp(-c * t)); }
  [[nodiscard]] double value(double t) const {
    const double phase = 2 * pi * (f0 * t - s / c * (1 - std::exp(-c * t)));
    return std::exp(-a * t - b * (1 - std::exp(-c * t))) * std::cos(phase);
  }
};

}  // namespace microslip::signal::test
