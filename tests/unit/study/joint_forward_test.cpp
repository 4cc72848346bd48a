#include <cmath>

#include <gtest/gtest.h>

#include <microslip/study/joint_forward.hpp>

namespace microslip::study {
namespace {

/// A law that nobody has yet: two parameters by known names, one of its own, and an optional spring.
LawInfo eleventh() {
  const Range any_magnitude = above_zero("it scales the law");
  return {.name = "eleventh",
          .title = "Eleventh",
          .masing = true,
          .parameters = {{"slip_force", "f_s", "N", "", any_magnitude, 1, true},
                         {"stiffness", "k_t", "N/m", "", any_magnitude, 1, true},
                         {"sharpness", "s", "1", "", {0, 1, false, false, "a share"}, 0.5, true},
                         {"scale", "c", "1", "", any_magnitude, 0.5, true},
                         {"post_slip_stiffness", "k_p", "N/m", "", from_zero(""), 0, false}},
          .alternatives = {}};
}

TEST(OwnCombination, SearchesWhatTheLawRequiresAndTheNormalStiffnessLast) {
  const Combination c = own_combination(eleventh());
  std::vector<std::string> names;
  for (const ParameterSpan& span : c.spans) names.push_back(span.name);
  EXPECT_EQ(names, (std::vector<std::string>{"slip_force", "stiffness", "sharpness", "scale", "normal_stiffness"}));
  EXPECT_EQ(c.model, "eleventh");
  EXPECT_TRUE(c.masing && c.boundary_intersection && !c.full_joint);
}

TEST(OwnCombination, TakesBoundsFromOtherLawsByNameAndInventsNone) {
  const std::vector<ParameterSpan> own = search_spans(own_combination(eleventh()));
  const std::vector<ParameterSpan> jenkins = search_spans(combination_named("jenkins-wj-masing"));
  for (std::size_t j : {0U, 1U}) {
    EXPECT_EQ(own[j].lower, jenkins[j].lower) << own[j].name;
    EXPECT_EQ(own[j].upper, jenkins[j].upper) << own[j].name;
    EXPECT_TRUE(own[j].logarithmic) << own[j].name;
  }
  EXPECT_TRUE(std::isnan(own[2].lower) && std::isnan(own[2].upper));
  EXPECT_FALSE(own[2].logarithmic);  // a share lies between bounds
  EXPECT_TRUE(own[3].logarithmic);   // a magnitude has none
  EXPECT_EQ(own.back().name, "normal_stiffness");
}

TEST(OwnCombination, ALawWithoutMasingsRulesIsSearchedBetweenReversals) {
  LawInfo law = eleventh();
  law.masing = false;
  const Combination c = own_combination(law);
  EXPECT_FALSE(c.masing || c.boundary_intersection);
}

}  // namespace
}  // namespace microslip::study
