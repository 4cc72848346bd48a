// How cost grows with steps, coordinates, patches, channels, samples and members, everything else being equal.
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>

#include <benchmark/benchmark.h>

#include <microslip/dynamics/jointed_structure.hpp>
#include <microslip/dynamics/oscillator.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/study/joint_forward.hpp>
#include <microslip/study/study.hpp>

#include "beam_record.hpp"

namespace {

using namespace microslip;

const Iwan4<double> iwan{4e4, 2.5e5, -0.5, 1.0};

/// The oscillator of [Shetty2019] under a half-sine of 10 kN, 200 steps per period.
void BM_Steps(benchmark::State& state) {
  const double mass = 98.85, omega = std::sqrt(3.9e5 / mass), step = 2 * std::numbers::pi / (200 * omega);
  const Load pulse(HalfSine{1e4, 0.02});
  for (auto _ : state) {
    Oscillator<Iwan4<double>> oscillator(mass, 2e-4 * omega * mass, 1.4e5, iwan, {});
    oscillator.start(0, 0, 0);
    const NewmarkStep newmark(step, 0);
    for (std::int64_t i = 1; i <= state.range(0); ++i)
      oscillator.advance(newmark, pulse(step * static_cast<double>(i)));
    benchmark::DoNotOptimize(oscillator.displacement());
  }
}
BENCHMARK(BM_Steps)->RangeMultiplier(10)->Range(1000, 10000000)->Unit(benchmark::kMillisecond);

/// One step of a structure of n coordinates with patches of two directions of friction and a normal contact each.
/// Contact stays closed: a step that has to be halved where it opens would factorise anew.
void structure_step(benchmark::State& state, Eigen::Index n, Eigen::Index patches) {
  JointedStructure structure;
  std::srand(1);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n) / std::sqrt(static_cast<double>(n));
  structure.system.mass = Eigen::MatrixXd::Identity(n, n);
  structure.system.stiffness = 1e6 * (Eigen::MatrixXd::Identity(n, n) + A * A.transpose());
  structure.system.damping = 1e-5 * structure.system.stiffness;
  structure.map = Eigen::MatrixXd::Zero(3 * patches, n);
  structure.map.leftCols(3 * patches).setIdentity();
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < patches; ++i) rows.push_back(3 * i);
  structure.contacts = {{.law = iwan, .normal_stiffness = 1e6, .contact = Contact::spring, .first_rows = rows}};
  StructureStepper stepper(structure, 1 / (20 * low_amplitude_frequencies_hz(structure).back()), {});
  const Eigen::VectorXd force = Eigen::VectorXd::Constant(n, 1e4);
  stepper.start({}, {}, Eigen::VectorXd::Zero(n));
  int i = 0;
  Eigen::VectorXd now(n);
  const auto step = [&] {
    now = std::sin(0.01 * ++i) * force;
    if (!stepper.advance(now)) state.SkipWithError("no convergence");
  };
  step();  // the first one factorises the structure's matrix
  for (auto _ : state) step();
  state.counters["newton"] = static_cast<double>(stepper.n_iterations()) / i;
}
void BM_Coordinates(benchmark::State& state) { structure_step(state, state.range(0), 5); }
BENCHMARK(BM_Coordinates)->Arg(15)->Arg(43)->Arg(100)->Arg(200)->Arg(400)->Arg(800)->Unit(benchmark::kMicrosecond);
void BM_JointPatches(benchmark::State& state) { structure_step(state, 400, state.range(0)); }
BENCHMARK(BM_JointPatches)->Arg(1)->Arg(5)->Arg(20)->Arg(50)->Arg(100)->Unit(benchmark::kMicrosecond);

void ringdown(benchmark::State& state, std::size_t n_channels, std::size_t n_samples) {
  const Record record = beam_record(n_channels, n_samples);
  const signal::RingdownOptions options = beam_options(n_channels);
  for (auto _ : state) benchmark::DoNotOptimize(signal::measure_backbone(record, options));
}
void BM_Channels(benchmark::State& state) { ringdown(state, static_cast<std::size_t>(state.range(0)), 131072); }
BENCHMARK(BM_Channels)->Arg(1)->Arg(5)->Arg(20)->Arg(70)->Arg(200)->Unit(benchmark::kMillisecond);
void BM_Samples(benchmark::State& state) { ringdown(state, 5, static_cast<std::size_t>(state.range(0))); }
BENCHMARK(BM_Samples)->RangeMultiplier(2)->Range(1 << 15, 1 << 20)->Unit(benchmark::kMillisecond);

/// NSGA-II on the four-parameter Iwan law, ten generations, mode 1 of the bundled truth, one thread.
void BM_Members(benchmark::State& state) {
  using namespace microslip::study;
  const char* file = "data/brb/brb-whole-joint.h5";
  const auto system = std::make_shared<const JointedSystem>(reduced_model(io::read_hdf5(file).archive, file));
  const io::Table table = io::read_csv("data/brb/truth-1.csv");
  Measured measured;
  measured.backbone.amplitude = table.column("amplitude");
  measured.backbone.frequency_hz = table.column("frequency_hz");
  measured.backbone.damping_ratio = table.column("damping_ratio");
  const Combination combination = combination_named("iwan4-wj-masing");
  Study study;
  study.measured = {checked(measured, "truth-1")};
  study.fit = {0};
  Entry entry;
  entry.name = "iwan4";
  entry.spans = search_spans(combination);
  entry.start = search_point(combination, 0.5);
  entry.forward = std::make_shared<JointForward>(
      system, combination, 12845,
      std::vector<JointForward::Mode>{{1, measured.backbone.amplitude, measured.backbone.damping_ratio.front()}});
  study.entries = {entry};
  study.budget.members = static_cast<int>(state.range(0));
  study.budget.generations = study.budget.last_generations = 10;
  for (auto _ : state) {
    Crew crew(study_work(study), 1, nullptr);
    benchmark::DoNotOptimize(run_study(study, crew));
  }
}
BENCHMARK(BM_Members)
    ->Arg(20)
    ->Arg(40)
    ->Arg(100)
    ->Arg(200)
    ->Arg(400)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
