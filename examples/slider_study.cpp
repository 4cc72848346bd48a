// How many sliders does Segalman's discretisation need? [Segalman2002, Fig. 19 and conditions 54-57]
// Compares the energy per cycle of N sliders with the closed form, for uniform and geometric meshes, and draws it.
//   build/release/bin/slider_study slider-study.html
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/io/file.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/joints/iwan_sliders.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/report/page.hpp>

namespace {

using namespace microslip;

/// Energy per cycle once the loop is steady, "always on the second cycle".
double traced_dissipation(const IwanSliders& sliders, double amplitude) {
  IwanSliders::State s;
  for (const double u : {amplitude, -amplitude, amplitude}) sliders.advance(s, u);
  return sliders.advance(s, -amplitude).dissipated + sliders.advance(s, amplitude).dissipated;
}

struct Mesh {
  int count;
  double ratio;
};

}  // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "slider-study.html";
  const Iwan4<double> law = from_phi_max(504, 7.586e-4, -0.5751, 10);
  const std::vector<Mesh> meshes{{10, 1.0}, {10, 1.2}, {50, 1.0}, {50, 1.2}, {200, 1.0}, {200, 1.05}};

  report::Page page{.title = "How many sliders?", .subtitle = "AFF leg, four-parameter Iwan model"};
  report::Figure figure{.id = "error", .title = "Dissipation of N sliders against the closed form"};
  figure.x = {.title = "force amplitude over slip force", .unit = "1", .scale = report::Scale::log};
  figure.y = {{.title = "relative error of dissipation", .unit = "1", .scale = report::Scale::log}};
  figure.wide = true;
  report::Table table{.id = "conditions", .title = "Conditions 54-57"};
  table.columns = {{.title = "N"},
                   {.title = "alpha"},
                   {.title = "largest stiffness step over K_T"},
                   {.title = "weakest slider over F_S"},
                   {.title = "worst error, 0.05 to 0.95 F_S"}};
  const Iwan4Shape<double> shape = shape_of(law);
  for (const Mesh& mesh : meshes) {
    const IwanSliders sliders = discretise(law, mesh.count, mesh.ratio);
    report::Trace trace{.name = fmt::format("N = {}, alpha = {}", mesh.count, mesh.ratio)};
    double worst = 0;
    for (int i = 0; i <= 200; ++i) {
      const double ratio = 0.01 * std::pow(95.0, i / 200.0);
      const double a = law.phi_max() * shape.amplitude(ratio);
      const double error = std::abs(traced_dissipation(sliders, a) / loop_dissipation(law, a, Framework::masing) - 1);
      trace.x.push_back(ratio);
      trace.y.push_back(std::max(error, 1e-16));
      if (ratio >= 0.05) worst = std::max(worst, error);
    }
    figure.traces.push_back(std::move(trace));
    const SliderConditions conditions = slider_conditions(law, mesh.count, mesh.ratio);
    table.rows.push_back({static_cast<double>(mesh.count), mesh.ratio, conditions.largest_stiffness_step,
                          conditions.weakest_slider_force, worst});
    std::printf("N = %4d  alpha = %.2f  stiffness step %.3g  weakest slider %.3g  worst error %.3g\n", mesh.count,
                mesh.ratio, conditions.largest_stiffness_step, conditions.weakest_slider_force, worst);
  }
  report::Section section{.title = "Discretisation study"};
  section.text =
      "A slider stands for an interval of strengths. Below the strength of the weakest nothing slips and nothing is "
      "lost; "
      "above, a coarse mesh loses energy in steps. The exact law has neither limit.";
  section.figures.push_back(std::move(figure));
  section.tables.push_back(std::move(table));
  page.sections.push_back(std::move(section));
  page.provenance.command = "slider_study " + path;
  io::write_file(path, report::render(page));
  std::printf("report: %s\n", path.c_str());
  return 0;
} catch (const InvalidInput& error) {
  std::fprintf(stderr, "slider_study: %s\n", error.what());
  return 2;
}
