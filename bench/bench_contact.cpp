// Force, tangent and loss of one interface point, per evaluation.
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include <microslip/joints/elastic_dry_friction_2d.hpp>
#include <microslip/joints/jenkins_2d.hpp>
#include <microslip/joints/jenkins_prager_2d.hpp>
#include <microslip/joints/patch_contact.hpp>

namespace microslip {
namespace {

constexpr double kt = 4e12, kn = 6e12, ts = 2e6, mu = 0.4, kp = 3e11;

/// A random walk with steps of about `step` elastic lengths: small ones mostly stick, large ones mostly slip.
std::vector<ContactMotion<double>> walk(double step) {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal(0, 1);
  std::vector<ContactMotion<double>> path(4096);
  ContactMotion<double> u{0, 0, ts / (mu * kn)};
  for (auto& at : path) {
    u.x += step * ts / kt * normal(rng);
    u.y += step * ts / kt * normal(rng);
    u.n = ts / (mu * kn) * (1 + 0.3 * std::tanh(normal(rng)));
    at = u;
  }
  return path;
}

template <class Law>
void advance_along(benchmark::State& state, const Law& law) {
  const auto path = walk(static_cast<double>(state.range(0)) / 100);
  for (auto _ : state) {
    typename Law::State s;
    for (const auto& u : path) {
      const auto r = law.advance(s, u);
      benchmark::DoNotOptimize(r);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(path.size()));
}

void BM_Jenkins2d(benchmark::State& state) {
  advance_along(state, Jenkins2d<double>{.stiffness = kt, .slip_force = ts, .normal = {kn}});
}
void BM_JenkinsPrager2dPenalty(benchmark::State& state) {
  advance_along(state, JenkinsPrager2d<double, NormalPenalty>{
                           .stiffness = kt, .slip_force = ts, .post_slip_stiffness = kp, .normal = {kn}});
}
void BM_ElasticDryFriction2d(benchmark::State& state) {
  advance_along(state,
                ElasticDryFriction2d<double>{.friction_coefficient = mu, .stiffness = kt, .normal_stiffness = kn});
}
void BM_ElasticDryFrictionPatch(benchmark::State& state) {
  advance_along(state, PatchContact<ElasticDryFriction<double>, NormalPenalty>{
                           .tangential = {.friction_coefficient = mu, .stiffness = kt}, .normal = {kn}});
}
// hundredths of an elastic length per step
BENCHMARK(BM_Jenkins2d)->Arg(5)->Arg(300);
BENCHMARK(BM_JenkinsPrager2dPenalty)->Arg(5)->Arg(300);
BENCHMARK(BM_ElasticDryFriction2d)->Arg(5)->Arg(300);
BENCHMARK(BM_ElasticDryFrictionPatch)->Arg(5)->Arg(300);

}  // namespace
}  // namespace microslip

BENCHMARK_MAIN();
