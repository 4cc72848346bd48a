// Porter, Balaji, Little and Brake, Mech. Syst. Signal Process. 163 (2022) 108163, as printed: Table 6 (options), Table
// 9 (area fractions and ranks), Tables 11-15 (ranges of parameters). Written down here from the paper a second time, so
// that a slip in the library's own table of combinations shows.
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <microslip/modal/combinations.hpp>
#include <microslip/study/area_fraction.hpp>
#include <microslip/study/joint_forward.hpp>
#include <microslip/verbs/study.hpp>

namespace microslip {
namespace {

struct Row {
  const char* name;
  double mean;
  int rank;
  std::array<double, 3> area;
  std::array<int, 3> ranks;
};

const std::vector<Row> table_9{
    {"Generalized Jenkins Prager + Penalty (FJ, non-Masing)", 0.0555, 1, {0.0651, 0.0220, 0.0890}, {14, 2, 4}},
    {"Valanis (WJ, non-Masing)", 0.0583, 2, {0.0202, 0.0137, 0.1028}, {11, 1, 6}},
    {"4-Parameter Iwan + kp*u (WJ, Masing)", 0.0656, 3, {0.0063, 0.0624, 0.0687}, {2, 6, 1}},
    {"4-Parameter Iwan (WJ, Masing)", 0.0666, 4, {0.0109, 0.0639, 0.0694}, {8, 9, 2}},
    {"Bouc-Wen General (WJ, Masing)", 0.0723, 5, {0.0005, 0.0341, 0.1105}, {1, 4, 7}},
    {"5-Parameter Iwan (WJ, Masing)", 0.0768, 6, {0.0085, 0.0630, 0.0905}, {6, 8, 5}},
    {"Jenkins (FJ, non-Masing)", 0.0902, 7, {0.0650, 0.0338, 0.1465}, {13, 3, 15}},
    {"Bouc-Wen n=1 + kp*u (WJ, non-Masing)", 0.0975, 8, {0.0155, 0.0627, 0.1322}, {9, 7, 9}},
    {"Generalized Jenkins Prager (FJ, non-Masing)", 0.0983, 9, {0.0654, 0.0452, 0.1514}, {15, 5, 16}},
    {"Bouc-Wen n=2 (WJ, Masing)", 0.0988, 10, {0.0415, 0.1260, 0.0715}, {12, 16, 3}},
    {"Bouc-Wen n=1 (WJ, non-Masing)", 0.1004, 11, {0.0157, 0.0655, 0.1354}, {10, 10, 13}},
    {"Bouc-Wen n=1 + kp*u (WJ, Masing)", 0.1006, 12, {0.0080, 0.0689, 0.1323}, {4, 11, 10}},
    {"Valanis (WJ, Masing)", 0.1028, 13, {0.0086, 0.0723, 0.1333}, {7, 12, 11}},
    {"Bouc-Wen n=1 (WJ, Masing)", 0.1038, 14, {0.0082, 0.0729, 0.1348}, {5, 13, 12}},
    {"Elastic Dry Friction + kp*u (FJ, non-Masing)", 0.1187, 15, {0.2611, 0.0811, 0.1563}, {25, 14, 17}},
    {"Elastic Dry Friction (FJ, non-Masing)", 0.1198, 16, {0.2623, 0.0826, 0.1570}, {26, 15, 18}},
    {"Generalized Jenkins Prager (WJ, Masing)", 0.1405, 17, {0.1476, 0.1670, 0.1139}, {18, 21, 8}},
    {"Jenkins (WJ, non-Masing)", 0.1639, 18, {0.1734, 0.1567, 0.1712}, {20, 18, 19}},
    {"Jenkins (WJ, Masing)", 0.1711, 19, {0.1746, 0.1598, 0.1825}, {21, 19, 20}},
    {"Elastic Dry Friction (WJ, Masing)", 0.1752, 20, {0.1760, 0.2089, 0.1415}, {22, 23, 14}},
    {"Elastic Dry Friction (WJ, non-Masing)", 0.1906, 21, {0.1831, 0.1667, 0.2146}, {23, 20, 21}},
    {"Prager (WJ, Masing)", 0.1955, 22, {0.1724, 0.1718, 0.2192}, {19, 22, 22}},
    {"4-Parameter Iwan (WJ, Masing, no ζ0)", 0.2852, 23, {0.0072, 0.1516, 0.4189}, {3, 17, 23}},
    {"Bouc-Wen n=1 + kp*u (WJ, non-Masing, no ζ0)", 0.4159, 24, {0.0979, 0.3608, 0.4709}, {16, 24, 24}},
    {"Bouc-Wen n=1 (WJ, non-Masing, no ζ0)", 0.4265, 25, {0.1026, 0.3735, 0.4795}, {17, 25, 25}},
    {"Valanis (WJ, non-Masing, no ζ0)", 0.5576, 26, {0.2541, 0.4717, 0.6436}, {24, 26, 26}},
};

/// A study whose fronts have the areas of Table 9, last model first; mode 1 was fitted.
study::StudyResult ranked() {
  study::Study study;
  study.measured.resize(3);
  study.fit = {0};
  study::StudyResult result;
  result.boxes.resize(3);
  for (auto row = table_9.rbegin(); row != table_9.rend(); ++row) {
    study::EntryResult entry;
    entry.name = row->name;
    entry.area_fraction.assign(row->area.begin(), row->area.end());
    result.entries.push_back(entry);
  }
  study::rank(study, result);
  return result;
}

TEST(Porter2022, Table9RanksAndMeansFollowFromItsAreas) {
  const study::StudyResult result = ranked();
  const std::vector<std::vector<int>> ranks = verbs::area_ranks(result);
  ASSERT_EQ(result.ranking.size(), table_9.size());
  for (std::size_t i = 0; i < table_9.size(); ++i) {
    const Row& row = table_9[i];
    const std::size_t e = result.ranking[static_cast<std::size_t>(row.rank) - 1];
    EXPECT_EQ(combinations().at(i).name, row.name);
    EXPECT_EQ(result.entries[e].name, row.name);
    EXPECT_NEAR(result.entries[e].predicted_area, row.mean, 1.01e-4) << row.name;  // three roundings of 5e-5
    for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(ranks[m][e], row.ranks[m]) << row.name << " mode " << m + 1;
  }
}

TEST(Porter2022, Section45ThreeModelsFitMode1WorseThanTheExperimentScatters) {
  const study::StudyResult result = ranked();
  const std::vector<int> in_mode_1 = verbs::area_ranks(result).front();
  // Upper bound of the scatter (Table 2) in the box of mode 1 (Table 4).
  const double scatter = study::area_fraction({{Point{3.55e-3, 1.29e-1}}}, {{7.12e-4, 1.98e-2}, {0.17, 0.5}});
  int worse = 0, whole_joint_among_first_six = 0, whole_joint_among_best_twelve = 0;
  for (std::size_t place = 0; place < result.ranking.size(); ++place) {
    const std::size_t e = result.ranking[place];
    const bool whole = !combination_named(result.entries[e].name).full_joint;
    worse += result.entries[e].area_fraction[0] > scatter;
    whole_joint_among_first_six += whole && place < 6;
    whole_joint_among_best_twelve += whole && in_mode_1[e] <= 12;
  }
  EXPECT_EQ(worse, 3);
  EXPECT_EQ(whole_joint_among_first_six, 5);
  EXPECT_EQ(whole_joint_among_best_twelve, 12);
}

TEST(Porter2022, Table6OptionsOfTheTracedWholeJoints) {
  struct Options {
    const char* name;
    bool penalised;
    int loops;
    bool conservative;
  };
  for (const Options& printed : {Options{"Jenkins (WJ, non-Masing)", true, 3, false},
                                 {"Elastic Dry Friction (WJ, non-Masing)", true, 6, false},
                                 {"Bouc-Wen n=1 (WJ, non-Masing)", true, 40, true},
                                 {"Valanis (WJ, non-Masing)", false, 40, true},
                                 {"Bouc-Wen n=1 + kp*u (WJ, non-Masing)", false, 100, true}}) {
    const Combination& c = combination_named(printed.name);
    EXPECT_EQ(c.penalise_residuals, printed.penalised) << c.name;
    EXPECT_EQ(c.max_loops, printed.loops) << c.name;
    EXPECT_EQ(c.conservative_prestress, printed.conservative) << c.name;
  }
}

struct Ranges {
  const char* name;
  std::vector<const char*> parameters;
  std::vector<double> lower, upper;
};

const std::vector<Ranges> tables_11_to_15{
    // Table 11: slip, tangential, post-slip and normal stiffness.
    {"Jenkins (WJ, Masing)",
     {"slip_force", "stiffness", "normal_stiffness"},
     {5.21, 12.76, 11.32},
     {5.29, 17.24, 17.76}},
    {"Jenkins (WJ, non-Masing)",
     {"slip_force", "stiffness", "normal_stiffness"},
     {5.18, 12.67, 11.27},
     {5.28, 13.63, 16.92}},
    {"Jenkins (FJ, non-Masing)",
     {"slip_force", "stiffness", "normal_stiffness"},
     {5.28, 15.12, 10.77},
     {5.43, 15.52, 11.92}},
    {"Prager (WJ, Masing)",
     {"slip_force", "post_slip_stiffness", "normal_stiffness"},
     {5.25, 11.52, 12.35},
     {5.26, 11.63, 12.36}},
    {"Generalized Jenkins Prager (WJ, Masing)",
     {"slip_force", "stiffness", "post_slip_stiffness", "normal_stiffness"},
     {4.58, 11.66, 11.12, 12.12},
     {5.16, 12.79, 11.38, 18.51}},
    {"Generalized Jenkins Prager (FJ, non-Masing)",
     {"slip_force", "stiffness", "post_slip_stiffness", "normal_stiffness"},
     {5.27, 14.91, 9.03, 10.79},
     {5.40, 15.63, 11.23, 11.92}},
    {"Generalized Jenkins Prager + Penalty (FJ, non-Masing)",
     {"slip_force", "stiffness", "post_slip_stiffness", "normal_stiffness"},
     {5.30, 13.28, 7.43, 11.78},
     {5.70, 15.52, 10.76, 13.16}},
    // Table 12: friction coefficient, tangential, post-slip and normal stiffness.
    {"Elastic Dry Friction (WJ, Masing)",
     {"friction_coefficient", "stiffness", "normal_stiffness"},
     {0.75, 12.38, 12.28},
     {2.07, 14.37, 12.33}},
    {"Elastic Dry Friction (WJ, non-Masing)",
     {"friction_coefficient", "stiffness", "normal_stiffness"},
     {0.84, 13.83, 12.29},
     {1.03, 14.96, 12.31}},
    {"Elastic Dry Friction (FJ, non-Masing)",
     {"friction_coefficient", "stiffness", "normal_stiffness"},
     {0.65, 13.93, 11.74},
     {1.47, 15.26, 11.78}},
    {"Elastic Dry Friction + kp*u (FJ, non-Masing)",
     {"friction_coefficient", "stiffness", "post_slip_stiffness", "normal_stiffness"},
     {0.67, 13.75, 0.00, 11.73},
     {1.57, 15.5, 7.90, 11.78}},
    // Table 13: Iwan laws, those found by boundary intersection. chi >= -1.00 of the model without viscous damping is
    // printed rounded and said to be more.
    {"4-Parameter Iwan (WJ, Masing)",
     {"slip_force", "stiffness", "chi", "beta", "normal_stiffness"},
     {4.94, 11.72, -0.84, -6.53, 16.29},
     {5.30, 13.10, 0.09, -3.31, 19.17}},
    {"4-Parameter Iwan + kp*u (WJ, Masing)",
     {"slip_force", "stiffness", "chi", "beta", "post_slip_stiffness", "normal_stiffness"},
     {5.02, 12.11, -0.84, -3.76, 3.83, 14.51},
     {5.30, 13.11, 0.00, -1.47, 11.07, 18.50}},
    {"4-Parameter Iwan (WJ, Masing, no ζ0)",
     {"slip_force", "stiffness", "chi", "beta", "normal_stiffness"},
     {5.28, 13.19, -1.00, -2009.75, 13.32},
     {5.32, 15.64, -0.88, -3.79, 18.42}},
    {"5-Parameter Iwan (WJ, Masing)",
     {"slip_force", "stiffness", "chi", "beta", "theta", "normal_stiffness"},
     {4.85, 11.57, -0.82, -4.84, 0.88, 13.91},
     {5.30, 13.07, 0.17, -2.87, 1.00, 18.40}},
    // Table 14: A, eta or alpha and beta/alpha, n, post-slip and normal stiffness.
    {"Bouc-Wen General (WJ, Masing)",
     {"stiffness", "eta", "n", "normal_stiffness"},
     {12.60, 6.92, 0.50, 15.97},
     {12.94, 10.29, 1.08, 18.27}},
    {"Bouc-Wen n=1 (WJ, Masing)", {"stiffness", "eta", "normal_stiffness"}, {12.67, 7.39, 16.18}, {12.84, 7.55, 18.54}},
    {"Bouc-Wen n=2 (WJ, Masing)", {"stiffness", "eta", "normal_stiffness"}, {11.53, 1.81, 17.64}, {12.78, 2.25, 19.33}},
    {"Bouc-Wen n=1 + kp*u (WJ, Masing)",
     {"stiffness", "eta", "post_slip_stiffness", "normal_stiffness"},
     {12.68, 7.40, 10.14, 13.43},
     {12.83, 7.55, 10.59, 18.60}},
    {"Bouc-Wen n=1 (WJ, non-Masing)",
     {"stiffness", "alpha", "beta_over_alpha", "normal_stiffness"},
     {12.64, 7.11, -0.89, 13.96},
     {12.82, 7.28, -0.35, 14.88}},
    {"Bouc-Wen n=1 + kp*u (WJ, non-Masing)",
     {"stiffness", "alpha", "beta_over_alpha", "post_slip_stiffness", "normal_stiffness"},
     {12.62, 7.09, -0.77, 8.48, 13.82},
     {12.82, 7.29, -0.37, 10.26, 14.84}},
    {"Bouc-Wen n=1 (WJ, non-Masing, no ζ0)",
     {"stiffness", "alpha", "beta_over_alpha", "normal_stiffness"},
     {12.77, 7.58, 0.08, 13.18},
     {12.84, 8.43, 0.91, 14.72}},
    {"Bouc-Wen n=1 + kp*u (WJ, non-Masing, no ζ0)",
     {"stiffness", "alpha", "beta_over_alpha", "post_slip_stiffness", "normal_stiffness"},
     {12.77, 7.82, 0.45, 6.04, 12.87},
     {12.86, 8.49, 0.91, 10.14, 14.75}},
    // Table 15: E_0, lambda, E_t, kappa, normal stiffness.
    {"Valanis (WJ, Masing)",
     {"stiffness", "lambda", "post_slip_stiffness", "kappa", "normal_stiffness"},
     {12.66, 7.38, 5.76, 0.00, 18.16},
     {12.82, 7.53, 10.58, 0.01, 19.88}},
    {"Valanis (WJ, non-Masing)",
     {"stiffness", "lambda", "post_slip_stiffness", "kappa", "normal_stiffness"},
     {12.62, 7.30, 8.65, 0.01, 13.51},
     {12.81, 7.58, 11.04, 0.34, 19.5}},
    {"Valanis (WJ, non-Masing, no ζ0)",
     {"stiffness", "lambda", "post_slip_stiffness", "kappa", "normal_stiffness"},
     {12.10, 7.13, 10.96, 0.00, 14.18},
     {12.85, 7.83, 11.76, 0.06, 21.31}},
};

TEST(Porter2022, Tables11To15AreTheSpansOfTheCombinations) {
  ASSERT_EQ(tables_11_to_15.size(), combinations().size());
  for (const Ranges& printed : tables_11_to_15) {
    const Combination& c = combination_named(printed.name);
    ASSERT_EQ(c.spans.size(), printed.parameters.size()) << c.name;
    for (std::size_t i = 0; i < c.spans.size(); ++i) {
      const bool rounded = printed.lower[i] == -1.00;  // chi of the one model; half a unit of its last digit
      EXPECT_EQ(c.spans[i].name, printed.parameters[i]) << c.name;
      EXPECT_NEAR(c.spans[i].lower, printed.lower[i], rounded ? 0.00501 : 0) << c.name << " " << c.spans[i].name;
      EXPECT_EQ(c.spans[i].upper, printed.upper[i]) << c.name << " " << c.spans[i].name;
    }
  }
  EXPECT_NEAR(std::log10(combination_named("Prager (WJ, Masing)").fixed.front().second), 18.5, 1e-12);
}

TEST(Porter2022, SearchRangesHoldTables11To15ButForFiveEnds) {
  std::set<std::string> left_out;
  for (const Combination& c : combinations()) {
    const std::vector<ParameterSpan> searched = study::search_spans(c);
    ASSERT_EQ(searched.size(), c.spans.size()) << c.name;
    for (std::size_t i = 0; i < searched.size(); ++i) {
      EXPECT_EQ(searched[i].name, c.spans[i].name) << c.name;
      EXPECT_EQ(searched[i].logarithmic, c.spans[i].logarithmic) << c.name << " " << c.spans[i].name;
      if (searched[i].lower > c.spans[i].lower)
        left_out.insert(fmt::format("{} below {}", searched[i].name, searched[i].lower));
      if (searched[i].upper < c.spans[i].upper)
        left_out.insert(fmt::format("{} above {}", searched[i].name, searched[i].upper));
    }
  }
  EXPECT_EQ(left_out, (std::set<std::string>{"beta below -8", "chi below -0.99", "normal_stiffness above 18",
                                             "post_slip_stiffness below 4", "stiffness above 17"}));
}

TEST(Porter2022, Section411PostSlipStiffnessIsASmallShareOfTheStiffness) {
  // "1.02e-7 to 5.92e-3 times the tangential stiffness" (Valanis), "2.91e-3 to 5.96e-3" (Bouc-Wen n = 1): ratios of
  // single fits, which must lie within what Tables 14 and 15 allow, printed with two digits after the point.
  const auto span = [](const char* name) {
    const Combination& c = combination_named(name);
    double low = 0, high = 0;
    for (const ParameterSpan& s : c.spans) {
      if (s.name == "post_slip_stiffness") low += s.lower, high += s.upper;
      if (s.name == "stiffness") low -= s.upper, high -= s.lower;
    }
    return std::pair{std::pow(10, low - 0.01), std::pow(10, high + 0.01)};
  };
  for (const auto& [name, least, most] :
       {std::tuple{"Valanis (WJ, Masing)", 1.02e-7, 5.92e-3}, {"Bouc-Wen n=1 + kp*u (WJ, Masing)", 2.91e-3, 5.96e-3}}) {
    EXPECT_GT(least, span(name).first) << name;
    EXPECT_LT(most, span(name).second) << name;
  }
}

}  // namespace
}  // namespace microslip
