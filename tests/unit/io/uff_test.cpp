#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/uff.hpp>

using namespace microslip;
using microslip::test::message_of;
using microslip::test::Scratch;
using microslip::test::shared_data;

namespace {

io::UffFunction sample(bool complex, bool double_precision, bool even) {
  io::UffFunction function;
  function.id = {"first line", "", "NONE of these", "", "last"};
  function.type = complex ? 4 : 1;
  function.response_name = "acc 1";
  function.response_node = 17;
  function.response_direction = -3;
  function.reference_node = 4;
  function.reference_direction = 1;
  function.complex = complex;
  function.double_precision = double_precision;
  function.even = even;
  function.start = 0.25;
  function.increment = 1.0 / 1024;
  function.abscissa = {.type = 17, .label = "Time", .unit = "s"};
  function.ordinate = {.type = 12, .label = "Acceleration", .unit = "m/s^2"};
  for (int i = 0; i < 13; ++i) {  // no multiple of the values on a line
    function.values.push_back(std::sin(0.3 * i) * std::pow(10.0, i - 6));
    if (complex) function.imaginary.push_back(-std::cos(0.3 * i));
    if (!even) function.x.push_back(0.25 + i / 64.0);
  }
  return function;
}

io::UffFile parse(const std::string& text) { return io::parse_uff(text, "f.uff"); }
std::string refusal(const std::string& text) {
  return test::refusal([&] { (void)parse(text); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<Record> shared_records(const std::string& name) {
  const auto path = shared_data() / "formats/uff" / name;
  return io::read_records(path);
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

TEST(Uff, EveryKindGoesThereAndBack) {
  for (const auto form : {io::UffForm::text, io::UffForm::little_endian, io::UffForm::big_endian})
    for (const bool complex : {false, true})
      for (const bool double_precision : {false, true})
        for (const bool even : {false, true}) {
          const auto function = sample(complex, double_precision, even);
          const auto file = parse(io::to_uff58(function, form) + io::to_uff58(function, form));
          ASSERT_EQ(file.functions.size(), 2U);
          EXPECT_TRUE(file.warnings.empty());
          const auto& back = file.functions[1];
          EXPECT_EQ(back.id[0], "first line");
          EXPECT_EQ(back.response_name, "acc 1");
          EXPECT_EQ(back.response_node, 17);
          EXPECT_EQ(back.response_direction, -3);
          EXPECT_EQ(back.reference_node, 4);
          EXPECT_EQ(back.ordinate.unit, "m/s^2");
          EXPECT_EQ(back.abscissa.type, 17);
          EXPECT_EQ(back.complex, complex);
          EXPECT_EQ(back.double_precision, double_precision);
          // Text keeps 6 or 13 significant digits; binary keeps a float's or a double's bits.
          const bool text = form == io::UffForm::text;
          const double relative = text ? (double_precision ? 5e-13 : 5e-6) : (double_precision ? 0.0 : 6e-8);
          ASSERT_EQ(back.values.size(), function.values.size());
          for (std::size_t i = 0; i < function.values.size(); ++i) {
            EXPECT_NEAR(back.values[i], function.values[i], relative * std::abs(function.values[i]));
            if (complex) {
              EXPECT_NEAR(back.imaginary[i], function.imaginary[i], relative * std::abs(function.imaginary[i]));
            }
            if (!even) {
              EXPECT_NEAR(back.x[i], function.x[i], 5e-6 * function.x[i]) << "abscissas are single by the format";
            }
          }
        }
}

// The specification's columns: 2(I5,I10),2(1X,10A1,I10,I4) / 3I10,3E13.5 / I10,3I5,2(1X,20A1) / 6E13.5.
TEST(Uff, TextIsExactToTheColumn) {
  auto function = sample(false, false, true);
  function.values = {1, -0.5, 1e-7, 12345678, 0, -1e-101, 2};
  EXPECT_EQ(io::to_uff58(function, io::UffForm::text),
            "    -1\n"
            "    58\n"
            "first line\nNONE\nNONE of these\nNONE\nlast\n"
            "    1         0    0         0 acc 1             17  -3 NONE               4   1\n"
            "         2         7         1  2.50000E-01  9.76562E-04  0.00000E+00\n"
            "        17    0    0    0 Time                 s                   \n"
            "        12    0    0    0 Acceleration         m/s^2               \n"
            "         0    0    0    0 NONE                 NONE                \n"
            "         0    0    0    0 NONE                 NONE                \n"
            "  1.00000E+00 -5.00000E-01  1.00000E-07  1.23457E+07  0.00000E+00-1.00000E-101\n"
            "  2.00000E+00\n"
            "    -1\n");
  const std::string binary = io::to_uff58(function, io::UffForm::little_endian);
  EXPECT_EQ(binary.substr(7, 80), "    58b     1     2          11          28     0     0           0           0\n");
}

TEST(Uff, FortransNumbersInAllTheirForms) {
  const std::string text = io::to_uff58(sample(false, false, true), io::UffForm::text);
  const std::size_t body = text.rfind("NONE                \n") + 21;
  const std::string head = replaced(text.substr(0, body), "        13         1", "         8         1");
  const auto file = parse(head + " 1.5D+03-2.5E+00 1.00000-100 +4 .5 -6.\n7e2      8d-1                    \n    -1\n");
  EXPECT_EQ(file.functions.at(0).values, (std::vector<double>{1500, -2.5, 1e-100, 4, 0.5, -6, 700, 0.8}));
}

TEST(Uff, OdditiesOfTheFieldAreRead) {
  const auto function = sample(false, true, true);
  const std::string text = io::to_uff58(function, io::UffForm::text);
  const std::string binary = io::to_uff58(function, io::UffForm::little_endian);
  const auto values = [](const std::string& bytes) { return parse(bytes).functions.at(0).values.size(); };
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(values(crlf), 13U);
  EXPECT_EQ(values(binary.substr(0, binary.size() - 7) + "\r\n    -1\r\n"), 13U) << "a stray line end before -1";
  EXPECT_EQ(values(replaced(text, "NONE of these", "    -1")), 13U) << "a delimiter among the header lines";
  EXPECT_EQ(values("\n\n" + text), 13U);
  EXPECT_EQ(values(replaced(text, "m/s^2 ", "m/s\xB2 ")), 13U);
  EXPECT_EQ(parse(replaced(text, "m/s^2 ", "m/s\xB2 ")).functions.at(0).ordinate.unit, "m/s²")
      << "Latin-1 is understood";
  EXPECT_EQ(values("    -1\n   151\nhead\n    -1\n" + text + "    -1\n  2411\n 1 2 3\n 4 5 6\n    -1\n"), 13U);
  EXPECT_EQ(values("    -1\n    -1\n" + text), 13U) << "an empty data set";
  const auto short_count = parse(replaced(text, "        13         1", "        20         1"));
  EXPECT_EQ(short_count.functions.at(0).values.size(), 13U);
  EXPECT_EQ(short_count.warnings, (std::vector<std::string>{"byte 14: data set 58 declares 20 values and holds 13"}));
  const auto no_size = parse(replaced(binary, "         104", "           0"));
  EXPECT_EQ(no_size.functions.at(0).values, function.values);
  EXPECT_EQ(no_size.warnings.size(), 1U);
}

TEST(Uff, DamageIsNamedByByte) {
  const auto function = sample(false, true, true);
  const std::string text = io::to_uff58(function, io::UffForm::text);
  const std::string binary = io::to_uff58(function, io::UffForm::big_endian);
  EXPECT_EQ(refusal(""), "f.uff: no line with -1: not a universal file");
  EXPECT_EQ(refusal("a,b\n1,2\n"), "f.uff: no line with -1: not a universal file");
  EXPECT_EQ(refusal("    -1\nabc\n    -1\n"), "f.uff: byte 7: the number of a data set is expected, got 'abc'");
  EXPECT_EQ(refusal(text.substr(0, text.size() - 7)), "f.uff: byte 7: data set 58 has no -1 at its end: truncated");
  EXPECT_EQ(
      refusal(binary.substr(0, binary.size() - 60)),
      fmt::format("f.uff: byte {}: data set 58b needs 104 bytes, only 51 are left: truncated", binary.size() - 111));
  EXPECT_EQ(refusal(replaced(binary, "b     2     2", "b     2     1")),
            "f.uff: byte 87: floating point format 1 of data set 58b is not 2 (IEEE 754)");
  EXPECT_EQ(refusal(replaced(binary, "b     2     2", "b     7     2")),
            "f.uff: byte 87: byte order 7 of data set 58b is neither 1 (little) nor 2 (big)");
  EXPECT_EQ(refusal(replaced(text, "         4        13", "         3        13")),
            "f.uff: byte 135: ordinate data type 3 is none of 2, 4 (real), 5, 6 (complex)");
  EXPECT_NE(refusal(replaced(text, "000000E+00", "000000E+0x")).find("is not a number"), std::string::npos);
  EXPECT_EQ(refusal("    -1\n   164\n         1SI\n 0 1 1\n    -1\n"),
            "f.uff: byte 27: data set 164 must give positive factors of length and force");
}

TEST(Uff, FactorsOfDataSet164Divide) {
  const std::string units =
      "    -1\n   164\n         5mm (milli-newton)            2\n  1.0D+03  1.0D+03  1.0D+00\n  2.7D+02\n    -1\n";
  auto function = sample(false, true, true);
  function.ordinate.unit = "";
  auto file = parse(units + io::to_uff58(function, io::UffForm::little_endian));
  auto records = io::records_from_uff(file, "f.uff", {});
  EXPECT_EQ(records.at(0).channels.at(0).unit, "m/s^2");
  EXPECT_EQ(records.at(0).channels.at(0).samples.at(3), function.values[3] / 1000);
  function.ordinate.unit = "mm/s^2";  // the label says the same: it stays
  records = io::records_from_uff(parse(units + io::to_uff58(function, io::UffForm::little_endian)), "f.uff", {});
  EXPECT_EQ(records.at(0).channels.at(0).samples, function.values);
  EXPECT_TRUE(records.at(0).warnings.empty());
  function.ordinate.unit = "m/s^2";  // the label contradicts: it wins, aloud
  records = io::records_from_uff(parse(units + io::to_uff58(function, io::UffForm::little_endian)), "f.uff", {});
  EXPECT_EQ(records.at(0).channels.at(0).samples, function.values);
  EXPECT_EQ(records.at(0).warnings.size(), 1U);
}

TEST(Uff, TheUnitTellsWhatIsMeasuredBeforeTheType) {
  const auto read = [](int type, const std::string& unit, const io::ReadOptions& options = {}) {
    auto function = sample(false, true, true);
    function.ordinate.type = type;
    function.ordinate.unit = unit;
    return io::records_from_uff(parse(io::to_uff58(function, io::UffForm::text)), "f.uff", options).at(0);
  };
  const Record contradicted = read(12, "m/s");
  EXPECT_EQ(contradicted.channels.at(0).quantity, Quantity::velocity);
  EXPECT_EQ(contradicted.warnings,
            (std::vector<std::string>{
                "channel 'acc 1': the unit 'm/s' contradicts its type, acceleration: the unit is used"}));
  EXPECT_EQ(read(12, "g").channels.at(0).quantity, Quantity::acceleration);
  EXPECT_TRUE(read(12, "g").warnings.empty());
  EXPECT_EQ(read(12, "V").channels.at(0).quantity, Quantity::acceleration) << "a unit that tells nothing";
  EXPECT_EQ(read(0, "N").channels.at(0).quantity, Quantity::force);
  io::ReadOptions given;
  given.unit = "mm";
  EXPECT_EQ(read(12, "", given).channels.at(0).quantity, Quantity::acceleration) << "the file before the caller";
}

TEST(Uff, TimeIsInItsUnit) {
  for (const bool even : {true, false}) {
    auto function = sample(false, true, even);
    function.increment = 15.625;  // of x too, a thousandfold
    for (double& x : function.x) x *= 1000;
    function.start = 250;
    const auto read = [&](const std::string& unit) {
      function.abscissa.unit = unit;
      return io::records_from_uff(parse(io::to_uff58(function, io::UffForm::little_endian)), "f.uff", {}).at(0);
    };
    for (const char* milliseconds : {"ms", "millisec", "Milliseconds"}) {
      EXPECT_NEAR(read(milliseconds).sampling_rate_hz, 64, 64 * 5e-6) << milliseconds << ", six digits of the step";
      EXPECT_DOUBLE_EQ(read(milliseconds).start_time, 0.25);
    }
    EXPECT_NEAR(read("").sampling_rate_hz, 0.064, 0.064 * 5e-6);
    EXPECT_EQ(test::refusal([&] { (void)read("furlong"); }),
              "f.uff: data set 58 at byte 87: time is in 'furlong', s or ms is expected");
  }
}

TEST(Uff, RecordsGoThereAndBackWithRepeatsApart) {
  const Scratch scratch;
  Record record;
  record.sampling_rate_hz = 1024;
  record.start_time = 0.5;
  Channel channel;
  channel.name = "a";
  channel.unit = "m/s^2";
  channel.quantity = Quantity::acceleration;
  channel.node = 3;
  channel.direction = "-RY";
  for (int i = 0; i < 100; ++i) channel.samples.push_back(std::sin(i));
  record.channels = {channel, channel};
  record.channels[1].name = "hammer";
  record.channels[1].quantity = Quantity::force;
  record.channels[1].unit = "N";
  io::write_uff(scratch / "r.uff", std::vector<Record>{record, record});
  const auto back = io::read_records(scratch / "r.uff");
  ASSERT_EQ(back.size(), 2U);
  for (const Record& one : back) {
    EXPECT_NEAR(one.sampling_rate_hz, 1024, 1024 * 5e-6) << "the format prints six digits of the step";
    EXPECT_EQ(one.start_time, 0.5);
    ASSERT_EQ(one.channels.size(), 2U);
    EXPECT_EQ(one.channels[0].samples, channel.samples);
    EXPECT_EQ(one.channels[0].direction, "-RY");
    EXPECT_EQ(one.channels[1].quantity, Quantity::force);
  }
  EXPECT_EQ(io::read_records(scratch / "r.uff", {.sampling_rate_hz = 1024, .time = "", .unit = ""})[0].sampling_rate_hz,
            1024);
}

// Reference values: NumPy 1.24 (frombuffer on the bytes after the header, or split() of the text).
TEST(Uff, SharedFilesAgreeWithNumpy) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto text = shared_records("Sample_UFF58_ascii.uff"), binary = shared_records("Sample_UFF58b_bin.uff");
  ASSERT_EQ(text.at(0).n_samples(), 79292U);
  EXPECT_EQ(text[0].channels[0].name, "Mic 01");
  EXPECT_EQ(text[0].channels[0].unit, "Pa");
  EXPECT_NEAR(text[0].sampling_rate_hz, 65536, 65536 * 5e-6);
  EXPECT_EQ(text[0].channels[0].samples[0], -0.0147553);
  EXPECT_EQ(binary.at(0).channels[0].samples[0], -0.014755260199308395);
  EXPECT_EQ(binary[0].channels[0].samples[79291], -0.004314688965678215);
  EXPECT_NEAR(mean(binary[0].channels[0].samples), 7.207587220325576e-05, 1e-15);
  for (std::size_t i = 0; i < 79292; ++i)
    ASSERT_NEAR(text[0].channels[0].samples[i], binary[0].channels[0].samples[i],
                5.1e-6 * std::abs(text[0].channels[0].samples[i]) + 1e-12);

  const auto doubles = shared_records("binary8byte.uff");
  EXPECT_EQ(doubles.at(0).channels.at(0).samples.at(1), 0.30901697278022766);
  EXPECT_EQ(doubles[0].channels[0].samples.at(249), 0.3090193569660187);
  EXPECT_EQ(doubles[0].channels[0].unit, "g");
  EXPECT_EQ(doubles[0].channels[0].quantity, Quantity::acceleration);

  const auto four = shared_records("MPSTD#Set001_2024_10_08_10_27_07.uff");
  ASSERT_EQ(four.size(), 1U);
  ASSERT_EQ(four[0].channels.size(), 4U);
  EXPECT_EQ(four[0].channels[3].name, "1+Z (MPS set1 Dof4)") << "the file gives two channels one degree of freedom";
  EXPECT_EQ(four[0].sampling_rate_hz, 3200);
  const double first[] = {0.08014833927154541, -0.24966570734977722, -0.07571762055158615, 0.15346390008926392};
  const double average[] = {0.07225165155288127, -0.31732504052351224, -0.07475949128397362, 0.1287977195672608};
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(four[0].channels[c].samples[0], first[c]);
    EXPECT_NEAR(mean(four[0].channels[c].samples), average[c], 1e-13);
    EXPECT_EQ(four[0].channels[c].unit, "m/s2");
  }
}

TEST(Uff, EverySharedFileIsReadOrRefusedWithItsReason) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto unfilled = shared_records("time-history-not-all-columns-filled.uff");
  EXPECT_EQ(unfilled.at(0).channels.at(0).samples.size(), 13U);
  EXPECT_EQ(unfilled[0].channels[0].samples.back(), -5.84096);
  EXPECT_EQ(unfilled[0].channels[0].unit, "m/s²");
  EXPECT_EQ(unfilled[0].channels[0].quantity, Quantity::acceleration);
  EXPECT_NEAR(unfilled[0].sampling_rate_hz, 20000, 1e-6);

  const auto milestone = shared_records("dataset_milestone_in_header.uff");
  EXPECT_EQ(milestone.at(0).channels.at(0).samples.size(), 42U);
  EXPECT_EQ(milestone[0].channels[0].samples.back(), 5.39653E-03);
  EXPECT_EQ(milestone[0].warnings.at(0), "byte 162: data set 58 declares 2508876 values and holds 42");

  const auto reason = [](const std::string& name) {
    const auto path = shared_data() / "formats/uff" / name;
    return message_of<InvalidInput>([&] { (void)io::read_records(path); }).substr(path.string().size());
  };
  EXPECT_EQ(reason("non_ascii_header.uff"), ": holds no time response, but: frequency response function");
  EXPECT_EQ(reason("sample_dataset58_psd.uff"), ": holds no time response, but: power spectral density");
  for (const char* name :
       {"NX simulation output.uff", "TestLab 161 164 18 15 82.uff", "heat_engine_housing.uff",
        "mesh_Oros-modal_uff15_uff2412.uff", "uff55_translation.uff", "uff55_translation_rotation.uff"})
    EXPECT_EQ(reason(name), ": holds no data set 58") << name;

  const auto psd = io::parse_uff(io::read_file(shared_data() / "formats/uff/sample_dataset58_psd.uff"), "psd");
  EXPECT_EQ(psd.functions.at(0).values.size(), 3201U);
  EXPECT_EQ(psd.functions[0].x.at(3), 3.0);
  EXPECT_EQ(psd.functions[0].values.at(3), 3.803099e-06);
  const auto frf = io::parse_uff(io::read_file(shared_data() / "formats/uff/non_ascii_header.uff"), "frf");
  EXPECT_EQ(frf.functions.at(0).values,
            (std::vector<double>{4.07994e-01, -5.99924e-02, 2.58750e-02, -2.99003e-01, -1.80250e+00, 3.75037e+00}));
  const auto info = io::describe(shared_data() / "formats/uff/TestLab 161 164 18 15 82.uff");
  ASSERT_EQ(info.data_sets.size(), 5U);
  EXPECT_EQ(info.data_sets[0].name, "15");
  EXPECT_EQ(info.data_sets[2].summary, "trace lines (3 sets)");
}
