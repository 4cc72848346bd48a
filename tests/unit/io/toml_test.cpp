#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/toml.hpp>

using namespace microslip;
using microslip::test::refusal;

namespace {

constexpr std::string_view text = R"([beam]
length = 0.3
count = 3
unilateral = true
file = "M.mtx"

[[mode]]
mass = 1
joint = { model = "iwan4", slip_force = 4.0e4 }
[[mode]]
mass = "heavy"
shape = [1, 2.5]
rows = [[1, 2], [3]]
fit = ["z", "a"]
)";

}  // namespace

TEST(Toml, TypedValues) {
  const auto top = io::TomlTable::parse(text, "some/s.toml");
  const auto beam = top.table("beam");
  EXPECT_EQ(beam.number("length"), 0.3);
  EXPECT_EQ(beam.number("count"), 3);
  EXPECT_EQ(beam.integer("count"), 3);
  EXPECT_EQ(beam.integer("absent", 5), 5);
  EXPECT_TRUE(beam.flag("unilateral", false));
  EXPECT_EQ(beam.file("file"), "some/M.mtx") << "paths start at the file's folder";
  EXPECT_EQ(beam.keys(), (std::vector<std::string>{"length", "count", "unilateral", "file"}));
  const auto modes = top.tables("mode");
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_EQ(modes[0].table("joint").text("model"), "iwan4");
  EXPECT_EQ(modes[1].numbers("shape"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(modes[1].texts("fit"), (std::vector<std::string>{"z", "a"}));
  EXPECT_TRUE(top.tables("sensor").empty());
  EXPECT_FALSE(top.find_table("load").has_value());
}

TEST(Toml, MessagesNameFileLineAndKey) {
  const auto top = io::TomlTable::parse(text, "s.toml");
  const auto modes = top.tables("mode");
  EXPECT_EQ(refusal([&] { (void)modes[1].number("mass"); }),
            "s.toml:11: mode[2].mass: a number is expected, got a text");
  EXPECT_EQ(refusal([&] { (void)modes[0].number("damping"); }),
            "s.toml:7: mode[1].damping: is missing, a number is expected");
  EXPECT_EQ(refusal([&] { (void)modes[0].table("joint").number("chi"); }),
            "s.toml:9: mode[1].joint.chi: is missing, a number is expected");
  EXPECT_EQ(refusal([&] { (void)modes[1].rows("rows"); }),
            "s.toml:13: mode[2].rows: row 2: 1 numbers, but the first row has 2");
  EXPECT_EQ(refusal([&] { (void)modes[1].numbers("fit"); }),
            "s.toml:14: mode[2].fit: entry 1: a number is expected, got a text");
  EXPECT_EQ(refusal([&] { (void)top.table("beam").integer("length"); }),
            "s.toml:2: beam.length: a whole number is expected, got a fraction");
  EXPECT_EQ(refusal([&] { (void)top.table("load"); }), "s.toml:1: load: is missing, a table [load] is expected");
  EXPECT_EQ(refusal([&] { (void)top.tables("beam"); }), "s.toml:1: beam: rows [[beam]] are expected, got a table");
  EXPECT_EQ(refusal([&] { (void)top.table("mode"); }), "s.toml:7: mode: a table is expected, got a list");
}

TEST(Toml, UnknownKeysAreRefusedWithTheNearestKnownOne) {
  const auto top = io::TomlTable::parse("[beam]\nlenght = 1\n", "b.toml");
  EXPECT_EQ(refusal([&] {
              top.table("beam").only({"length", "width"});
            }),
            "b.toml:2: beam.lenght: unknown key (did you mean 'length'?)");
  EXPECT_NO_THROW(top.only({"beam", "support"}));
}

TEST(Toml, BadSyntaxIsNamedByLineAndColumn) {
  EXPECT_EQ(refusal([] { (void)io::TomlTable::parse("a = 1\nb = = 2\n", "x.toml"); }).substr(0, 22),
            "x.toml:2:5: not TOML: ");
  EXPECT_NE(refusal([] { (void)io::TomlTable::parse("a = 1\na = 2\n", "x.toml"); }), "");
  EXPECT_NE(refusal([] { (void)io::TomlTable::parse(std::string(100000, '['), "x.toml"); }), "");
  EXPECT_NE(refusal([] { (void)io::TomlTable::parse("a = " + std::string(100000, '['), "x.toml"); }), "");
  EXPECT_EQ(refusal([] { (void)io::TomlTable::parse("a = 1979-05-27\n", "x.toml"); }),
            "x.toml:1: dates and times are not used here");
}
