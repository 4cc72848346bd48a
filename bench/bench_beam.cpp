#include <cmath>

#include <benchmark/benchmark.h>

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/stuck_beam.hpp>

namespace {

using namespace microslip::beam;

/// The rig of [Asadi2012], as in examples/asadi.toml.
Model rig() {
  return {.beam = {.length = 0.3, .width = 0.03, .height = 0.003, .youngs_modulus = 2e11, .density = 7850},
          .support = {.length = 0.05,
                      .normal_stiffness = 1.7e9,
                      .tangential_stiffness = 5.8e8,
                      .friction_coefficient = 0.2},
          .bolt = {.position = 0.025, .mass = 0.052, .preload = 1e4, .head_diameter = 0.027},
          .load = {.position = 0.13, .frequency_hz = 31}};
}

void BM_BackboneOf40Forces(benchmark::State& state) {
  const Model m = rig();
  const PartialSlip beam(m, preload_pressure(m));
  std::vector<double> forces;
  for (int i = 0; i < 40; ++i) forces.push_back(1 * std::pow(300.0, i / 39.0));
  for (auto _ : state) benchmark::DoNotOptimize(beam.backbone(forces));
}
BENCHMARK(BM_BackboneOf40Forces)->Unit(benchmark::kMillisecond);

void BM_SixNaturalFrequencies(benchmark::State& state) {
  const StuckBeam beam(rig());
  for (auto _ : state) benchmark::DoNotOptimize(beam.natural_frequencies_hz(6));
}
BENCHMARK(BM_SixNaturalFrequencies)->Unit(benchmark::kMillisecond);

void BM_MarchedCycleOf200Steps(benchmark::State& state) {
  const Model m = rig();
  const FiniteElementBeam beam(m, preload_pressure(m));
  for (auto _ : state) benchmark::DoNotOptimize(beam.march(100, 200));
}
BENCHMARK(BM_MarchedCycleOf200Steps)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
