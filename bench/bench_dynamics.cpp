// Simulation: the paper's oscillator, a set of modes at many sensors, a structure with joints; the slider model beside.
#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>

#include <microslip/dynamics/averaging.hpp>
#include <microslip/dynamics/jointed_structure.hpp>
#include <microslip/dynamics/oscillator.hpp>
#include <microslip/joints/iwan_sliders.hpp>

namespace {

using namespace microslip;

const Iwan4<double> iwan{4e4, 2.5e5, -0.5, 1.0};
const double mass = 98.85, damping = 2e-4 * std::sqrt(3.9e5 * mass);
const Load pulse(HalfSine{1e4, 0.02});

JointedMode paper_mode() { return {mass, damping, 1.4e5, AnyLaw(iwan)}; }

TimePlan paper_plan() {
  return plan_time(40, {.steps_per_period = 200, .step = {}}, 2 * std::numbers::pi / paper_mode().low_amplitude_omega(),
                   pulse);
}

/// The stepping alone, for any law: 40 s at 200 steps per period.
template <class Law>
double step_through(const Law& law) {
  Oscillator<Law> oscillator(mass, damping, 1.4e5, law, {});
  oscillator.start(0, 0, 0);
  const TimePlan plan = paper_plan();
  const NewmarkStep step(plan.step(), 0);
  double largest = 0;
  for (std::int64_t i = 1; i <= plan.n_steps; ++i) {
    oscillator.advance(step, pulse(plan.time(i)));
    if (i > plan.n_steps - 200) largest = std::max(largest, std::abs(oscillator.displacement()));
  }
  return largest;
}

void BM_NewmarkExactIwan(benchmark::State& state) {
  double amplitude = 0;
  for (auto _ : state) benchmark::DoNotOptimize(amplitude = step_through(iwan));
  state.counters["final_amplitude"] = amplitude;
}
BENCHMARK(BM_NewmarkExactIwan)->Unit(benchmark::kMillisecond);

/// A plain loop as codes have it: the same method, forces by one pass over the sliders.
struct PlainSliders {
  using Scalar = double;
  using State = IwanSliders::State;
  IwanSliders sliders;

