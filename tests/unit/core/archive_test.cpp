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

// A file of a megabyte can hold as many; where each name is compared with all before it, they take minutes.
TEST(Archive, ManyNamesAreFoundAtOnce) {
  constexpr std::size_t n = 200'000;
  Archive archive;
  for (std::size_t i = 0; i < n; ++i) archive.set(std::to_string(i), static_cast<double>(i));
  const Archive copy = archive;
  EXPECT_EQ(copy.number("199999"), 199'999);
  EXPECT_FALSE(copy.contains("200000"));
  EXPECT_EQ(copy.entries().at(7).first, "7");
  archive = Archive{};
  archive.set("7", 8.0);
  EXPECT_EQ(archive.number("7"), 8);
}

}  // namespace
}  // namespace microslip
