// Backbones of the bundled Brake-Reuss beam for each of the 26 combinations of Porter et al. (2022), parameters in the
// middle of their ranges: the largest residual, what is left of the loops, failed points and processor time.
//   build/release/bin/every_combination [PART OF A KEY] [--modal] [--points] [--plain ROUNDS]
// --modal takes dissipation from the modal loop, --points prints every amplitude, and --plain compares every loop with
// the one that plain repetition of that many rounds leads to.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/modal/combination_setup.hpp>
#include <microslip/structure/reduced_model.hpp>

namespace {

using namespace microslip;

struct Request {
  std::string part;
  bool modal = false, points = false;
  int plain = 0;
};

Request request_of(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--modal")
      request.modal = true;
    else if (word == "--points")
      request.points = true;
    else if (word == "--plain" && i + 1 < argc)
      request.plain = std::stoi(argv[++i]);
    else if (word.starts_with("--"))
      throw InvalidInput(fmt::format("unknown option {}", word));
    else
      request.part = word;
  }
  return request;
}

JointedSystem beam(bool full_joint, Contact contact) {
  const std::filesystem::path path = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data/brb" /
                                     (full_joint ? "brb-full-joint.h5" : "brb-whole-joint.h5");
  ReducedModel model = reduced_model(io::read_hdf5(path).archive, path.string());
  model.interface.contact = contact;
  return JointedSystem(model);
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void print_points(const Rqnma& result, const std::optional<Rqnma>& plain) {
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const BackbonePoint& p = result.points[i];
    fmt::print("  {:.4e} {:.10g} Hz {:.9e} {:3} loops {:4} iterations, residual {:.1e}, gap {:.1e} {}\n", p.amplitude,
               p.frequency_hz, p.damping_ratio, p.loops, p.iterations, p.residual, p.loop_gap, p.flag);
    if (!plain) continue;
    const BackbonePoint& other = plain->points[i];
    fmt::print("             {:.10g} Hz {:.9e} {:3} loops plainly, gap {:.1e}\n", other.frequency_hz,
               other.damping_ratio, other.loops, other.loop_gap);
  }
}

void run(const Combination& combination, const Request& request) {
  const JointedSystem system = beam(combination.full_joint, combination.contact);
  const Joint joint = joint_at(combination, search_point(combination, 0.5));
  std::vector<double> amplitudes;
  for (int i = 0; i < 20; ++i) amplitudes.push_back(std::pow(10, -7 + 2.8 * i / 19));
  RqnmaOptions options = rqnma_options(combination, 12845);
  if (request.modal) {
    options.dissipation = Dissipation::modal;
    options.quadrature_points = combination.quadrature_points > 0 ? combination.quadrature_points : 21;
  }
  const double start = processor_seconds();
  const Rqnma result = rqnma(system, joint, 1, amplitudes, options);
  const double seconds = processor_seconds() - start;
  std::optional<Rqnma> plain;
  if (request.plain > 0 && !combination.masing) {
    RqnmaOptions repeated = options;
    repeated.accelerate = false;
    repeated.max_loops = request.plain;
    repeated.loop_tolerance = 1e-13;
    plain = rqnma(system, joint, 1, amplitudes, repeated);
  }
  double residual = 0, gap = 0, frequency = 0, damping = 0;
  int failed = 0, loops = 0;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const BackbonePoint& p = result.points[i];
    loops += p.loops;
    if (!p.converged) {
      ++failed;
      continue;
    }
    residual = std::max(residual, p.residual);
    gap = std::max(gap, p.loop_gap);
    if (!plain) continue;
    frequency = std::max(frequency, std::abs(plain->points[i].frequency_hz / p.frequency_hz - 1));
    damping = std::max(damping, std::abs(plain->points[i].damping_ratio - p.damping_ratio));
  }
  fmt::print("{:38} residual {:.1e}, gap {:.1e}, {:4} loops, {} failed, {:.4g} s", combination.key, residual, gap,
             loops, failed, seconds);
  if (plain) fmt::print("; off plain repetition: frequency {:.1e}, damping ratio {:.1e}", frequency, damping);
  fmt::print("\n");
  if (request.points) print_points(result, plain);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Request request = request_of(argc, argv);
    for (const Combination& combination : combinations())
      if (combination.key.find(request.part) != std::string::npos) run(combination, request);
    return 0;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("every_combination: {}\n", error.what()).c_str(), stderr);
    return 1;
  }
}
