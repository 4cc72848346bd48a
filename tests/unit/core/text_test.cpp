#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/text.hpp>

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

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number(" 1.5e3 "), 1500.0);
  EXPECT_EQ(parse_number("+2"), 2.0);
  EXPECT_FALSE(parse_number("1.5x").has_value());
  EXPECT_FALSE(parse_number("").has_value());
  EXPECT_FALSE(parse_number("1,5").has_value());
  EXPECT_EQ(parse_number("1,5", true), 1.5);
  EXPECT_TRUE(std::isnan(parse_number("nan").value()));
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace microslip
