#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <microslip/core/suggestion.hpp>

namespace microslip {
namespace {

const std::vector<std::string> names{"slip_force", "stiffness", "chi", "beta"};

TEST(Nearest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(nearest("slip_froce", names), "slip_force");
  EXPECT_EQ(nearest("stifness", names), "stiffness");
  EXPECT_EQ(nearest("betta", names), "beta");
}

TEST(Nearest, StaysSilentWhereNothingIsClose) {
  EXPECT_FALSE(nearest("temperature", names).has_value());
  EXPECT_EQ(suggestion("temperature", names), " (known: slip_force, stiffness, chi, beta)");
}

/// To replace every letter of a word is not to misspell it.
TEST(Nearest, SharesALetterAtLeast) {
  const std::vector<std::string> parameters{"stiffness", "n", "alpha", "beta"};
  EXPECT_FALSE(nearest("A", parameters).has_value());
  EXPECT_FALSE(nearest("kt", parameters).has_value());
  EXPECT_EQ(nearest("nn", parameters), "n");
  EXPECT_EQ(suggestion("A", parameters), " (known: stiffness, n, alpha, beta)");
}

}  // namespace
}  // namespace microslip
