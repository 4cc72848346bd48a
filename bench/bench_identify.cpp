// A four-parameter Iwan law from energy lost per cycle: the fit alone, with its intervals, and Segalman's own method.
#include <optional>

#include <benchmark/benchmark.h>

#include <microslip/identify/dissipation.hpp>

namespace microslip {
namespace {

constexpr double slip_force = 504;  // lbf

/// AFF leg number 1, sample set 1 [Segalman2002, appendix, file AFF1_1.m]; the bundled data/segalman/aff1_1.csv.
DissipationData measured() {
  return {.name = "aff1_1",
          .force = {42.42640687, 84.85281374, 127.2792206, 169.7056275, 226.27417},
          .dissipation = {4.25e-05, 2.13e-04, 5.84e-04, 1.23e-03, 2.56e-03}};
}

void BM_FitDissipation(benchmark::State& state) {
  const DissipationData data = measured();
  DissipationFitOptions options;
  options.slip_force = slip_force;
  options.intervals = state.range(0) != 0;
  for (auto _ : state) benchmark::DoNotOptimize(fit_dissipation(data, options));
  state.counters["residual"] = fit_dissipation(data, options).residual;
}
BENCHMARK(BM_FitDissipation)->ArgName("intervals")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_FitDissipationSegalman(benchmark::State& state) {
  const DissipationData data = measured();
  for (auto _ : state) benchmark::DoNotOptimize(fit_dissipation_segalman(data, slip_force, std::nullopt));
  state.counters["residual"] = fit_dissipation_segalman(data, slip_force, std::nullopt).residual;
}
BENCHMARK(BM_FitDissipationSegalman)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip

BENCHMARK_MAIN();
