#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <microslip/signal/ringdown.hpp>

namespace microslip {

/// The paper's test: 70 sensors, three modes of a free beam, noise 60 dB below the peak.
inline Record beam_record(std::size_t n_channels, std::size_t n_samples) {
  using std::numbers::pi;
  const double fs = 12800, f[] = {121, 215, 474}, zeta[] = {0.001, 0.0056, 0.0005};
  std::vector<std::vector<double>> q(3, std::vector<double>(n_samples, 0.0));
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 200; i < n_samples; ++i) {
      const double t = static_cast<double>(i - 200) / fs, w = 2 * pi * f[r];
      q[r][i] = std::exp(-zeta[r] * w * t) * std::sin(w * t);
    }
  std::mt19937 rng(1);
  std::normal_distribution<double> noise(0, 1e-3);
  Record record;
  record.sampling_rate_hz = fs;
  record.source = "bench";
  for (std::size_t j = 0; j < n_channels; ++j) {
    const double x = (static_cast<double>(j) + 0.3) / static_cast<double>(n_channels);
    Channel channel{fmt::format("s{}", j), "m/s", Quantity::velocity, std::vector<double>(n_samples)};
    for (std::size_t i = 0; i < n_samples; ++i)
      channel.samples[i] =
          std::cos(2 * pi * x) * q[0][i] + std::cos(3 * pi * x) * q[1][i] + std::cos(4 * pi * x) * q[2][i] + noise(rng);
    record.channels.push_back(std::move(channel));
  }
  return record;
}

/// Its three modes, with their shapes at the sensors.
inline signal::RingdownOptions beam_options(std::size_t n_channels) {
  using std::numbers::pi;
  signal::RingdownOptions options;
  options.modes = {{121, {}}, {215, {}}, {474, {}}};
  signal::Shapes shapes;
  shapes.frequency_hz = {121, 215, 474};
  for (int r = 2; r <= 4; ++r) {
    std::vector<double> shape;
    for (std::size_t j = 0; j < n_channels; ++j)
      shape.push_back(std::cos(r * pi * (static_cast<double>(j) + 0.3) / static_cast<double>(n_channels)));
    shapes.value.push_back(shape);
  }
  options.shapes = shapes;
  return options;
}

}  // namespace microslip
