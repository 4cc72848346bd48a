#include <gtest/gtest.h>

#include <microslip/core/printable.hpp>

namespace microslip {
namespace {

TEST(Printable, KeepsTextAndDisarmsTheRest) {
  EXPECT_EQ(printable("größe ≥ 1 µm"), "größe ≥ 1 µm");
  EXPECT_EQ(printable("a\nb\tc\x1b[31md\x7f"), "a b c [31md ");
  EXPECT_EQ(printable("gr\xf6\xdf"
                      "e"),
            "gr??e");  // Latin-1
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80 \xe2\x82"), "?? ??? ???? ??");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace microslip
