// The bundled reduced models of the Brake-Reuss beam, against the full FE model that scripts/make-brb reduces and
// against the mass and the stiff-joint frequencies that its dimensions mean.
#include <cmath>
#include <filesystem>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <microslip/io/hdf5.hpp>
#include <microslip/structure/reduced_model.hpp>

namespace microslip {
namespace {

ReducedModel bundled(const std::string& name) {
  const auto path = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data/brb" / name;
  return reduced_model(io::read_hdf5(path).archive, path.string());
}

/// Frequencies on springs over the interface, computed here from the matrices.
Eigen::VectorXd frequencies_hz(const ReducedModel& model, double tangential, double normal) {
  const Interface& joint = model.interface;
  Eigen::VectorXd k(joint.map.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = joint.areas(i / 3) * (i % 3 == 2 ? normal : tangential);
  const Eigen::MatrixXd stiffness = model.system.stiffness + joint.map.transpose() * k.asDiagonal() * joint.map;
  const Eigen::VectorXd lambda =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness, model.system.mass, Eigen::EigenvaluesOnly)
          .eigenvalues();
  return lambda.cwiseMax(0).cwiseSqrt() / (2 * M_PI);
}

void expect_the_full_models_frequencies(const ReducedModel& model) {
  const Eigen::VectorXd hz = frequencies_hz(model, model.record.check_tangential, model.record.check_normal);
  ASSERT_GE(model.record.full_frequencies_hz.size(), 6);
  for (int mode = 1; mode <= 6; ++mode) {
    const double full = model.record.full_frequencies_hz(mode - 1);
    EXPECT_NEAR(hz(mode - 1), full, 0.005 * full) << "mode " << mode;
    EXPECT_GT(hz(mode - 1), full * (1 - 1e-7)) << "reduction cannot soften, mode " << mode;
  }
}

TEST(BrakeReussBeam, WholeJointHas43CoordinatesAndTheMassOfTheBeam) {
  const ReducedModel model = bundled("brb-whole-joint.h5");
  EXPECT_EQ(model.system.size(), 43);
  EXPECT_EQ(model.interface.n_points(), 5);
  EXPECT_EQ(model.record.n_rigid, 6);
  EXPECT_NEAR(model.record.total_mass, 3.70, 0.037);
  EXPECT_NEAR(model.interface.areas.sum(), model.record.area, 1e-12);
}

TEST(BrakeReussBeam, WholeJointFrequenciesAreThoseOfTheFullModel) {
  expect_the_full_models_frequencies(bundled("brb-whole-joint.h5"));
}

TEST(BrakeReussBeam, FullJointHas505CoordinatesAndTheMassOfTheBeam) {
  const ReducedModel model = bundled("brb-full-joint.h5");
  EXPECT_EQ(model.system.size(), 505);
  EXPECT_EQ(model.interface.picture.elements.size(), 120U);
  EXPECT_EQ(model.interface.picture.nodes.rows(), 152);
  EXPECT_EQ(model.interface.n_points(), 480);  // four to an element
  EXPECT_EQ(model.record.n_rigid, 6);
  EXPECT_NEAR(model.record.total_mass, 3.70, 0.037);
  // The coarse mesh has chords for the holes' arcs: a polygon of 12 sides is 4.5 % smaller than its circle.
  EXPECT_NEAR(model.interface.areas.sum(), model.record.area, 0.05 * 3 * M_PI * 4.216e-3 * 4.216e-3);
}

TEST(BrakeReussBeam, FullJointFrequenciesAreThoseOfTheFullModel) {
  expect_the_full_models_frequencies(bundled("brb-full-joint.h5"));
}

TEST(BrakeReussBeam, AxesRunFromEndToEndAndAgreeWithTheSensorThere) {
  for (const char* name : {"brb-whole-joint.h5", "brb-full-joint.h5"}) {
    const ReducedModel model = bundled(name);
    ASSERT_EQ(model.lines.size(), 4U) << name;
    for (const ShapeLine& line : model.lines) EXPECT_GT(line.positions.rows(), 20) << name;
    EXPECT_NEAR(model.lines[0].positions.col(0).minCoeff(), 0, 1e-12);
    EXPECT_NEAR(model.lines[2].positions.col(0).maxCoeff(), 0.7209, 1e-12);
    const Eigen::VectorXd end_z = model.system.sensors.at(0).row;
    EXPECT_EQ(model.system.sensors.at(0).name, "end_z");
    EXPECT_LT((model.lines[2].rows.bottomRows(1).transpose() - end_z).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(BrakeReussBeam, StiffInterfaceGivesTheExpectedBendingModes) {
  const Eigen::VectorXd hz = frequencies_hz(bundled("brb-whole-joint.h5"), 1e16, 1e16);
  EXPECT_NEAR(hz(0), 187.0, 0.03 * 187.0);
  EXPECT_NEAR(hz(5), 1217.0, 0.03 * 1217.0);
}

TEST(BrakeReussBeam, PreloadPressesTheMiddlePatchesAndOpensTheEnds) {
  const ReducedModel model = bundled("brb-whole-joint.h5");
  ASSERT_EQ(model.bolts.cols(), 3);
  double sum = 0;
  for (Eigen::Index p = 0; p < 5; ++p) {
    const double normal = model.interface.map.row(3 * p + 2).dot(model.system.prestress);
    sum += normal;
    const bool end = p == 0 || p == 4;
    EXPECT_EQ(normal < 0, end) << "patch " << p + 1;
    EXPECT_EQ(normal > 0.9, !end) << "patch " << p + 1;
  }
  EXPECT_NEAR(sum, 3, 1e-6);  // equilibrium: what the bolts pull is what the interface carries
}

}  // namespace
}  // namespace microslip
