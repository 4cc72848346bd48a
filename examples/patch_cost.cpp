// What a backbone costs against the number of patches that the joint of the Brake-Reuss beam is cut into: the 480
// points of the full-joint model are gathered into equal groups along the lap, each with the mean relative
// displacement of its points. Writes patch-cost.csv and patch-cost.svg into the folder given.
//   build/release/bin/patch_cost docs/figures
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/modal/combination_setup.hpp>
#include <microslip/report/figure.hpp>
#include <microslip/structure/reduced_model.hpp>

namespace {

using namespace microslip;

/// The points of an interface gathered into n groups, in order along x.
Interface gathered(const Interface& fine, Eigen::Index n) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(fine.n_points()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return fine.picture.points(a, 0) < fine.picture.points(b, 0);
  });
  Interface coarse;
  coarse.contact = fine.contact;
  coarse.areas = Eigen::VectorXd::Zero(n);
  coarse.map = Eigen::MatrixXd::Zero(3 * n, fine.map.cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto group = static_cast<Eigen::Index>(i) * n / fine.n_points();
    coarse.areas(group) += fine.areas(order[i]);
    coarse.map.middleRows(3 * group, 3) += fine.areas(order[i]) * fine.map.middleRows(3 * order[i], 3);
  }
  for (Eigen::Index group = 0; group < n; ++group) coarse.map.middleRows(3 * group, 3) /= coarse.areas(group);
  return coarse;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Processor time of one backbone of 20 amplitudes, the least of a few.
double cost(const JointedSystem& system, const Joint& joint, Framework framework) {
  std::vector<double> amplitudes;
  for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-7 * std::pow(600.0, i / 19.0));
  RqnmaOptions options;
  options.framework = framework;
  options.prestress.preload = 12845;
  options.shapes = false;
  double least = INFINITY;
  const double begin = processor_seconds();
  do {
    const double start = processor_seconds();
    (void)rqnma(system, joint, 1, amplitudes, options);
    least = std::min(least, processor_seconds() - start);
  } while (processor_seconds() - begin < 1);
  return least;
}

Joint joint_of(const char* key) {
  const Combination& combination = combination_named(key);
  return joint_at(combination, search_point(combination, 0.5));
}

void run(const std::filesystem::path& folder) {
  const std::filesystem::path path = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data/brb/brb-full-joint.h5";
  const ReducedModel model = reduced_model(io::read_hdf5(path).archive, path.string());
  report::Figure figure{.id = "patch-cost",
                        .title = "Cost of a backbone of 20 amplitudes",
                        .x = {.title = "patches; 480: all points", .unit = "1", .scale = report::Scale::log},
                        .y = {{.title = "processor time", .unit = "s", .scale = report::Scale::log}}};
  std::string csv = "model,patches,seconds\n";
  for (const auto& [key, name, framework] :
       {std::tuple{"iwan4-wj-masing", "iwan4, masing", Framework::masing},
        std::tuple{"jenkins-wj-reversal", "jenkins, reversal", Framework::reversal}}) {
    report::Trace trace{.name = name, .mark = report::Mark::line_markers};
    for (Eigen::Index n : {1, 2, 5, 10, 20, 40, 480}) {
      const JointedSystem system(model.system, n < 480 ? gathered(model.interface, n) : model.interface, "gathered");
      const double seconds = cost(system, joint_of(key), framework);
      trace.x.push_back(static_cast<double>(n));
      trace.y.push_back(seconds);
      csv += fmt::format("\"{}\",{},{:.4g}\n", name, n, seconds);
      std::fputs(fmt::format("{}: {} patches, {:.4g} s\n", name, n, seconds).c_str(), stderr);
    }
    figure.traces.push_back(std::move(trace));
  }
  io::write_file(folder / "patch-cost.csv", csv);
  io::write_file(folder / "patch-cost.svg", report::figure_svg(figure));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : ".");
    return 0;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("patch_cost: {}\n", error.what()).c_str(), stderr);
    return 1;
  }
}
