#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <microslip/core/record.hpp>

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

}  // namespace microslip::signal::test
