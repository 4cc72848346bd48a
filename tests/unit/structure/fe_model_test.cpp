#include <limits>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/structure/fe_model.hpp>

#include "bricks.hpp"

namespace microslip {
namespace {

using test::refusal;

CoordinateMatrix two_by_two(std::vector<CoordinateMatrix::Entry> entries) {
  CoordinateMatrix matrix;
  matrix.n_rows = matrix.n_columns = 2;
  matrix.entries = std::move(entries);
  return matrix;
}

/// Two masses on a spring each, with the coordinates 1.1 and 2.1.
struct TwoMasses {
  CoordinateMatrix mass = two_by_two({{0, 0, 2}, {1, 1, 3}});
  CoordinateMatrix stiffness = two_by_two({{0, 0, 5}, {0, 1, -4}, {1, 0, -4}, {1, 1, 7}});
  std::vector<NodeDirection> coordinates{{1, 1}, {2, 1}};

  [[nodiscard]] FeModel model() const { return fe_model(mass, stiffness, coordinates, {}); }
  [[nodiscard]] std::string refused() const {
    return refusal([&] { (void)model(); });
  }
};

TEST(FeModel, PutsTheMassWhereItsLabelsSay) {
  TwoMasses two;
  two.mass.row_labels = {{2, 1}, {1, 1}};
  const FeModel model = two.model();
  EXPECT_EQ(model.mass.coeff(0, 0), 3);
  EXPECT_EQ(model.mass.coeff(1, 1), 2);
  EXPECT_EQ(model.stiffness.coeff(0, 1), -4);
}

TEST(FeModel, RefusesMatricesThatAreNoStructure) {
  const auto expect = [](const TwoMasses& two, std::string_view part) {
    const std::string message = two.refused();
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  TwoMasses two;
  two.coordinates = {{1, 1}, {1, 1}};
  expect(two, "coordinate 1.1 is listed twice");
  two = {};
  two.coordinates.pop_back();
  expect(two, "1 coordinates are listed for matrices of size 2");
  two = {};
  two.mass.row_labels = {{1, 1}, {2, 3}};
  expect(two, "coordinate 2.3 of the mass is not one of the stiffness");
  two = {};
  two.mass.n_rows = 3;
  expect(two, "mass is 3 x 2");
  two = {};
  two.mass.n_rows = two.mass.n_columns = 3;
  expect(two, "mass is 3 x 3 and stiffness 2 x 2");
  two = {};
  two.mass.entries.clear();
  expect(two, "mass has no entries");
  two = {};
  two.stiffness.entries.clear();
  expect(two, "stiffness has no entries");
  two = {};
  two.stiffness.entries[3].value = std::numeric_limits<double>::quiet_NaN();
  expect(two, "stiffness entry (2, 2)");
  two = {};
  two.stiffness.entries[1].value = -3;
  expect(two, "stiffness is not symmetric");
  two = {};
  two.mass.imaginary = {0, 0};
  expect(two, "mass is complex");
  two = {};
  two.mass.entries[1].value = -3;
  expect(two, "coordinate 2.1 has mass -3");
  two = {};
  two.mass.entries.pop_back();
  two.stiffness.entries = {{0, 0, 5}};
  expect(two, "coordinate 2.1 has neither mass nor stiffness");

  two = {};
  for (auto& entry : two.mass.entries) entry.value = 0;
  expect(two, "mass is zero throughout its diagonal");
}

CoordinateMatrix entries_of(const Eigen::SparseMatrix<double>& matrix) {
  CoordinateMatrix result;
  result.n_rows = result.n_columns = static_cast<std::size_t>(matrix.rows());
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
      result.entries.push_back({static_cast<int>(entry.row()), static_cast<int>(entry.col()), entry.value()});
  return result;
}

TEST(FeModel, TellsMassAndStiffnessApartHeldOrNot) {
  for (const bool clamped : {false, true}) {
    const FeModel model = Bricks{.clamped = clamped}.model();  // not refused
    const CoordinateMatrix mass = entries_of(model.mass), stiffness = entries_of(model.stiffness);
    const std::string said = refusal([&] { (void)fe_model(stiffness, mass, model.coordinates, model.mesh); });
    EXPECT_EQ(said.substr(0, 33), "mass and stiffness are exchanged:") << said;
    // Lumped masses add up to their diagonal, no more.
    CoordinateMatrix lumped = mass;
    std::erase_if(lumped.entries, [](const auto& entry) { return entry.row != entry.column; });
    EXPECT_NO_THROW((void)fe_model(lumped, stiffness, model.coordinates, model.mesh));
    EXPECT_NE(refusal([&] { (void)fe_model(stiffness, lumped, model.coordinates, model.mesh); }), "");
  }
}

}  // namespace
}  // namespace microslip
