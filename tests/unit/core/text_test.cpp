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

TEST(Text, TimesOfLateRecordsAreToldApart) {
  EXPECT_EQ(time_text(0.0134375), "0.0134375");
  EXPECT_EQ(time_text(0.28093749), "0.280937");
  EXPECT_EQ(time_text(1.0444), "1.0444");
  EXPECT_EQ(time_text(-43200.51), "-43200.51");
  EXPECT_EQ(time_text(1e6 + 1e-5), "1000000.00001");
  EXPECT_EQ(time_text(1e300), "1e+300");
}

}  // namespace
}  // namespace microslip
