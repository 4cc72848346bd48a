#include <cmath>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>

using namespace microslip;
using microslip::test::message_of;

namespace {

using Columns = std::vector<std::vector<double>>;
using Names = std::vector<std::string>;

io::Table parse(std::string_view text) { return io::parse_csv(text, "t.csv"); }
std::string refusal(std::string_view text) {
  return test::refusal([&] { (void)parse(text); });
}

const Columns two_by_two{{1.5, 3}, {2.25, -4e-3}};

}  // namespace

TEST(Csv, SameNumbersThroughEverySeparatorAndDecimalSign) {
  for (const char* text : {"1.5,2.25\n3,-4e-3\n",         //
                           "1.5;2.25\n3;-4e-3\n",         //
                           "1,5;2,25\n3;-4e-3\n",         //
                           "1.5\t2.25\r\n3\t-4e-3\r\n",   //
                           "1,5\t2,25\n3\t-0,004\n",      //
                           "1.5 2.25\n3 -4E-03",          //
                           "  1.5    2.25\n\t3\t -4e-3",  //
                           "1,5 2,25\n3 -4e-3\n",         //
                           "\"1,5\",\"2,25\"\n3,-4e-3\n",
                           "1.5 , 2.25 ,\n3,-4e-3,\n",  // a separator too many
                           "\xEF\xBB\xBF# comment\n\n1.5,2.25\n% more\n   \n3,-4e-3", "1.5D0,2.25d0\n+3,-4D-03\n",
                           "1.5,2.25\r3,-4e-3\r"})  // old Macintosh line ends
    EXPECT_EQ(parse(text).columns, two_by_two) << text;
}

TEST(Csv, RowsKnowTheirLines) {
  const auto table = parse("# force in N\n\nforce,dissipation\n\n1,2\n# pause\n3,4\n");
  EXPECT_EQ(table.line_numbers, (std::vector<int>{5, 7}));
  EXPECT_EQ(table.where(1), "t.csv:7");
}

TEST(Csv, HeaderAndUnitsInEveryUsualForm) {
  for (const char* text :
       {"time,acc 1\ns,m/s^2\n0,1\n", "time [s],acc 1 [m/s^2]\n0,1\n", "time (s);acc 1 (m/s^2)\n0;1\n",
        "\"time\",\"acc 1\"\n[s],(m/s^2)\n0,1\n", "time\tacc 1\t\ns\tm/s^2\t\n0\t1\t\n"}) {
    const auto table = parse(text);
    EXPECT_EQ(table.header, (Names{"time", "acc 1"})) << text;
    EXPECT_EQ(table.units, (Names{"s", "m/s^2"})) << text;
    EXPECT_EQ(table.columns, (Columns{{0}, {1}})) << text;
  }
  for (const char* unit : {"in/s^2", "ft", "mg", "lb", "ms", "µm", "m s-2", "V", "N m", "%"})
    EXPECT_EQ(parse(fmt::format("a,b c ({})\n1,2\n", unit)).units.at(1), unit) << "as in square brackets";
  EXPECT_EQ(parse("a,acc (left)\n1,2\n").header.at(1), "acc (left)");
  EXPECT_TRUE(parse("a,acc (left)\n1,2\n").units.empty());
  EXPECT_TRUE(parse("1,2\n").header.empty());
}

TEST(Csv, ProseAboveTheHeaderIsSkippedWithAWarning) {
  const auto table = parse("Logger 7, site B, run\nforce,dissipation\n1,2\n");
  EXPECT_EQ(table.header, (Names{"force", "dissipation"}));
  EXPECT_EQ(table.warnings, (Names{"line 1 is text above the header: skipped"}));
}

TEST(Csv, ColumnsGoByNameInAnyOrderAndCase) {
  const auto table = parse("Dissipation,force\n1,2\n3,4\n");
  EXPECT_EQ(table.column("force"), (std::vector<double>{2, 4}));
  EXPECT_EQ(table.column("dissipation"), (std::vector<double>{1, 3}));
  EXPECT_TRUE(table.has_column("FORCE"));
  EXPECT_FALSE(table.has_column("forces"));
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)table.column("forces"); }),
            "t.csv: no column is named 'forces' (nearest: 'force'); the header has: Dissipation, force");
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)parse("1,2\n").column("force"); }),
            "t.csv: column 'force' is wanted, but the file has no header row");
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)parse("f,f\n1,2\n").column("f"); }),
            "t.csv: two columns are named 'f'");
}

