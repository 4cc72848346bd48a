#include <vector>

#include <benchmark/benchmark.h>

#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/fft.hpp>

#include "beam_record.hpp"

namespace {

using namespace microslip;
using namespace microslip::signal;

void BM_RingdownThreeModes(benchmark::State& state) {
  const auto n_channels = static_cast<std::size_t>(state.range(0));
  const Record record = beam_record(n_channels, 131072);
  const RingdownOptions options = beam_options(n_channels);
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
