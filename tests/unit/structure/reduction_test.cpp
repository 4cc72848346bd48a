#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/reduction.hpp>

#include "bricks.hpp"

namespace microslip {
namespace {

using test::refusal;

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Case {
  Bricks bricks;
  FeModel model = bricks.model();
  Surface surface = pair_surfaces(model.mesh, "TOP", "BOTTOM", Eigen::Vector3d(0, 0, 1));

  [[nodiscard]] ReducedModel reduced(const Projection& projection, Eigen::Index modes, double spring = 1e13) const {
    ReductionOptions options;
    options.fixed_interface_modes = modes;
    options.check = {.tangential = spring, .normal = spring, .n_modes = 6};
    return reduce(model, surface, projection, {bolt_preload(model, "HEAD", "NUT", Eigen::Vector3d(0, 0, 1))},
                  {node_sensor(model, "corner_z", 1001, 3)}, options);
  }
};

/// The projection in full, by dense algebra of its own: q = gram^-1 load R u.
Eigen::MatrixXd dense_projection(const Case& c, const Projection& projection) {
  return Eigen::MatrixXd(projection.gram)
      .ldlt()
      .solve(Eigen::MatrixXd(projection.load * relative_displacements(c.model, c.surface)));
}

/// The full stiffness on springs over the interface's points.
Eigen::MatrixXd full_on_springs(const Case& c, const Projection& projection, double spring) {
  const Eigen::MatrixXd relative = Eigen::MatrixXd(projection.map) * dense_projection(c, projection);
  Eigen::VectorXd k(relative.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = spring * projection.areas(i / 3);
  return Eigen::MatrixXd(c.model.stiffness) + relative.transpose() * k.asDiagonal() * relative;
}

TEST(RigidBodyModes, AreSixOfAFreeStructureAndNoneOfAClampedOne) {
  const Case c;
  const Eigen::MatrixXd rigid = rigid_body_modes(c.model);
  ASSERT_EQ(rigid.cols(), 6);
  EXPECT_LT((rigid.transpose() * (c.model.mass * rigid) - Eigen::MatrixXd::Identity(6, 6)).norm(), 1e-12);
  const double scale = c.model.stiffness.diagonal().maxCoeff() * rigid.cwiseAbs().maxCoeff();
  EXPECT_LT((c.model.stiffness * rigid).cwiseAbs().maxCoeff(), 1000 * eps * scale);
  const double mass = 2 * c.bricks.length * c.bricks.width * c.bricks.height * c.bricks.density;
  EXPECT_NEAR(total_mass(c.model)(2), mass, 1e-13 * mass);
  EXPECT_EQ(rigid_body_modes(Bricks{.clamped = true}.model()).cols(), 0);
}

TEST(Surface, PairsEveryNodeAndMeasuresTheArea) {
  const Case c;
  EXPECT_EQ(c.surface.pairs.size(), 21U);
  for (const auto& [top, bottom] : c.surface.pairs)
    EXPECT_EQ(c.model.mesh.nodes.at(top), c.model.mesh.nodes.at(bottom));
  EXPECT_NEAR(c.surface.area(), 0.12 * 0.03, 1e-15);
}

TEST(Surface, KnowsOnWhichSideItsPartsLie) {
  const Case c;
  const auto sides = [&](const char* top, const char* bottom, double normal) {
    return sides_of(c.model, pair_surfaces(c.model.mesh, top, bottom, Eigen::Vector3d(0, 0, normal)));
  };
  const Sides right = sides("TOP", "BOTTOM", 1);  // each block is all on its side
  EXPECT_EQ(right.top, 1);
  EXPECT_EQ(right.bottom, -1);
  EXPECT_FALSE(right.exchanged());
  EXPECT_TRUE(sides("BOTTOM", "TOP", 1).exchanged());
  EXPECT_TRUE(sides("TOP", "BOTTOM", -1).exchanged());
  EXPECT_FALSE(sides("BOTTOM", "TOP", -1).exchanged());
}

TEST(WholeJoint, ReadsRigidMotionsOfAPatchExactly) {
  const Case c;
  const Projection projection = whole_joint(c.surface, {0.5});
  ASSERT_EQ(projection.size(), 12);
  EXPECT_NEAR(projection.areas(0), 0.06 * 0.03, 1e-15);
  // Both patches follow one rigid motion about the middle of the interface: translation t, rotation w.
  const Eigen::Vector3d t(1, 2, 3), w(4, 5, 6);
  Eigen::VectorXd u(3 * 21);
  for (Eigen::Index i = 0; i < 21; ++i) {
    const Eigen::Vector3d x(c.surface.positions(i, 0), c.surface.positions(i, 1), 0);
    u.segment<3>(3 * i) = t + w.cross(x);
  }
  const Eigen::VectorXd q = Eigen::MatrixXd(projection.gram).ldlt().solve(Eigen::VectorXd(projection.load * u));
  for (int p = 0; p < 2; ++p) {
    const Eigen::Vector3d centre(p == 0 ? -0.03 : 0.03, 0, 0);
    EXPECT_LT((q.segment<3>(6 * p) - (t + w.cross(centre))).norm(), 1e-12);
    EXPECT_LT((q.segment<3>(6 * p + 3) - w).norm(), 1e-10);
  }
}

TEST(FullJoint, KeepsLinearFieldsAndTheArea) {
  const Case c;
  const Projection projection = full_joint(c.surface, coarse_grid(c.bricks, 3, 1));
  ASSERT_EQ(projection.size(), 24);
  EXPECT_EQ(projection.areas.size(), 12);
  EXPECT_NEAR(projection.areas.sum(), 0.12 * 0.03, 1e-15);
  Eigen::VectorXd u(3 * 21);
  for (Eigen::Index i = 0; i < 21; ++i) {
    const double x = c.surface.positions(i, 0), y = c.surface.positions(i, 1);
    u.segment<3>(3 * i) << 1 + x, 2 - y, 3 + 4 * x + 5 * y;
  }
  const Eigen::VectorXd q = Eigen::MatrixXd(projection.gram).ldlt().solve(Eigen::VectorXd(projection.load * u));
  const Eigen::VectorXd at_points = projection.map * q;
  for (Eigen::Index i = 0; i < projection.areas.size(); ++i) {
    const double x = projection.picture.points(i, 0), y = projection.picture.points(i, 1);
    EXPECT_LT((at_points.segment<3>(3 * i) - Eigen::Vector3d(1 + x, 2 - y, 3 + 4 * x + 5 * y)).norm(), 1e-12);
  }
}

class Reduction : public ::testing::TestWithParam<std::string> {
 protected:
  Case c;
  Projection projection =
      GetParam() == "whole_joint" ? whole_joint(c.surface, {0.5}) : full_joint(c.surface, coarse_grid(c.bricks, 3, 1));
};
INSTANTIATE_TEST_SUITE_P(Kinds, Reduction, ::testing::Values("whole_joint", "full_joint"));

TEST_P(Reduction, FullFrequenciesAgreeWithDenseAlgebraAndReducedOnesApproachThemFromAbove) {
  const double spring = 1e13;
  const Eigen::VectorXd lambda = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
                                     full_on_springs(c, projection, spring), Eigen::MatrixXd(c.model.mass))
                                     .eigenvalues();
  // Springs on the translations of two patches leave them free to turn about the line through both: a mode at zero, so
  // that squares of frequencies are compared. Dense algebra loses eps times the largest, some 1e6 times these.
  const Eigen::VectorXd exact = lambda.segment(6, 6);
  const double scale = exact.maxCoeff(), rounding = 1e-9 * scale;
  const auto squared = [](const Eigen::VectorXd& hz) { return Eigen::VectorXd((2 * M_PI * hz).cwiseAbs2()); };
  Eigen::VectorXd error_before = Eigen::VectorXd::Constant(6, std::numeric_limits<double>::infinity());
  for (Eigen::Index modes : {8, 16, 40}) {
    const ReducedModel reduced = c.reduced(projection, modes, spring);
    ASSERT_EQ(reduced.system.size(), projection.size() + modes - 6);
    EXPECT_LT((squared(reduced.record.full_frequencies_hz) - exact).cwiseAbs().maxCoeff(), rounding);
    const Eigen::VectorXd error = squared(reduced.record.reduced_frequencies_hz) - exact;
    EXPECT_GT(error.minCoeff(), -rounding);  // Rayleigh-Ritz
    EXPECT_LT((error - error_before).maxCoeff(), rounding);
    error_before = error;
  }
  EXPECT_LT(error_before.maxCoeff(), 1e-2 * scale);  // 0.5 % of the frequency, as asked of the bundled beam
}

TEST_P(Reduction, StaticsOfThePreloadAreExactAtTheInterface) {
  const double spring = 1e13;
  const ReducedModel reduced = c.reduced(projection, 8, spring);
  const Eigen::VectorXd force = bolt_preload(c.model, "HEAD", "NUT", Eigen::Vector3d(0, 0, 1)).force;
  const Eigen::VectorXd u = full_on_springs(c, projection, spring).completeOrthogonalDecomposition().solve(force);
  const Eigen::VectorXd q = dense_projection(c, projection) * u;

  Eigen::MatrixXd stiffness = reduced.system.stiffness;
  Eigen::VectorXd k(reduced.interface.map.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i) k(i) = spring * reduced.interface.areas(i / 3);
  stiffness += reduced.interface.map.transpose() * k.asDiagonal() * reduced.interface.map;
  const Eigen::VectorXd reduced_u = stiffness.completeOrthogonalDecomposition().solve(reduced.system.prestress);
  EXPECT_LT((reduced_u.head(projection.size()) - q).norm(), 1e-7 * q.norm());
  // Pressed together: the normal relative displacement is positive, and the springs carry the preload.
  const Eigen::VectorXd relative = reduced.interface.map * reduced_u;
  double carried = 0;
  for (Eigen::Index i = 0; i < reduced.interface.n_points(); ++i) {
    EXPECT_GT(relative(3 * i + 2), 0);
    carried += spring * reduced.interface.areas(i) * relative(3 * i + 2);
  }
  EXPECT_NEAR(carried, 1.0, 1e-7);
}

TEST_P(Reduction, LeavesOutRigidMotionsAndKeepsSeparation) {
  const ReducedModel reduced = c.reduced(projection, 10);
  EXPECT_EQ(reduced.record.n_rigid, 6);
  // Two blocks that nothing holds together: relative to each other they float in six ways.
  const Eigen::VectorXd lambda =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(reduced.system.stiffness, reduced.system.mass)
          .eigenvalues();
  EXPECT_LT(lambda.head(6).cwiseAbs().maxCoeff(), 1e-6 * lambda(6));
  EXPECT_LT(reduced.record.static_residual, 1e-9);
  EXPECT_LT(reduced.record.mode_residual, 1e-7);
}

TEST_P(Reduction, SurvivesTheTripThroughAnArchive) {
  ReducedModel model = c.reduced(projection, 8);
  model.record.kind = GetParam();
  model.record.inputs = {"mesh: bricks"};
  model.lines = {{.name = "axis",
                  .direction = 2,
                  .positions = Eigen::MatrixX3d::Random(4, 3),
                  .rows = Eigen::MatrixXd::Random(4, model.system.size())}};
  const ReducedModel back = reduced_model(archive_of(model), "rom.h5");
  EXPECT_EQ(back.system.mass, model.system.mass);
  EXPECT_EQ(back.system.stiffness, model.system.stiffness);
  EXPECT_EQ(back.system.prestress, model.system.prestress);
  EXPECT_EQ(back.system.coordinates, model.system.coordinates);
  EXPECT_EQ(back.system.sensors.at(0).row, model.system.sensors.at(0).row);
  EXPECT_EQ(back.interface.map, model.interface.map);
  EXPECT_EQ(back.interface.picture.elements, model.interface.picture.elements);
  EXPECT_EQ(back.record.full_frequencies_hz, model.record.full_frequencies_hz);
  EXPECT_EQ(back.record.kind, GetParam());
  ASSERT_EQ(back.lines.size(), 1U);
  EXPECT_EQ(back.lines[0].name, "axis");
  EXPECT_EQ(back.lines[0].direction, 2);
  EXPECT_EQ(back.lines[0].positions, model.lines[0].positions);
  EXPECT_EQ(back.lines[0].rows, model.lines[0].rows);
  model.lines[0].rows.resize(3, model.system.size());
  EXPECT_NE(refusal([&] { (void)reduced_model(archive_of(model), "rom.h5"); }).find("lines/0"), std::string::npos);
}

TEST(ReductionRefuses, WhatCannotBeReduced) {
  const Case c;
  const auto said = [](auto call) { return refusal(call); };
  EXPECT_NE(said([&] { (void)c.reduced(whole_joint(c.surface, {}), 6); }).find("6 of them are rigid"),
            std::string::npos);
  EXPECT_NE(said([&] { (void)whole_joint(c.surface, {0.5, 0.4}); }).find("cut 2 is 0.4"), std::string::npos);
  EXPECT_NE(said([&] { (void)whole_joint(c.surface, {0.5, 0.5000001}); }).find("patch 2"), std::string::npos);
  Bricks shorter = c.bricks;
  shorter.length = 0.08;
  EXPECT_NE(said([&] { (void)full_joint(c.surface, coarse_grid(shorter, 2, 1)); }).find("does not cover"),
            std::string::npos);
  Bricks longer = c.bricks;
  longer.length = 0.18;
  EXPECT_EQ(said([&] { (void)full_joint(c.surface, coarse_grid(longer, 3, 1)); }),
            "the coarse mesh's area 0.0054 differs by 50.0 % from the interface's 0.0036: it must end and have holes "
            "where the interface does");
  EXPECT_NE(said([&] { (void)full_joint(c.surface, c.model.mesh); }).find("no plane elements"), std::string::npos);
  const Eigen::Vector3d z(0, 0, 1);
  EXPECT_NE(said([&] { (void)pair_surfaces(c.model.mesh, "TOPP", "BOTTOM", z); }).find("'TOP'"), std::string::npos);
  EXPECT_NE(said([&] { (void)pair_surfaces(c.model.mesh, "TOP", "NUT", z); }).find("no partner"), std::string::npos);
  EXPECT_NE(said([&] { (void)pair_surfaces(c.model.mesh, "TOP", "BOTTOM", Eigen::Vector3d::Zero()); }).find("normal"),
            std::string::npos);
  EXPECT_NE(
      said([&] { (void)pair_surfaces(c.model.mesh, "TOP", "BOTTOM", Eigen::Vector3d::UnitX()); }).find("not plane"),
      std::string::npos);
  EXPECT_NE(said([&] { (void)node_sensor(c.model, "s", 99999, 1); }).find("99999.1"), std::string::npos);
  const FeModel clamped = Bricks{.clamped = true}.model();
  EXPECT_NE(said([&] {
              (void)relative_displacements(clamped, pair_surfaces(clamped.mesh, "TOP", "BOTTOM", z));
            }).find("must be free"),
            std::string::npos);
}

TEST(ReductionRefuses, SidesOfTheInterfaceThatShareNodes) {  // else the relative displacement of a node with itself
  Mesh mesh = Bricks{}.model().mesh;
  std::vector<NodeId>& plane = mesh.node_sets["PLANE"];
  for (const char* side : {"TOP", "BOTTOM"})
    plane.insert(plane.end(), mesh.node_sets[side].begin(), mesh.node_sets[side].end());
  const Eigen::Vector3d z(0, 0, 1);
  EXPECT_EQ(refusal([&] { (void)pair_surfaces(mesh, "PLANE", "PLANE", z); }),
            "node 22 is in 'PLANE' and in 'PLANE': each side of the interface has nodes of its own");
  EXPECT_EQ(refusal([&] { (void)pair_surfaces(mesh, "TOP", "TOP", z); }),
            "node 1001 is in 'TOP' and in 'TOP': each side of the interface has nodes of its own");
  mesh.nodes[5001] = mesh.nodes.at(1002);
  mesh.node_sets["TOP"].front() = 5001;
  EXPECT_EQ(refusal([&] { (void)pair_surfaces(mesh, "TOP", "BOTTOM", z); }),
            "interface nodes 1002 and 5001 of 'TOP' lie at one place: both would be paired with node 23 of 'BOTTOM'");
}

TEST(ReductionRefuses, PatchesFinerThanTheMesh) {
  const Case c;
  std::vector<double> cuts;  // half an element each: one row of the surface's points across
  for (int i = 1; i < 12; ++i) cuts.push_back(i / 12.0);
  const std::string message = refusal([&] { (void)c.reduced(whole_joint(c.surface, cuts), 40); });
  EXPECT_NE(message.find("the interface's 72 coordinates are not independent on this mesh (rank "), std::string::npos)
      << message;
}

/// A spring between the z displacements of two nodes.
void add_spring(FeModel& model, NodeId a, NodeId b, double k) {
  const auto place = places(model);
  const Eigen::Index i = place.at({a, 3}), j = place.at({b, 3});
  model.stiffness.coeffRef(i, i) += k;
  model.stiffness.coeffRef(j, j) += k;
  model.stiffness.coeffRef(i, j) -= k;
  model.stiffness.coeffRef(j, i) -= k;
}

TEST(ReductionRefuses, AStiffnessThatIsNegativeForSomeMotion) {
  Case c;
  // Between the faces of the upper block, one above the other: rigid motions stay free of it.
  add_spring(c.model, 1001, 1022, -c.model.stiffness.diagonal().maxCoeff());
  EXPECT_EQ(rigid_body_modes(c.model).cols(), 6);
  for (const std::vector<double>& cuts : {std::vector<double>{}, {0.5}})
    EXPECT_EQ(refusal([&] { (void)c.reduced(whole_joint(c.surface, cuts), 12); }),
              "the stiffness is negative for some motion: a sign or an element is wrong");
  Case grounded;  // held by springs that push
  for (Eigen::Index i = 0; i < grounded.model.size(); ++i) grounded.model.stiffness.coeffRef(i, i) *= 1 - 1e-3;
  EXPECT_NE(refusal([&] { (void)rigid_body_modes(grounded.model); }).find("moves as one piece"), std::string::npos);
}

TEST(ReductionRefuses, AStiffnessWhoseDigitsDoNotTellRigidMotions) {
  Case c;
  for (Eigen::Index j = 0; j < c.model.stiffness.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(c.model.stiffness, j); entry; ++entry)
      entry.valueRef() = std::stod(fmt::format("{:.6e}", entry.value()));
  EXPECT_NE(refusal([&] { (void)rigid_body_modes(c.model); }).find("too few digits: write it with twelve or more"),
            std::string::npos);
}

TEST(BoltPreload, HeadAndNutTheWrongWayRoundAreRefused) {  // else the preload would pull the joint open
  const Case c;
  const Eigen::Vector3d z(0, 0, 1);
  EXPECT_EQ(
      refusal([&] { (void)bolt_preload(c.model, "NUT", "HEAD", z); }),
      "the bolt's axis (0, 0, 1) points from 'NUT' to 'HEAD', from nut to head is expected: swap head and nut, or "
      "turn the axis round");
  EXPECT_EQ(refusal([&] {
              (void)bolt_preload(c.model, "HEAD", "NUT", {0, 0, -1});
            }),
            "the bolt's axis (0, 0, -1) points from 'HEAD' to 'NUT', from nut to head is expected: swap head and nut, "
            "or turn the axis round");
  EXPECT_EQ(bolt_preload(c.model, "NUT", "HEAD", -z).force, bolt_preload(c.model, "HEAD", "NUT", z).force);
  // A thread that is cut open, as in the bundled beam: both sets lie at one place, and their names alone tell.
  EXPECT_EQ(bolt_preload(c.model, "TOP", "BOTTOM", z).force, -bolt_preload(c.model, "BOTTOM", "TOP", z).force);
}

TEST(Surface, ANameOfASetAndOfASurfaceMeansTheSurfaceThroughout) {
  Mesh mesh = Bricks{}.model().mesh;
  const std::vector<Face> faces = faces_named(mesh, "TOP");
  mesh.surfaces["TOP"] = {faces.begin(), faces.begin() + 6};  // half of them; the set of that name has them all
  std::vector<NodeId> bottom;
  for (const NodeId node : nodes_named(mesh, "TOP")) bottom.push_back(node - 1000 + 21);
  mesh.node_sets["HALF"] = bottom;
  const Surface surface = pair_surfaces(mesh, "TOP", "HALF", Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(surface.faces.size(), 6U);
  EXPECT_EQ(surface.pairs.size(), 14U);
  EXPECT_NEAR(surface.area(), 0.5 * 0.12 * 0.03, 1e-15);
}

TEST(Surface, EmptySetsAreRefusedByName) {
  Mesh mesh = Bricks{}.model().mesh;
  mesh.node_sets["NONE"] = {};
  mesh.surfaces["BARE"] = {};
  for (const std::string name : {"NONE", "BARE"}) {
    EXPECT_EQ(refusal([&] { (void)pair_surfaces(mesh, name, name, Eigen::Vector3d(0, 0, 1)); }),
              "'" + name + "' of the mesh is empty");
    EXPECT_EQ(refusal([&] { (void)faces_named(mesh, name); }), "'" + name + "' of the mesh is empty");
  }
}

TEST(ReducedModel, BrokenArchivesAreRefused) {
  EXPECT_NE(refusal([] { (void)reduced_model(Archive{}, "rom.h5"); }).find("rom.h5: not a reduced model"),
            std::string::npos);
  Archive archive;
  archive.set("format", std::string("microslip reduced model 1"));
  archive.set("coordinates", std::vector<std::string>{"a", "b"});
  archive.set("mass", std::vector<double>{1, 0});
  EXPECT_NE(refusal([&] { (void)reduced_model(archive, "rom.h5"); }).find("rom.h5: mass has 2 values"),
            std::string::npos);
}

/// The archive with another array at a path of names.
Archive with_array(const Archive& archive, const std::vector<std::string>& path, const NamedArray& array) {
  Archive changed;
  for (const auto& [name, value] : archive.entries()) {
    if (name != path.front())
      changed.set(name, value);
    else if (path.size() == 1)
      changed.set(name, array);
    else
      changed.set(name, with_array(std::get<Archive>(value), {path.begin() + 1, path.end()}, array));
  }
  return changed;
}

Archive without(const Archive& archive, const std::string& name) {
  Archive rest;
  for (const auto& [key, value] : archive.entries())
    if (key != name) rest.set(key, value);
  return rest;
}

TEST(ReducedModel, WhatIsMissingIsRefusedWithTheFile) {
  const Case c;
  ReducedModel model = c.reduced(whole_joint(c.surface, {0.5}), 8);
  model.lines = {{.name = "axis",
                  .direction = 4,
                  .positions = Eigen::MatrixX3d::Zero(1, 3),
                  .rows = Eigen::MatrixXd::Zero(1, model.system.size())}};
  EXPECT_EQ(refusal([&] { (void)reduced_model(archive_of(model), "rom.h5"); }),
            "rom.h5: lines/0/direction must be 1, 2 or 3, got 4");
  model.lines.clear();
  const Archive good = archive_of(model);
  for (const std::string name : {"mass", "stiffness", "bolts", "sensors", "interface", "reduction"}) {
    const std::string message = refusal([&] { (void)reduced_model(without(good, name), "rom.h5"); });
    EXPECT_TRUE(message.starts_with("rom.h5: ")) << message;
    EXPECT_EQ(message.find("rom.h5", 1), std::string::npos) << message;
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

TEST(ReducedModel, APictureThatIsNotPlaneIsRefused) {
  const Case c;
  const Archive good = archive_of(c.reduced(whole_joint(c.surface, {0.5}), 8));
  for (const std::string name : {"nodes", "points"})
    for (const std::size_t columns : {1U, 3U}) {
      const Archive bad =
          with_array(good, {"interface", "picture", name}, {{20, columns}, std::vector<double>(20 * columns, 0.0)});
      const std::string message = refusal([&] { (void)reduced_model(bad, "rom.h5"); });
      EXPECT_NE(message.find(name + fmt::format(" is 20 x {}", columns)), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace microslip
