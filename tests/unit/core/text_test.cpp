#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/text.hpp>

namespace microslip {
namespace {

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
