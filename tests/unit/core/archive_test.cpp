#include <gtest/gtest.h>

#include <microslip/core/archive.hpp>
#include <microslip/core/check.hpp>

namespace microslip {
namespace {

TEST(Archive, KeepsOrderAndKind) {
  Archive inner;
  inner.set("mass", NamedArray{.shape = {1, 2}, .data = {1.0, 2.0}});
  Archive archive;
  archive.set("version", std::string("0.1"));
  archive.set("scale", 3.0);
  archive.set("system", inner);
  EXPECT_EQ(archive.entries()[1].first, "scale");
  EXPECT_EQ(archive.number("scale"), 3.0);
  EXPECT_EQ(archive.group("system").array("mass").data[1], 2.0);
}

TEST(Archive, NamesWhatIsMissingOrOfAnotherKind) {
  Archive archive;
  archive.set("scale", 3.0);
  EXPECT_THROW(archive.set("scale", 4.0), InvalidInput);
  EXPECT_THROW((void)archive.text("scale"), InvalidInput);
  try {
    (void)archive.number("mass");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "entry 'mass' is missing");
  }
}

}  // namespace
}  // namespace microslip