  [[nodiscard]] Response<double> evaluate(const State& s, double u) const {
    double force = 0, tangent = 0;
    for (std::size_t m = 0; m < sliders.strength.size(); ++m) {
      const double phi = sliders.strength[m], x_0 = s.x[m];
      const double x_1 = std::min(std::max(x_0, u - phi), u + phi);
      force += sliders.stiffness[m] * (u - x_1);
      tangent += x_1 != x_0 ? 0.0 : sliders.stiffness[m];
    }
    return {force, tangent, 0};
  }
  Response<double> advance(State& s, double u) const { return sliders.advance(s, u); }
};
double stored_energy(const PlainSliders& /*law*/, const PlainSliders::State& /*s*/, double /*u*/) { return 0; }

void BM_Newmark100Sliders(benchmark::State& state) {
  const double ratio = state.range(0) == 0 ? 1.0 : 1.1;
  const PlainSliders law{discretise(iwan, 100, ratio)};
  double amplitude = 0;
  for (auto _ : state) benchmark::DoNotOptimize(amplitude = step_through(law));
  state.counters["final_amplitude"] = amplitude;
}
BENCHMARK(BM_Newmark100Sliders)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_NewmarkWithEveryResult(benchmark::State& state) {
  const TimePlan plan = paper_plan();
  for (auto _ : state) benchmark::DoNotOptimize(run_mode(paper_mode(), pulse, 1, {}, plan, {}, {}));
}
BENCHMARK(BM_NewmarkWithEveryResult)->Unit(benchmark::kMillisecond);

/// Amplitude and phase over 40 s, from the pulse on, as functions of time.
void BM_AveragingAmplitudeAndPhase(benchmark::State& state) {
  for (auto _ : state) {
    const AmplitudeLaw law(paper_mode(), Properties::exact);
    const ForcedAveraging forced(law, pulse, 1, 0, 0.02, 0, 0);
    const FreeDecay decay(law, 0.02, 40, amplitude_and_phase(law, forced.end().displacement, forced.end().velocity));
    benchmark::DoNotOptimize(decay.amplitude_and_phase_at(40));
    state.counters["steps"] = static_cast<double>(decay.n_steps() + forced.n_steps());
  }
}
BENCHMARK(BM_AveragingAmplitudeAndPhase)->Unit(benchmark::kMicrosecond);

/// And read off at all 79 976 times.
void BM_AveragingAtEveryStep(benchmark::State& state) {
  const TimePlan plan = paper_plan();
  const AmplitudeLaw law(paper_mode(), Properties::exact);
  std::vector<AmplitudePhase> at(static_cast<std::size_t>(plan.n_steps) + 1);
  for (auto _ : state) {
    const FreeDecay decay(law, 0, 40, {0.02, 0});
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = decay.amplitude_and_phase_at(plan.time(static_cast<std::int64_t>(i)));
    benchmark::DoNotOptimize(at.data());
  }
}
BENCHMARK(BM_AveragingAtEveryStep)->Unit(benchmark::kMicrosecond);

void BM_Hybrid(benchmark::State& state) {
  const TimePlan plan = paper_plan();
  SimulationOptions options;
  options.method = Method::hybrid;
  for (auto _ : state) benchmark::DoNotOptimize(run_mode(paper_mode(), pulse, 1, {}, plan, {}, options));
}
BENCHMARK(BM_Hybrid)->Unit(benchmark::kMillisecond);

/// Three modes of [Deaner2015, Table 6] at 1.13 N m, 70 sensors, 79 976 outputs of displacement and velocity.
void BM_ThreeModesSeventySensors(benchmark::State& state) {
  const auto mode = [](double fs, double kt, double k, double chi, double beta, double c, int number) {
    Eigen::VectorXd shape(70);
    for (int i = 0; i < 70; ++i) shape(i) = std::cos(number * std::numbers::pi * i / 69);
    return Mode{
        .mass = 1,
        .linear_stiffness = k,
        .damping = c,
        .joint = JointSpec{"iwan4", {{"slip_force", fs}, {"stiffness", kt}, {"chi", chi}, {"beta", beta}}, false},
        .shape = shape,
        .load_shape = 1};
  };
  ModalModel model{
      {mode(0.562, 1.16e5, 5.03e5, -0.0237, 0.0237, 1.89, 1), mode(1.10, 1.61e5, 1.80e6, -0.195, 0.000458, 5.62, 2),
       mode(6.77, 1.45e6, 7.15e6, -0.112, 1.46, 11.8, 3)},
      {}};
  for (int i = 0; i < 70; ++i) model.sensors.push_back({"point " + std::to_string(i), Eigen::VectorXd::Unit(70, i)});
  const TimePlan plan{0.857, 79975};
  const Excitation hit{Load(HalfSine{5, 2e-3}), false};
  for (auto _ : state) benchmark::DoNotOptimize(simulate(model, hit, {}, plan, {}, {}));
}
BENCHMARK(BM_ThreeModesSeventySensors)->Unit(benchmark::kMillisecond);

/// 43 coordinates and 15 joint directions: five patches, two directions of friction and a normal contact each.
void BM_StructureStep(benchmark::State& state) {
  const Eigen::Index n = 43;
  JointedStructure structure;
  std::srand(1);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n);
  structure.system.mass = Eigen::MatrixXd::Identity(n, n);
  structure.system.stiffness = 1e5 * (A * A.transpose());
  structure.system.damping = 1e-5 * structure.system.stiffness;
  structure.map = Eigen::MatrixXd::Zero(15, n);
  structure.map.leftCols(15).setIdentity();
  structure.contacts = {
      {.law = iwan, .normal_stiffness = 1e6, .contact = Contact::penalty, .first_rows = {0, 3, 6, 9, 12}}};
  const double period = 1 / low_amplitude_frequencies_hz(structure).back();
  StructureStepper stepper(structure, period / 20, {});
  const Eigen::VectorXd force = Eigen::VectorXd::Constant(n, 1e4);
  stepper.start({}, {}, Eigen::VectorXd::Zero(n));
  int i = 0;
  Eigen::VectorXd now(n);
  for (auto _ : state) {
    now = std::sin(0.01 * ++i) * force;
    if (!stepper.advance(now)) state.SkipWithError("no convergence");
  }
  state.counters["newton"] = static_cast<double>(stepper.n_iterations()) / i;
}
BENCHMARK(BM_StructureStep)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
