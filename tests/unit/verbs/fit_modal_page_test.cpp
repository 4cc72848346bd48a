#include <gtest/gtest.h>

#include <microslip/verbs/fit_modal_page.hpp>

namespace microslip::verbs {
namespace {

TEST(FitModalPage, WithoutADamperTheJointAloneIsTheModel) {
  for (const ModalForms forms : {ModalForms::exact, ModalForms::paper}) {
    FitModalOptions options;
    options.fit.forms = forms;
    ModeDecays& mode = options.measurements.modes.emplace_back();
    mode.coordinate = "modal";
    mode.decays.resize(1);
    ModalFit fit;
    fit.model = {.slip_force = 10, .stiffness = 1e5, .chi = -0.5, .beta = 0.1, .linear_stiffness = 3e5, .damping = 0};
    // Through macro-slip, where the paper's forms are others than the exact ones.
    for (const double share : {0.1, 3.0}) fit.points.emplace_back().amplitude = share * fit.model.phi_max();
    const report::Page page = fit_modal_page(options, {.fits = {fit}, .notes = {}});
    const report::Figure& figure = page.sections.at(0).figures.at(1);
    ASSERT_EQ(figure.id, "mode-1-dissipation");
    ASSERT_EQ(figure.traces.at(1).name, "model");
    ASSERT_EQ(figure.traces.at(2).name, "joint alone");
    EXPECT_EQ(figure.traces.at(1).y, figure.traces.at(2).y) << (forms == ModalForms::exact ? "exact" : "paper");
  }
}

}  // namespace
}  // namespace microslip::verbs
