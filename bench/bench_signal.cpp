#include <cmath>
#include <numbers>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/fft.hpp>
#include <microslip/signal/ringdown.hpp>

namespace {

using namespace microslip;
using namespace microslip::signal;
constexpr double pi = std::numbers::pi;

/// The paper's test: 70 sensors, three modes of a free beam, noise 60 dB below the peak.
Record beam_record(std::size_t n_channels, std::size_t n_samples) {
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

void BM_RingdownThreeModes(benchmark::State& state) {
  const auto n_channels = static_cast<std::size_t>(state.range(0));
  const Record record = beam_record(n_channels, 131072);
  RingdownOptions options;
  options.modes = {{121, {}}, {215, {}}, {474, {}}};
  Shapes shapes;
  shapes.frequency_hz = {121, 215, 474};
  for (int r = 2; r <= 4; ++r) {
    std::vector<double> shape;
    for (std::size_t j = 0; j < n_channels; ++j)
      shape.push_back(std::cos(r * pi * (static_cast<double>(j) + 0.3) / static_cast<double>(n_channels)));
    shapes.value.push_back(shape);
  }
  options.shapes = shapes;
  for (auto _ : state) benchmark::DoNotOptimize(measure_backbone(record, options));
}
BENCHMARK(BM_RingdownThreeModes)->Arg(1)->Arg(70)->Unit(benchmark::kMillisecond);

void BM_RealFft(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const RealFft fft(n);
  const std::vector<double> x(n, 1.0);
  std::vector<Complex> X(fft.n_bins());
  for (auto _ : state) {
    fft.transform(x, X);
    benchmark::DoNotOptimize(X.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(n));
}
BENCHMARK(BM_RealFft)->Arg(1 << 12)->Arg(1 << 17)->Arg(131101);  // the last is prime

void BM_ZeroPhase(benchmark::State& state) {
  const std::vector<double> x(static_cast<std::size_t>(state.range(0)), 1.0);
  const Butterworth filter({65, 95}, 12800);
  for (auto _ : state) benchmark::DoNotOptimize(filter.zero_phase(x));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ZeroPhase)->Arg(1 << 17);

}  // namespace

BENCHMARK_MAIN();
