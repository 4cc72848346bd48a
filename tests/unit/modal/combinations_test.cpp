#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/modal/combinations.hpp>

namespace microslip {
namespace {

std::size_t count(bool (*holds)(const Combination&)) {
  return static_cast<std::size_t>(std::count_if(combinations().begin(), combinations().end(), holds));
}

TEST(Combinations, AreTheTwentySixOfSection2) {
  EXPECT_EQ(combinations().size(), 26U);
  EXPECT_EQ(count([](const Combination& c) { return c.masing && c.viscous && !c.full_joint; }), 12U);
  EXPECT_EQ(count([](const Combination& c) { return !c.masing && c.viscous && !c.full_joint; }), 5U);
  EXPECT_EQ(count([](const Combination& c) { return !c.viscous; }), 4U);
  EXPECT_EQ(count([](const Combination& c) { return c.full_joint; }), 5U);
  std::set<std::string> names, keys;
  for (const Combination& c : combinations()) names.insert(c.name), keys.insert(c.key);
  EXPECT_EQ(names.size(), 26U);
  EXPECT_EQ(keys.size(), 26U);
}

TEST(Combinations, HaveTheParametersThatTable1Counts) {
  // The laws' own, the normal stiffness, and one more for a post-slip stiffness. Bouc-Wen n = 1 has 3 where Masing
  // merges alpha and beta, 4 otherwise; Prager's stiffness is fixed.
  for (const auto& [key, n] : {std::pair{"iwan4-wj-masing", 5U},
                               {"iwan5-wj-masing", 6U},
                               {"bouc_wen-wj-masing", 4U},
                               {"bouc_wen_1-wj-masing", 3U},
                               {"bouc_wen_1-wj-reversal", 4U},
                               {"bouc_wen_1_kp-wj-reversal", 5U},
                               {"bouc_wen_2-wj-masing", 3U},
                               {"valanis-wj-masing", 5U},
                               {"jenkins-fj-reversal", 3U},
                               {"elastic_dry_friction-fj-reversal", 3U},
                               {"prager-wj-masing", 3U},
                               {"jenkins_prager-wj-masing", 4U},
                               {"iwan4_kp-wj-masing", 6U}})
    EXPECT_EQ(combination_named(key).n_parameters(), n) << key;
}

TEST(Combinations, MakeLawsAtBothEndsAndInTheMiddleOfTheirRanges) {
  for (const Combination& c : combinations())
    for (double fraction : {0.0, 0.5, 1.0}) {
      const InterfaceParameters p = interface_parameters(c, search_point(c, fraction));
      EXPECT_GT(p.normal_stiffness, 1e10) << c.name;
      const AnyLaw law = make_law(c.model, p.law);
      EXPECT_EQ(law_name(law), c.model);
    }
}

TEST(Combinations, GiveTheRatioOfBoucWenAsBeta) {
  const Combination& c = combination_named("Bouc-Wen n=1 (WJ, non-Masing)");
  const InterfaceParameters p = interface_parameters(c, std::vector<double>{12.7, 7.2, -0.5, 14.0});
  ASSERT_EQ(p.law.size(), 3U);
  EXPECT_EQ(p.law[2].first, "beta");
  EXPECT_DOUBLE_EQ(p.law[2].second, -0.5 * std::pow(10.0, 7.2));
  EXPECT_DOUBLE_EQ(p.normal_stiffness, 1e14);
}

TEST(Combinations, AreFoundHoweverTheyAreWritten) {
  const Combination& c = combination_named("4-Parameter Iwan (WJ, Masing, no ζ0)");
  EXPECT_FALSE(c.viscous);
  EXPECT_EQ(&c, &combination_named("4-parameter iwan (WJ,Masing, no zeta0)"));
  EXPECT_EQ(&c, &combination_named("iwan4-wj-masing-no-viscous"));
  try {
    combination_named("iwan4-wj-massing");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("iwan4-wj-masing"), std::string::npos) << error.what();
  }
  EXPECT_THROW(combination_named(""), InvalidInput);
  EXPECT_THROW(interface_parameters(c, std::vector<double>{1.0}), InvalidInput);
}

}  // namespace
}  // namespace microslip
