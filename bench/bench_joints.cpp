// Force, tangent and loss along a random history, per law, and the four-parameter Iwan law against its sliders.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include <microslip/joints/any_law.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>
#include <microslip/joints/iwan_sliders.hpp>

namespace microslip {
namespace {

constexpr double slip_force = 1000;  // N
constexpr double slip = 1e-4;        // m, so that the stiffness is 1e7 N/m
constexpr double stiffness = slip_force / slip;
constexpr double reach = 3 * slip;  // well into macro-slip

/// Every law with the same stiffness and about the same slip force.
template <class Law>
Law example();
template <>
Iwan4<double> example() {
  return {.slip_force = slip_force, .stiffness = stiffness, .chi = -0.5, .beta = 1};
}
template <>
Iwan5<double> example() {
  return {.slip_force = slip_force, .stiffness = stiffness, .chi = -0.5, .beta = 1, .theta = 0.8};
}
template <>
BoucWen<double> example() {
  const double n = 1.5, eta = stiffness / std::pow(slip_force, n);
  return {.stiffness = stiffness, .n = n, .alpha = 1.5 * eta, .beta = 0.5 * eta};
}
template <>
BoucWen1<double> example() {
  return {.stiffness = stiffness, .alpha = 1.5 / slip, .beta = 0.5 / slip};
}
template <>
BoucWen2<double> example() {
  return {.stiffness = stiffness, .alpha = 1.5 / (slip * slip_force), .beta = 0.5 / (slip * slip_force)};
}
template <>
Valanis<double> example() {
  return {.stiffness = stiffness, .lambda = 1 / slip, .kappa = 0.5, .post_slip_stiffness = 0.1 * stiffness};
}
template <>
Jenkins<double> example() {
  return {.stiffness = stiffness, .slip_force = slip_force};
}
template <>
Prager<double> example() {
  return {.slip_force = slip_force, .post_slip_stiffness = 0.1 * stiffness};
}
template <>
JenkinsPrager<double> example() {
  return {.stiffness = stiffness, .slip_force = slip_force, .post_slip_stiffness = 0.1 * stiffness};
}
template <>
ElasticDryFriction<double> example() {
  return {.friction_coefficient = 0.5, .stiffness = stiffness, .normal_force = 2 * slip_force};
}

/// Independent displacements: two steps in three are reversals, the hardest history for memory and for branches.
std::vector<double> random_history(std::size_t count) {
  std::mt19937 engine(20260101);
  std::uniform_real_distribution<double> random_u(-reach, reach);
  std::vector<double> u(count);
  for (double& x : u) x = random_u(engine);
  return u;
}

/// Times respond(u), a step or a trial, over the whole history; restart() comes before each round.
template <class Restart, class Respond>
void follow(benchmark::State& state, const std::vector<double>& history, Restart&& restart, Respond&& respond) {
  for (auto _ : state) {
    restart();
    double force = 0, tangent = 0, dissipated = 0;
    for (const double u : history) {
      const Response<double> r = respond(u);
      force += r.force;
      tangent += r.tangent;
      dissipated += r.dissipated;
    }
    benchmark::DoNotOptimize(force);
    benchmark::DoNotOptimize(tangent);
    benchmark::DoNotOptimize(dissipated);
  }
  const auto evaluations = static_cast<double>(state.iterations()) * static_cast<double>(history.size());
  state.counters["per_evaluation"] =
      benchmark::Counter(evaluations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
template <class Law>
void follow_advance(benchmark::State& state, const Law& law, const std::vector<double>& history) {
  typename Law::State s{};
  follow(
      state, history, [&] { s = {}; }, [&](double u) { return law.advance(s, u); });
}

/// An accepted step: force, tangent and loss, and the memory moves on.
template <class Law>
void BM_Advance(benchmark::State& state) {
  follow_advance(state, example<Law>(), random_history(1 << 14));
}
BENCHMARK(BM_Advance<Iwan4<double>>);
BENCHMARK(BM_Advance<Iwan5<double>>);
BENCHMARK(BM_Advance<BoucWen<double>>);
BENCHMARK(BM_Advance<BoucWen1<double>>);
BENCHMARK(BM_Advance<BoucWen2<double>>);
BENCHMARK(BM_Advance<Valanis<double>>);
BENCHMARK(BM_Advance<Jenkins<double>>);
BENCHMARK(BM_Advance<Prager<double>>);
BENCHMARK(BM_Advance<JenkinsPrager<double>>);
BENCHMARK(BM_Advance<ElasticDryFriction<double>>);

/// A trial from a state with memory, as in a Newton iteration.
template <class Law>
void BM_Evaluate(benchmark::State& state) {
  const Law law = example<Law>();
  const std::vector<double> history = random_history(1 << 14);
  typename Law::State s{};
  for (std::size_t i = 0; i < 16; ++i) law.advance(s, history[i]);
  follow(
      state, history, [] {}, [&](double u) { return law.evaluate(s, u); });
}
BENCHMARK(BM_Evaluate<Iwan4<double>>);
BENCHMARK(BM_Evaluate<Iwan5<double>>);
BENCHMARK(BM_Evaluate<BoucWen<double>>);
BENCHMARK(BM_Evaluate<BoucWen1<double>>);
BENCHMARK(BM_Evaluate<BoucWen2<double>>);
BENCHMARK(BM_Evaluate<Valanis<double>>);
BENCHMARK(BM_Evaluate<Jenkins<double>>);
BENCHMARK(BM_Evaluate<Prager<double>>);
BENCHMARK(BM_Evaluate<JenkinsPrager<double>>);
BENCHMARK(BM_Evaluate<ElasticDryFriction<double>>);

/// Largest difference between sliders and the exact force on a random history, over the slip force.
double slider_error(int count) {
  const auto law = example<Iwan4<double>>();
  const IwanSliders sliders = discretise(law, count, 1.0);
  Iwan4<double>::State exact{};
  IwanSliders::State discrete{};
  double worst = 0;
  for (const double u : random_history(20000))
    worst = std::max(worst, std::abs(law.advance(exact, u).force - sliders.advance(discrete, u).force));
  return worst / slip_force;
}

/// The fewest sliders (to one part in sixteen) of a uniform mesh whose error stays below 1e-6 of the slip force.
int sliders_for_a_millionth() {
  static const int count = [] {
    int enough = 64;
    while (slider_error(enough) > 1e-6) enough *= 2;
    for (int step = enough / 4; step >= enough / 32; step /= 2)
      if (slider_error(enough - step) <= 1e-6) enough -= step;
    return enough;
  }();
  return count;
}

void BM_Sliders(benchmark::State& state) {
  const int count = state.range(0) > 0 ? static_cast<int>(state.range(0)) : sliders_for_a_millionth();
  follow_advance(state, discretise(example<Iwan4<double>>(), count, 1.0), random_history(1 << 8));
  state.counters["sliders"] = count;
  state.counters["error"] = slider_error(count);
}
BENCHMARK(BM_Sliders)->Arg(100)->Arg(0)->ArgName("count");  // 0: as many as 1e-6 of
                                                            // the slip force takes

}  // namespace
}  // namespace microslip

BENCHMARK_MAIN();
