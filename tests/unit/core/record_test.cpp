#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/core/record.hpp>

namespace microslip {
namespace {

TEST(Quantity, NamesGoBothWays) {
  for (const Quantity q : {Quantity::displacement, Quantity::velocity, Quantity::acceleration, Quantity::force})
    EXPECT_EQ(quantity_from(to_string(q)), q);
}

TEST(Quantity, AMisspeltNameIsRefusedWithASuggestion) {
  try {
    quantity_from("accelaration");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "unknown quantity 'accelaration' (did you mean 'acceleration'?)");
  }
}

}  // namespace
}  // namespace microslip
