// Makes data/brb/truth-1.csv, truth-2.csv, truth-3.csv and truth-1-levelled.csv: synthetic backbones of the bundled
// Brake-Reuss beam that stand in for the measurements of Porter et al., which are not public.
//
// The truth is outside of every combination that the study fits: the full-joint model with a four-parameter Iwan law at
// each quadrature point whose strength varies over the interface (strong under the bolts, weak at the ends, wavy in
// between), and viscous damping of its own in each mode. Bands are as wide as Table 2 of the paper says.
//
//   brb_truth data/brb/brb-full-joint.h5 data/brb

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/modal/rqnma.hpp>
#include <microslip/study/errors.hpp>

namespace {

using namespace microslip;

constexpr double preload = 12845;  // N per bolt
constexpr double pitch = 30.35e-3, half_width = 11e-3;

/// Strength of friction at a place, relative to the nominal.
double strength(double x, double y) {
  double s = 0.12;
  for (double bolt : {-pitch, 0.0, pitch}) s += 1.1 * std::exp(-std::pow((x - bolt) / half_width, 2) / 2);
  return s * (1 + 0.3 * std::sin(2 * std::numbers::pi * x / 17e-3 + 1) * std::cos(2 * std::numbers::pi * y / 21e-3));
}

/// The interface with strengths that vary: relative displacements at a point are stretched by c and its area is divided
/// by c^2, which leaves its stiffness as it is and divides its slip force by c.
Interface varied(Interface interface) {
  const Eigen::RowVector2d centre = interface.picture.points.colwise().mean();
  for (Eigen::Index i = 0; i < interface.n_points(); ++i) {
    const Eigen::RowVector2d at = interface.picture.points.row(i) - centre;
    const double c = 1 / strength(at[0], at[1]);
    interface.map.middleRows(3 * i, 3) *= c;
    interface.areas[i] /= c * c;
  }
  return interface;
}

struct Case {
  std::string name;  // of the file, without its ending
  int mode;
  double lowest, highest;      // amplitudes [sqrt(kg) m]
  double viscous;              // damping ratio
  double frequency, damping;   // variability, upper bounds [Porter2022, Table 2]
  double post_slip_stiffness;  // per area [N/m^3]
  bool also_short;             // three rows of it in a file of their own
};

/// Half-width of the damping band, the same at every amplitude, that has the wanted error [Eq. 41].
double damping_band(const study::Measured& measured, double wanted) {
  double lower = 0, upper = 1;
  for (int i = 0; i < 200; ++i) {
    const double middle = (lower + upper) / 2;
    study::Computed moved{.frequency_hz = measured.backbone.frequency_hz,
                          .damping_ratio = measured.backbone.damping_ratio};
    for (double& z : moved.damping_ratio) z += middle;
    (study::compare(moved, measured).errors()[1] < wanted ? lower : upper) = middle;
  }
  return lower;
}

/// As many digits as a measurement of this kind would have.
double rounded(double x) { return std::stod(fmt::format("{:.7g}", x)); }

io::Table truth(const JointedSystem& system, const Case& c) {
  NamedValues values{{"slip_force", 4.0e5}, {"stiffness", 5.0e11}, {"chi", -0.35}, {"beta", 0.3}};
  if (c.post_slip_stiffness > 0) values.emplace_back("post_slip_stiffness", c.post_slip_stiffness);
  const Joint joint{
      .law = make_law("iwan4", values), .normal_stiffness = 1e13, .tangential = Tangential::separate, .per_area = true};
  RqnmaOptions options;
  options.framework = Framework::masing;
  options.prestress.preload = preload;
  options.prestress.law = PrestressLaw::conservative;
  options.damping_ratio = c.viscous;
  options.shapes = false;
  constexpr int n = 20;
  std::vector<double> amplitudes;
  for (int i = 0; i < n; ++i) amplitudes.push_back(rounded(c.lowest * std::pow(c.highest / c.lowest, i / (n - 1.0))));
  const Rqnma result = rqnma(system, joint, c.mode, amplitudes, options);
  study::Measured measured;
  measured.mode = c.mode;
  for (const BackbonePoint& p : result.points) {
    if (!p.converged) throw NotConverged(fmt::format("{}: no solution at amplitude {}", c.name, p.amplitude));
    measured.backbone.amplitude.push_back(p.amplitude);
    measured.backbone.frequency_hz.push_back(rounded(p.frequency_hz));
    measured.backbone.damping_ratio.push_back(rounded(p.damping_ratio));
  }
  const Backbone& b = measured.backbone;
  std::vector<double> frequency_band;
  for (double f : b.frequency_hz) frequency_band.push_back(rounded(c.frequency * f));
  io::Table table;
  table.header = {"amplitude", "frequency_hz", "damping_ratio", "frequency_band", "damping_band"};
  table.columns = {b.amplitude, b.frequency_hz, b.damping_ratio, frequency_band,
                   std::vector<double>(n, rounded(damping_band(measured, c.damping)))};
  for (int i = 0; i < n; ++i) table.line_numbers.push_back(i + 2);
  fmt::print("{}: mode {}, {:.2f} to {:.2f} Hz, damping {:.3g} to {:.3g}\n", c.name, c.mode, b.frequency_hz.front(),
             b.frequency_hz.back(), b.damping_ratio.front(), b.damping_ratio.back());
  return table;
}

/// First, middle and last row, for a first look at slow models.
io::Table three_rows(const io::Table& whole) {
  const std::size_t n = whole.n_rows();
  io::Table few;
  few.header = whole.header;
  few.line_numbers = {2, 3, 4};
  for (const std::vector<double>& column : whole.columns)
    few.columns.push_back({column[0], column[n / 2], column[n - 1]});
  return few;
}

void write(const std::filesystem::path& path, const std::string& remark, const io::Table& table) {
  io::write_file(
      path,
      "# Synthetic: made by examples/brb_truth.cpp, not measured. Amplitude in modal coordinates, sqrt(kg) m; "
      "bands are half-widths.\n" +
          remark + io::to_csv(table));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: brb_truth brb-full-joint.h5 FOLDER\n", stderr);
    return 2;
  }
  const ReducedModel model = reduced_model(io::read_hdf5(argv[1]).archive, argv[1]);
  const JointedSystem system(model.system, varied(model.interface), argv[1]);
  const Case cases[] = {{"truth-1", 1, 3e-7, 6e-5, 8e-4, 3.55e-3, 1.29e-1, 0, true},
                        {"truth-2", 3, 1e-7, 1.2e-5, 6e-4, 6.62e-4, 5.34e-2, 0, true},
                        {"truth-3", 6, 3e-8, 3e-6, 5e-4, 3.36e-4, 1.89e-2, 0, false},
                        {"truth-1-levelled", 1, 3e-7, 6e-4, 8e-4, 3.55e-3, 1.29e-1, 2e11, false}};
  const std::filesystem::path folder = argv[2];
  for (const Case& c : cases) {
    const io::Table table = truth(system, c);
    write(folder / (c.name + ".csv"), "", table);
    if (c.also_short)
      write(folder / (c.name + "-short.csv"),
            fmt::format("# Three rows of {}.csv, for a first look at slow models.\n", c.name), three_rows(table));
  }
  return 0;
}
