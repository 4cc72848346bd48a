// The bundled reduced models of the Brake-Reuss beam, against the full FE model that scripts/make-brb reduces and
// against the figures of DESIGN section 7.
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
  for (int mode : {1, 3, 6}) {  // the first three bending modes in the plane of the bolts' axes
    const double full = model.record.full_frequencies_hz(mode - 1);
    EXPECT_NEAR(hz(mode - 1), full, 0.005 * full) << "mode " << mode;
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