TEST(Csv, ABadCellIsNamedByFileLineColumnAndText) {
  EXPECT_EQ(refusal("force,dissipation\n1,2\n3,abc\n"), "t.csv:3: column 2 (dissipation): 'abc', a number is expected");
  EXPECT_EQ(refusal("1,2\n\n3,\n"), "t.csv:3: column 2: is empty, a number is expected");
  EXPECT_EQ(refusal("1,2\nnan,3\n"), "t.csv:2: column 1: 'nan', a finite number is expected");
  EXPECT_EQ(refusal("force\nnan\n1\n"), "t.csv:2: column 1 (force): 'nan', a finite number is expected");
  EXPECT_EQ(refusal("force,dissipation\nNaN,inf\n1,2\n"),
            "t.csv:2: column 1 (force): 'NaN', a finite number is expected");
  EXPECT_EQ(refusal("nan,nan\n1,2\n"), "t.csv:1: column 1: 'nan', a finite number is expected");
  EXPECT_EQ(refusal("1,2\n-inf,3\n"), "t.csv:2: column 1: '-inf', a finite number is expected");
  EXPECT_EQ(refusal("1,2\n1e999,3\n"), "t.csv:2: column 1: '1e999', a number is expected");
  EXPECT_EQ(refusal("1;2\n1.2.3;3\n"), "t.csv:2: column 1: '1.2.3', a number is expected");
  EXPECT_EQ(refusal("1,2\n3,4,5\n"), "t.csv:2: 3 cells, but the first row of numbers has 2");
  EXPECT_EQ(refusal("1,2\n3\n"), "t.csv:2: 1 cells, but the first row of numbers has 2");
  EXPECT_EQ(refusal("force\n1,2\n"), "t.csv:1: the header has 1 cells, the rows below it have 2");
  EXPECT_EQ(refusal("force,dissipation\n1,abc\n"), "t.csv:2: column 2 (dissipation): 'abc', a number is expected");
  EXPECT_EQ(refusal("1,5;2\n1.5;2\n"), "t.csv:2: decimal points here and decimal commas on line 1: use one of them");
  EXPECT_EQ(refusal("1.5;2\n1;2\n1,5;2\n"),
            "t.csv:3: decimal commas here and decimal points on line 1: use one of them");
  EXPECT_EQ(refusal("1;2\n1,5;2.5\n"), "t.csv:2: decimal points and decimal commas on one line: use one of them");
  EXPECT_EQ(refusal("1,\"2\n"), "t.csv:1: a quotation mark is not closed where its cell ends");
  EXPECT_EQ(refusal(""), "t.csv: is empty, a table of numbers is expected");
  EXPECT_EQ(refusal("# only\n\n"), "t.csv: is empty, a table of numbers is expected");
  EXPECT_EQ(refusal("force,dissipation\n"), "t.csv:1: only text, no row of numbers");
  EXPECT_EQ(refusal(std::string_view("1,2\n\0", 5)), "t.csv: holds a zero byte at offset 4: not a text file");
}

TEST(Csv, MissingCellsBecomeNanOnRequestOnly) {
  const auto table = io::parse_csv("a,b\n1,\nNaN,3\n", "t.csv", {.missing_is_nan = true});
  EXPECT_TRUE(std::isnan(table.columns[1][0]) && std::isnan(table.columns[0][1]));
  EXPECT_EQ(table.columns[1][1], 3);
  const auto first = io::parse_csv("a,b\nNA,nan\n2,3\n", "t.csv", {.missing_is_nan = true});
  EXPECT_EQ(first.columns[0].size(), 2U);
  EXPECT_TRUE(first.units.empty()) << "a row of what is missing holds no units";
}

TEST(Csv, WritesWhatItReads) {
  io::Table table;
  table.header = {"time", "acc, left"};
  table.units = {"s", ""};
  table.columns = {{0.1, 1.0 / 3.0}, {-1e-300, 12345678.9}};
  const auto back = parse(io::to_csv(table));
  EXPECT_EQ(back.header, table.header);
  EXPECT_EQ(back.units, table.units);
  EXPECT_EQ(back.columns, table.columns);
}

TEST(Csv, RealFileWithAUnitRow) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto table = io::read_csv(test::shared_data() / "measured/timber_SPC1.csv");
  EXPECT_EQ(table.header, (Names{"Lead Actuator Force", "Lead Actuator Displacment"}));
  EXPECT_EQ(table.units, (Names{"kN", "mm"}));
  EXPECT_EQ(table.columns[0][4], 0.28);  // line 7 of the file: 0.28,0.02
  EXPECT_EQ(table.columns[1][4], 0.02);
  EXPECT_EQ(table.line_numbers[4], 7);
}
