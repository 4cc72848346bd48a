// Backbones of the bundled Brake-Reuss beam, 20 amplitudes, one core: build/release/bin/bench_modal, run in the
// repository's folder. Every run sets the joint's parameters anew, as a fit does; the structure is set up once.
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include <microslip/io/hdf5.hpp>
#include <microslip/modal/combination_setup.hpp>

namespace {

using namespace microslip;

const JointedSystem& beam(bool full_joint, Contact contact) {
  static std::map<std::pair<bool, Contact>, JointedSystem> systems;
  const auto found = systems.find({full_joint, contact});
  if (found != systems.end()) return found->second;
  const std::string path = full_joint ? "data/brb/brb-full-joint.h5" : "data/brb/brb-whole-joint.h5";
  ReducedModel model = reduced_model(io::read_hdf5(path).archive, path);
  model.interface.contact = contact;
  return systems.emplace(std::pair{full_joint, contact}, JointedSystem(model)).first->second;
}

void BM_Backbone(benchmark::State& state, const std::string& name, bool sensitivities) {
  const Combination& combination = combination_named(name);
  if (combination.full_joint && !std::filesystem::exists("data/brb/brb-full-joint.h5")) {
    state.SkipWithError("data/brb/brb-full-joint.h5 is not here");
    return;
  }
  const JointedSystem& system = beam(combination.full_joint, combination.contact);
  std::vector<double> amplitudes;
  for (int i = 0; i < 20; ++i) amplitudes.push_back(std::pow(10, -7 + 2.8 * i / 19));
  RqnmaOptions options = rqnma_options(combination, 12845);
  options.sensitivities = sensitivities;
  int iterations = 0, failed = 0, loops = 0;
  for (auto _ : state) {
    const Joint joint = joint_at(combination, search_point(combination, 0.5));
    const Rqnma result = rqnma(system, joint, 1, amplitudes, options);
    iterations = failed = loops = 0;
    for (const BackbonePoint& point : result.points) {
      iterations += point.iterations;
      loops += point.loops;
      if (!point.converged) ++failed;
    }
    benchmark::DoNotOptimize(result);
  }
  state.counters["iterations"] = iterations;
  state.counters["loops"] = loops;
  state.counters["failed"] = failed;
}

}  // namespace

int main(int argc, char** argv) {
  for (const Combination& combination : combinations())
    benchmark::RegisterBenchmark(combination.name.c_str(), [&combination](benchmark::State& s) {
      BM_Backbone(s, combination.name, false);
    })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("4-Parameter Iwan (WJ, Masing), with sensitivities", [](benchmark::State& s) {
    BM_Backbone(s, "4-Parameter Iwan (WJ, Masing)", true);
  })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
