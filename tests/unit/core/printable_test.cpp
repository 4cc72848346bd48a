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

TEST(Utf8Length, CountsTheBytesOfOneCharacterAndRefusesWhatIsNone) {
  EXPECT_EQ(utf8_length("ab"), 1U);
  EXPECT_EQ(utf8_length("µm"), 2U);
  EXPECT_EQ(utf8_length("≥ 1"), 3U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x94\xa9"), 4U);
  for (const char* none : {"\xb5m", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    EXPECT_EQ(utf8_length(none), 0U);
}

}  // namespace
}  // namespace microslip
