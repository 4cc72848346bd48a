#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/json.hpp>

using namespace microslip;
using microslip::test::message_of;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string refusal(std::string_view text) {
  return test::refusal([&] { (void)io::parse_json(text, "r.json"); });
}

}  // namespace

TEST(Json, NumbersAreShortestAndReadBackToTheSameBits) {
  EXPECT_EQ(io::to_text(io::Json(0.1), 0), "0.1");
  EXPECT_EQ(io::to_text(io::Json(5e-324), 0), "5e-324");
  EXPECT_EQ(io::to_text(io::Json(9007199254740993.0), 0), "9007199254740992.0");
  EXPECT_EQ(io::to_text(io::Json(-0.0), 0), "-0.0");
  EXPECT_EQ(io::to_text(io::Json(3), 0), "3");
  std::mt19937_64 rng(20260101);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(rng());
    if (!std::isfinite(x)) continue;
    const double back = io::parse_json(io::to_text(io::Json(x), 0), "x").get<double>();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(x));
  }
}

TEST(Json, NanIsNullWithAFlag) {
  io::Json object;
  io::set_numbers(object, "damping_ratio", std::vector<double>{1, not_a_number});
  io::set_numbers(object, "time", std::vector<double>{1, 2});
  io::set_number(object, "dissipation", std::numeric_limits<double>::infinity());
  io::set_rows(object, "shape", std::vector<std::vector<double>>{{1}, {not_a_number}});
  EXPECT_EQ(io::to_text(object, 0),
            R"({"damping_ratio":[1.0,null],"not_finite":["damping_ratio","dissipation","shape"],"time":[1.0,2.0],)"
            R"("dissipation":null,"shape":[[1.0],[null]]})");
}

TEST(Json, IndentedTextKeepsNumbersOnOneLine) {
  const auto value = io::parse_json(R"({"a":{"b":[1,2.5]},"c":[],"d":[{"e":"\u00e9\n"}]})", "x");
  EXPECT_EQ(io::to_text(value),
            "{\n  \"a\": {\n    \"b\": [1, 2.5]\n  },\n  \"c\": [],\n  \"d\": [\n    {\n      \"e\": \"é\\n\"\n    }\n "
            " ]\n}");
  EXPECT_EQ(io::parse_json(io::to_text(value), "x"), value);
  EXPECT_EQ(io::to_text(io::Json("\xff"), 0), "\"\xEF\xBF\xBD\"") << "bytes that are not UTF-8 are replaced";
}

TEST(Json, BadTextIsNamedByFileLineAndColumn) {
  EXPECT_EQ(refusal("{\n  \"a\": 1,\n  }").substr(0, 22), "r.json:3:3: not JSON: ");
  EXPECT_EQ(refusal("").substr(0, 22), "r.json:1:1: not JSON: ");
  EXPECT_EQ(refusal("[1, NaN]").substr(0, 12), "r.json:1:5: ");
  EXPECT_EQ(refusal(std::string(100000, '[')), "r.json: lists or objects are nested deeper than 64");
  EXPECT_NE(refusal("[1e999]"), "");
}

// Each key of an object is compared with all before it.
TEST(Json, ObjectsOfVeryManyKeysAreRefused) {
  const auto object = [](int n_keys) {
    std::string text = "{";
    for (int i = 0; i < n_keys; ++i) text += fmt::format("{}\"k{}\":{{\"a\":1}}", i == 0 ? "" : ",", i);
    return text + "}";
  };
  EXPECT_EQ(io::parse_json(object(5000), "x").size(), 5000U);
  EXPECT_EQ(refusal(object(20000)), "r.json: an object has more than 10000 keys");
  EXPECT_EQ(refusal("{\"a\":[1," + object(20000) + "]}"), "r.json: an object has more than 10000 keys");
  const std::string three = object(4000);
  EXPECT_EQ(io::parse_json("[" + three + "," + three + "," + three + "]", "x").size(), 3U) << "counted one by one";
}

TEST(Json, ArchiveGoesThereAndBack) {
  Archive archive;
  archive.set("rate", 51200.0);
  archive.set("name", std::string("beam"));
  archive.set("labels", std::vector<std::string>{"x", "y"});
  archive.set("shape", NamedArray{.shape = {2, 3}, .data = {1, 2, 3, 4, 5, not_a_number}});
  archive.set("empty", std::vector<double>{});
  Archive first, second, modes;
  first.set("f", 1.0);
  second.set("f", 2.0);
  modes.set("0", first);
  modes.set("1", second);
  archive.set("modes", modes);
  const std::string text = io::to_text(io::to_json(archive), 0);
  EXPECT_EQ(text, R"({"rate":51200.0,"name":"beam","labels":["x","y"],"shape":[[1.0,2.0,3.0],[4.0,5.0,null]],)"
                  R"("empty":[],"modes":[{"f":1.0},{"f":2.0}]})");
  const Archive back = io::to_archive(io::parse_json(text, "r.json"), "r.json");
  EXPECT_EQ(io::to_text(io::to_json(back), 0), text);
  EXPECT_EQ(back.array("shape").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(std::isnan(back.array("shape").data[5]));
  EXPECT_EQ(
      message_of<InvalidInput>([] { (void)io::to_archive(io::parse_json(R"({"a":{"b":[[1],[2,3]]}})", "r"), "r"); }),
      "r: a.b: a list of numbers, texts or objects is expected, rows equally long");
  for (const char* mixed : {R"({"a":[1,"x"]})", R"({"a":[1,[2]]})", R"({"a":[[1],2]})", R"({"a":[{},1]})", "[]", "1"})
    EXPECT_THROW((void)io::to_archive(io::parse_json(mixed, "r"), "r"), InvalidInput) << mixed;
}

TEST(Json, ReaderNamesThePath) {
  const auto value = io::parse_json(
      R"({"modes":[{"time":[0,null],"parameters":{"chi":-0.5},"rows":[[1],["x"]],"checked":true}]})", "r.json");
  const io::JsonReader reader(value, "r.json");
  const auto mode = reader.objects("modes").at(0);
  EXPECT_EQ(mode.numbers("time").at(0), 0);
  EXPECT_TRUE(std::isnan(mode.numbers("time").at(1)));
  EXPECT_EQ(mode.object("parameters").number("chi"), -0.5);
  EXPECT_EQ(mode.number("absent", 7), 7);
  EXPECT_TRUE(mode.flag("absent", true));
  EXPECT_TRUE(mode.flag("checked", false));
  const auto refused = [](auto f) { return message_of<InvalidInput>(f); };
  EXPECT_EQ(refused([&] { (void)mode.object("parameters").number("chii"); }),
            "r.json: modes[0].parameters.chii: is missing (the file has 'chi')");
  EXPECT_EQ(refused([&] { (void)mode.text("time"); }), "r.json: modes[0].time: a text is expected, got array");
  EXPECT_EQ(refused([&] { (void)mode.flag("time", true); }),
            "r.json: modes[0].time: true or false is expected, got array");
  EXPECT_EQ(refused([&] { (void)mode.rows("rows"); }), "r.json: modes[0].rows[1][0]: a number is expected, got string");
  EXPECT_EQ(refused([&] { (void)reader.numbers("modes"); }), "r.json: modes[0]: a number is expected, got object");
}
