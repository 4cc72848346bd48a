#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/verbs/range.hpp>

namespace microslip::verbs {
namespace {

TEST(Range, IsReadAsItIsTyped) {
  const Range range = parse_range("1e-7:3e-5:6", "--amplitudes", 100);
  EXPECT_EQ(range.low, 1e-7);
  EXPECT_EQ(range.high, 3e-5);
  EXPECT_EQ(range.count, 6U);
  EXPECT_EQ(parse_range("1:2:100", "x", 100).count, 100U);
}

TEST(Range, IsRefusedByNameWhereItIsNone) {
  for (const char* text : {"", "1", "1:2", "1:2:3:4", "2:1:3", "1:1:3", "0:1:3", "-1:1:3", "1:inf:3", "1:nan:3",
                           "1:2:1", "1:2:101", "1:2:2.5", "1:2:x", "1:2:1e300"}) {
    try {
      parse_range(text, "--amplitudes", 100);
      ADD_FAILURE() << text;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()), std::string("--amplitudes '") + text +
                                               "': LO:HI:COUNT is expected, with 0 < LO < HI and COUNT from 2 to 100");
    }
  }
}

}  // namespace
}  // namespace microslip::verbs
