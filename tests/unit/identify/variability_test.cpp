#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/identify/variability.hpp>
#include <microslip/joints/iwan4_shape.hpp>

namespace microslip {
namespace {

const std::vector<double> forces{60, 130, 210, 320};
constexpr double rounding = 1e-12;  // of powers and logarithms, on squares of at most 1

/// The law whose dissipation is `factor` times that of one and the same curve: D is proportional to phi_max.
Iwan4<double> times(double factor) { return from_phi_max(400, factor * 5e-5, -0.6, 0.5); }

/// What it dissipates, times e^wave and e^-wave in turn.
DissipationData curve(double factor, double wave = 0) {
  DissipationData data{.name = "curve", .force = forces, .dissipation = {}};
  for (std::size_t k = 0; k < forces.size(); ++k)
    data.dissipation.push_back(dissipation_at_force(times(factor), forces[k]) * std::exp(k % 2 == 0 ? wave : -wave));
  return data;
}

double square_log(double ratio) { return std::log(ratio) * std::log(ratio); }

TEST(Variability, OfProportionalCurvesIsTheSquareLogarithmOfTheirRatios) {
  // Sets c_i times a curve; fits d_i times it, so that data and models are told apart.
  const std::vector<double> c{1.0, 1.1, 0.8}, d{1.02, 1.05, 0.9};
  const double mean_c = (c[0] + c[1] + c[2]) / 3, mean_d = (d[0] + d[1] + d[2]) / 3;
  std::vector<DissipationData> sets;
  std::vector<DissipationFit> fits;
  for (std::size_t i = 0; i < 3; ++i) {
    sets.push_back(curve(c[i]));
    fits.push_back(fit_of(times(d[i]), sets.back()));
  }
  const Variability v = variability(sets, fits);
  EXPECT_NEAR(v.averaged.phi_max(), mean_d * 5e-5, rounding * 5e-5);
  ASSERT_EQ(v.experimental.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double mean_others = (3 * mean_d - d[i]) / 2;
    EXPECT_NEAR(v.experimental[i], square_log(c[i] / mean_c), rounding);        // Eq. 41
    EXPECT_NEAR(v.model[i], square_log(c[i] / mean_d), rounding);               // Eq. 43
    EXPECT_NEAR(v.leave_one_out[i], square_log(c[i] / mean_others), rounding);  // Eq. 44
  }
}

TEST(Variability, IsAMeanOverThePoints) {
  // Two sets wave by e^x and e^-x against each other: their mean is cosh x times the curve at every force.
  const double x = 0.2;
  const std::vector<DissipationData> sets{curve(1, x), curve(1, -x)};
  const Variability v = variability(sets, {fit_of(times(1), sets[0]), fit_of(times(1), sets[1])});
  const double mean = std::log(std::cosh(x));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(v.model[i], x * x, rounding);
    EXPECT_NEAR(v.experimental[i], (std::pow(x - mean, 2) + std::pow(x + mean, 2)) / 2, rounding);
  }
}

TEST(Variability, DoesNotDependOnTheOrderOfThePoints) {
  std::vector<DissipationData> sets{curve(1, 0.1), curve(1.2), curve(0.9)};
  std::vector<DissipationFit> fits;
  for (const DissipationData& set : sets) fits.push_back(fit_of(times(1), set));
  const Variability rising = variability(sets, fits);
  for (const std::size_t k : {0, 1}) {
    std::swap(sets[1].force[k], sets[1].force[3 - k]);
    std::swap(sets[1].dissipation[k], sets[1].dissipation[3 - k]);
  }
  const Variability mixed = variability(sets, fits);
  EXPECT_TRUE(mixed.notes.empty());
  ASSERT_EQ(mixed.experimental.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mixed.experimental[i], rising.experimental[i], rounding);
}

TEST(Variability, AmongDataIsUndefinedWhereForcesDiffer) {
  std::vector<DissipationData> sets{curve(1), curve(1.1)};
  sets[1].force[2] *= 1.1;
  const Variability v = variability(sets, {fit_of(times(1), sets[0]), fit_of(times(1), sets[1])});
  EXPECT_TRUE(v.experimental.empty());
  ASSERT_EQ(v.notes.size(), 1U);
  EXPECT_NE(v.notes[0].find("different forces"), std::string::npos);
  EXPECT_THROW(variability({sets[0]}, {fit_of(times(1), sets[0])}), InvalidInput);
}

TEST(Variability, ASetThatStandsApartIsNamedAndKept) {
  std::vector<DissipationData> sets{curve(1), curve(1.02), curve(0.98), curve(1.01), curve(2)};
  sets[4].name = "odd";
  std::vector<DissipationFit> fits;
  for (const DissipationData& set : sets)
    fits.push_back(fit_of(times(set.dissipation[0] / sets[0].dissipation[0]), set));
  const Variability v = variability(sets, fits);
  EXPECT_EQ(v.outliers, std::vector<std::string>{"odd"});
  EXPECT_EQ(v.model.size(), 5U);
}

TEST(Variability, AGrossOutlierIsNamedAmongFewSets) {
  // Sets that differ by 1 %; its own deviation must not count as what is usual.
  const auto outliers = [](const std::vector<double>& factors) {
    std::vector<DissipationData> sets;
    std::vector<DissipationFit> fits;
    for (const double factor : factors) {
      sets.push_back(curve(factor));
      sets.back().name = fmt::format("{}", factor);
      fits.push_back(fit_of(times(factor), sets.back()));
    }
    return variability(sets, fits).outliers;
  };
  const std::vector<std::string> five{"5"}, most{"1.3"}, none;
  EXPECT_EQ(outliers({1, 1.01, 5}), five);
  EXPECT_EQ(outliers({1, 5, 1.01, 0.99}), five);
  EXPECT_EQ(outliers({5, 1, 1.01, 0.99, 1.005}), five);
  EXPECT_EQ(outliers({1, 1.01, 0.99, 1.3}), most);
  EXPECT_EQ(outliers({1, 1.01, 1.1}), none);  // of two that agree within 1 % not enough is known
  EXPECT_EQ(outliers({1, 1.01, 0.99, 1.02, 0.98, 1.03}), none);
}

}  // namespace
}  // namespace microslip
