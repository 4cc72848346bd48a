#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/records.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/sep005.hpp>
#include <microslip/io/units.hpp>

using namespace microslip;
using microslip::test::message_of;
using microslip::test::Scratch;
using microslip::test::shared_data;

namespace {

using Names = std::vector<std::string>;

std::string refusal(const std::filesystem::path& path, const io::ReadOptions& options = {}) {
  const std::string message = test::refusal([&] { (void)io::read_records(path, options); });
  return message.size() < path.string().size() ? message : message.substr(path.string().size());
}

io::ReadOptions rate(double hz) { return {.sampling_rate_hz = hz, .time = "", .unit = ""}; }

double rms(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum / static_cast<double>(x.size()));
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A WAV file of two channels; `samples` are the bytes of the data chunk.
std::string wav(int code, int bits, const std::string& samples, std::uint32_t claimed) {
  std::string bytes = "RIFF";
  put(bytes, std::uint32_t{0});
  bytes += "WAVEfmt ";
  put(bytes, std::uint32_t{16});
  put(bytes, static_cast<std::uint16_t>(code));
  put(bytes, std::uint16_t{2});
  put(bytes, std::uint32_t{8000});
  put(bytes, static_cast<std::uint32_t>(8000 * 2 * bits / 8));
  put(bytes, static_cast<std::uint16_t>(2 * bits / 8));
  put(bytes, static_cast<std::uint16_t>(bits));
  bytes += "LIST";
  put(bytes, std::uint32_t{3});
  bytes += "abc";
  bytes += '\0';  // chunks are padded to even sizes
  bytes += "data";
  put(bytes, claimed);
  return bytes + samples;
}

}  // namespace

TEST(Records, CsvWithTimeHeaderAndUnits) {
  const Scratch scratch;
  const auto path = scratch.file("a.csv", "time,acc1,hammer\nms,m/s^2,N\n10,1,4\n20,2,5\n30,3,6\n");
  const auto records = io::read_records(path);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].sampling_rate_hz, 100);
  EXPECT_DOUBLE_EQ(records[0].start_time, 0.01);
  ASSERT_EQ(records[0].channels.size(), 2U);
  EXPECT_EQ(records[0].channels[0].name, "acc1");
  EXPECT_EQ(records[0].channels[0].unit, "m/s^2");
  EXPECT_EQ(records[0].channels[1].quantity, Quantity::force);
  EXPECT_EQ(records[0].channels[1].samples, (std::vector<double>{4, 5, 6}));
  EXPECT_TRUE(records[0].warnings.empty());
}

TEST(Records, WhatIsMeasuredComesFromUnitThenNameThenCaller) {
  const Scratch scratch;
  const auto path = scratch.file("a.csv", "time,force,left,right [m/s],acc\n0,1,2,3,4\n0.5,1,2,3,4\n");
  io::ReadOptions options;
  options.quantity = Quantity::displacement;
  const auto record = io::read_records(path, options).at(0);
  ASSERT_EQ(record.channels.size(), 4U);
  EXPECT_EQ(record.channels[0].quantity, Quantity::force) << "a hammer is no response";
  EXPECT_EQ(record.channels[1].quantity, Quantity::displacement);
  EXPECT_EQ(record.channels[2].quantity, Quantity::velocity);
  EXPECT_EQ(record.channels[3].quantity, Quantity::acceleration);
}

TEST(Records, CsvWithoutTimeNeedsARate) {
  const Scratch scratch;
  const auto path = scratch.file("a.csv", "x;y\n1,5;2\n3;4\n0;1\n");
  EXPECT_EQ(refusal(path),
            ": no column is named time, and no sampling rate is given (--time NAME, --sampling-rate HZ)");
  EXPECT_EQ(refusal(path, rate(-1)), ": the sampling rate must be > 0, got -1");
  const auto record = io::read_records(path, rate(1000)).at(0);
  EXPECT_EQ(record.sampling_rate_hz, 1000);
  EXPECT_EQ(record.warnings, (Names{"no unit is declared for x, y"}));
  const auto declared = io::read_records(path, {.sampling_rate_hz = 1000, .time = "", .unit = "mm"}).at(0);
  EXPECT_TRUE(declared.warnings.empty());
  EXPECT_EQ(declared.channels[0].quantity, Quantity::displacement);
}

TEST(Records, CsvWithoutHeaderTakesAnEvenFirstColumnForTime) {
  const Scratch scratch;
  const auto record = io::read_records(scratch.file("a.txt", "0 5\n0.001 6\n0.002 7\n")).at(0);
  EXPECT_EQ(record.sampling_rate_hz, 1000);
  EXPECT_EQ(record.channels.size(), 1U);
  EXPECT_EQ(record.warnings.at(0),
            "the first column is taken for time in seconds: it rises evenly and no header tells");
}

TEST(Records, BadTimeGetsOneLineThatSaysWhere) {
  const Scratch scratch;
  const auto csv = [&](const std::string& rows) { return scratch.file("a.csv", "time,x\n" + rows); };
  EXPECT_EQ(refusal(csv("0,1\n2,1\n1,1\n")), ": time runs backwards at line 4: 1 after 2");
  EXPECT_EQ(refusal(csv("0,1\n0.001,1\n0.002,1\n0.0035,1\n0.0045,1\n")).substr(0, 81),
            ": uneven sampling: the step is 0.001125 s on average and 0.0015 s at line 5; resa");
  EXPECT_EQ(refusal(csv("1,1\n1,1\n")), ": time does not move: 1 throughout");
  EXPECT_EQ(refusal(csv("1,1\n")), ": 1 samples are too few for a signal");
  EXPECT_EQ(refusal(csv("1,1\n2,nan\n")), ":3: column 2 (x): 'nan', a finite number is expected");
  EXPECT_EQ(refusal(csv("0,1\n1,1\n2,1\n"), rate(2)), ": its time means 1 Hz, but a sampling rate of 2 Hz is given");
  EXPECT_EQ(refusal(scratch.file("b.csv", "time\n1\n2\n3\n")), ": only a column of time, no signal");
  EXPECT_EQ(refusal(scratch.file("c.csv", "time [kg],x\n1,1\n2,1\n")), ": time is in 'kg', s or ms is expected");
  EXPECT_EQ(refusal(scratch.file("d.csv", "")), ": is empty");
  EXPECT_EQ(refusal(scratch / "none.csv"), ": cannot be opened: No such file or directory");
}

TEST(Records, RoundedTimesAreEven) {
  std::vector<double> time, coarse;
  for (int i = 0; i < 1000; ++i) time.push_back(std::round(i / 4096.0 * 1e4) / 1e4);  // 0.4 of a step
  const auto place = [](std::size_t i) { return std::to_string(i); };
  const auto sampling = io::even_sampling(time, "x", place);
  // Rounding errors e of at most half a digit change the slope by sum e (i - m) / sum (i - m)^2 <= 3 digit / (2 n).
  EXPECT_NEAR(sampling.rate_hz, 4096, 4096 * 4096 * 1e-4 * 1.5 / 1000);
  EXPECT_NE(sampling.warning, "");
  std::vector<double> gap = time;
  gap.erase(gap.begin() + 500);
  EXPECT_THROW((void)io::even_sampling(gap, "x", place), InvalidInput) << "a missing sample is not rounding";
  for (int i = 0; i < 1000; ++i) coarse.push_back((i < 500 ? i : i + 1) / 1000.0);  // whole milliseconds at 1 kHz
  EXPECT_THROW((void)io::even_sampling(coarse, "x", place), InvalidInput);
}

TEST(Records, TreesOfEveryFileKind) {
  const Scratch scratch;
  std::vector<double> time, x, y;
  for (int i = 0; i < 20; ++i) {
    time.push_back(1 + i / 128.0);
    x.push_back(i);
    y.push_back(-i);
  }
  Archive data, top;
  data.set("t", time);
  data.set("acc", NamedArray{.shape = {1, 20}, .data = x});
  data.set("force", NamedArray{.shape = {20, 1}, .data = y});
  data.set("parameters", std::vector<double>{1, 2, 3});
  data.set("units", std::string("s, m/s^2, N"));
  top.set("run1", data);
  Archive two;
  std::vector<double> both;
  for (int i = 0; i < 20; ++i)
    both.insert(both.end(), {x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)]});
  two.set("signals", NamedArray{.shape = {20, 2}, .data = both});
  two.set("names", Names{"left", "right"});
  two.set("fs", 64.0);
  two.set("unit", std::string("mm"));
  top.set("run2", two);
  io::write_hdf5(scratch / "t.h5", top);
  const auto records = io::read_records(scratch / "t.h5");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].name, "run1");
  EXPECT_EQ(records[0].sampling_rate_hz, 128);
  EXPECT_EQ(records[0].start_time, 1);
  ASSERT_EQ(records[0].channels.size(), 2U);
  EXPECT_EQ(records[0].channels[0].unit, "m/s^2");
  EXPECT_EQ(records[0].channels[1].quantity, Quantity::force);
  EXPECT_EQ(records[0].channels[1].samples, y);
  EXPECT_EQ(records[0].warnings, (Names{"left out, of another length: parameters"}));
  EXPECT_EQ(records[1].sampling_rate_hz, 64);
  EXPECT_EQ(records[1].channels.at(1).name, "right");
  EXPECT_EQ(records[1].channels[1].samples, y);
  EXPECT_EQ(records[1].channels[1].unit, "mm");

  const auto json = scratch.file("j.json", R"([{"data":[1,2,3],"name":"a","unit_str":"g","fs":10}])");
  EXPECT_EQ(io::read_records(json).at(0).channels.at(0).unit, "g") << "SEP005 is a list of dictionaries";
  EXPECT_EQ(refusal(scratch.file("k.json", "3")), ": a JSON object is expected");
  const auto sep = scratch.file("s.json", R"({"signals":[{"data":[1,2,3],"name":"a","unit_str":"g","fs":10},
                                            {"data":[4,5,6],"name":"b","unit_str":"N","time":[0,0.1,0.2]}]})");
  const auto from_json = io::read_records(sep);
  ASSERT_EQ(from_json.size(), 1U) << "same rate, start and length";
  EXPECT_EQ(from_json[0].channels.at(1).samples, (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(refusal(scratch.file("n.json", R"({"x":[1,2,3,4,5,6,7,8,9]})")),
            ": it has numbers but neither time nor a sampling rate: give the rate, or name the time");
  EXPECT_EQ(refusal(scratch.file("m.json", R"({"time":[0,1,2],"x":[1,null,3]})")),
            ": channel 'x': sample 2 of 3 is nan: cut it off or fill it first");
  EXPECT_EQ(refusal(scratch.file("e.json", R"({"x":1})")), ": holds no signals");
}

TEST(Records, TimeInATreeIsInTheUnitDeclaredForIt) {
  const Scratch scratch;
  const auto tree = [&](const std::string& units) {
    return scratch.file("a.json", R"({"time":[10,11,12],"acc":[1,2,3],"force":[4,5,6])" + units + "}");
  };
  for (const char* units :
       {R"(,"units":"ms, m/s^2, N")", R"(,"units":["ms","m/s^2","N"])", R"(,"units":"ms; m/s^2")",
        R"(,"units":{"time":"ms","acc":"m/s^2"})", R"(,"time_unit":"ms")", R"(,"time@unit":"msec")",
        R"(,"time@units":"milliseconds since 1970-01-01")", R"(,"units":"s, m/s^2, N","time@unit":"ms")"}) {
    const Record record = io::read_records(tree(units)).at(0);
    EXPECT_EQ(record.sampling_rate_hz, 1000) << units;
    EXPECT_DOUBLE_EQ(record.start_time, 0.01) << units;
  }
  for (const char* units : {"", R"(,"units":"m/s^2, N")", R"(,"units":"s, m/s^2, N")", R"(,"time@unit":"")"})
    EXPECT_EQ(io::read_records(tree(units)).at(0).sampling_rate_hz, 1) << units;
  EXPECT_EQ(refusal(tree(R"(,"time@unit":"kg")")), ": time is in 'kg', s or ms is expected");
  EXPECT_EQ(refusal(tree(R"(,"units":{"time":"samples"})")), ": time is in 'samples', s or ms is expected");
}

TEST(Records, ANameOfTimeThatATreeDoesNotHaveIsRefused) {
  const Scratch scratch;
  const auto named = [](const std::string& time) {
    io::ReadOptions options;
    options.time = time;
    return options;
  };
  const auto path = scratch.file(
      "a.json", R"({"fs":100,"clock":[0,0.5,1],"acc":[1,2,3],"run":{"tau":[0,1,2,3,4,5,6,7],"x":[1,2,3,4,5,6,7,8]}})");
  EXPECT_EQ(io::read_records(path, named("clock")).at(0).sampling_rate_hz, 2);
  EXPECT_EQ(io::read_records(path, named("run.tau")).at(0).sampling_rate_hz, 1);
  EXPECT_EQ(io::read_records(path, named("tau")).at(0).sampling_rate_hz, 1);
  EXPECT_EQ(refusal(path, named("clok")), ": no variable is named 'clok' (did you mean 'clock'?)");
  EXPECT_EQ(refusal(path, named("Wwwwwwww")),
            ": no variable is named 'Wwwwwwww' (known: acc, clock, run.tau, run.x, tau, x)");
  const auto sep = scratch.file("s.json", R"([{"data":[1,2,3],"name":"a","unit_str":"g","time":[0,1,2]}])");
  EXPECT_EQ(io::read_records(sep, named("time")).at(0).sampling_rate_hz, 1);
  EXPECT_EQ(refusal(sep, named("zeit")), ": no variable is named 'zeit' (known: time)");
  const auto by_rate = scratch.file("r.json", R"([{"data":[1,2,3],"name":"a","unit_str":"g","fs":10}])");
  EXPECT_EQ(refusal(by_rate, named("time")), ": no variable is named 'time' (known: a)");
}

TEST(Records, ARateThatContradictsTheTimeOfATreeIsSaid) {
  const Scratch scratch;
  const auto warnings = [&](const std::string& rate) {
    const auto path = scratch.file("a.json", "{" + rate + R"("time":[0,0.02,0.04],"acc":[1,2,3],"unit":"g"})");
    const Record record = io::read_records(path).at(0);
    EXPECT_NEAR(record.sampling_rate_hz, 50, 1e-9);
    return record.warnings;
  };
  EXPECT_EQ(warnings(R"("fs":100,)"), (Names{"its sampling rate is 100 Hz, its time means 50 Hz: time is used"}));
  EXPECT_EQ(warnings(R"("dt":0.01,)"), (Names{"its sampling rate is 100 Hz, its time means 50 Hz: time is used"}));
  EXPECT_TRUE(warnings(R"("fs":50.01,)").empty()) << "rounded";
  EXPECT_TRUE(warnings("").empty());
}

TEST(Records, Sep005ThereAndBack) {
  const std::vector<io::Sep005> signals{
      {.data = {1, 2, 3}, .name = "a", .unit_str = "m/s^2", .fs = 10, .time = {}},
      {.data = {4, 5, 6, 7}, .name = "b", .unit_str = "", .fs = 0, .time = {0, 0.5, 1, 1.5}}};
  const auto records = io::from_sep005(signals);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].sampling_rate_hz, 2);
  EXPECT_EQ(records[1].warnings, (Names{"no unit is declared for b"}));
  const auto back = io::to_sep005(records[0]);
  EXPECT_EQ(back.at(0).data, signals[0].data);
  EXPECT_EQ(back[0].unit_str, "m/s^2");
  EXPECT_EQ(back[0].fs, 10);
  const auto refused = [](const io::Sep005& signal) {
    return message_of<InvalidInput>([&] { (void)io::from_sep005(std::vector{signal}); });
  };
  EXPECT_EQ(refused({.data = {1, 2}, .name = "a", .unit_str = "", .fs = 0, .time = {}}),
            "signals: 'a': has neither 'fs' nor 'time'");
  EXPECT_EQ(refused({.data = {1, 2}, .name = "a", .unit_str = "", .fs = 0, .time = {1}}),
            "signals: 'a': 'time' has 1 entries, 'data' 2");
}

TEST(Records, Sep005InAFileKeepsItsStartAndTakesWhatTheCallerKnows) {
  const Scratch scratch;
  const auto path = scratch.file("s.json", R"([{"data":[1,2,3],"name":"a","unit_str":"","fs":10,"start_time":-0.5}])");
  io::ReadOptions options;
  options.unit = "mm";
  const auto record = io::read_records(path, options).at(0);
  EXPECT_EQ(record.start_time, -0.5);
  EXPECT_EQ(record.channels.at(0).unit, "mm");
  EXPECT_EQ(record.channels[0].quantity, Quantity::displacement);
  EXPECT_EQ(io::to_sep005(record).at(0).start_time, -0.5);
  EXPECT_EQ(refusal(path, rate(20)), ": 'a': its time means 10 Hz, but a sampling rate of 20 Hz is given");
  const auto bare = scratch.file("b.json", R"([{"data":[1,2,3],"name":"a","unit_str":"g"}])");
  EXPECT_EQ(io::read_records(bare, rate(20)).at(0).sampling_rate_hz, 20);
  EXPECT_EQ(refusal(bare), ": 'a': has neither 'fs' nor 'time'");
}

TEST(Records, WavOfEveryWidth) {
  const Scratch scratch;
  // Left 0.5, -1, right -0.5, 0.25 of full scale, exactly representable in every width.
  const double wanted[2][2] = {{0.5, -1}, {-0.5, 0.25}};
  const struct { int code, bits; } kinds[] = {{1, 8}, {1, 16}, {1, 24}, {1, 32}, {3, 32}, {3, 64}};
  for (const auto& [code, bits] : kinds) {
    std::string data;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < 2; ++c) {
        const double v = wanted[c][i];
        if (code == 3 && bits == 32) put(data, static_cast<float>(v));
        if (code == 3 && bits == 64) put(data, v);
        if (code == 1 && bits == 8) put(data, static_cast<std::uint8_t>(128 + 128 * v));
        if (code == 1 && bits == 16) put(data, static_cast<std::int16_t>(32768 * v));
        if (code == 1 && bits == 32) put(data, static_cast<std::int32_t>(2147483648.0 * v));
        if (code == 1 && bits == 24) {
          std::string four;
          put(four, static_cast<std::int32_t>(2147483648.0 * v));
          data += four.substr(1);
        }
      }
    const auto size = static_cast<std::uint32_t>(data.size());
    const auto record = io::read_records(scratch.file("a.wav", wav(code, bits, data, size))).at(0);
    EXPECT_EQ(record.sampling_rate_hz, 8000);
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(record.channels.at(c).samples.at(i), wanted[c][i]) << bits;
    EXPECT_EQ(record.warnings, (Names{"no unit is declared for channel 1, channel 2"}));
  }
  EXPECT_EQ(refusal(scratch.file("a.wav", wav(6, 8, "", 0))),
            ": format 6 with 8 bits is not read; save it as PCM or float");
  EXPECT_EQ(refusal(scratch.file("a.wav", "RIFFxxxx")),
            ": byte 8: WAVE needs 4 bytes, only 0 are left: truncated or damaged");
  EXPECT_EQ(refusal(scratch.file("a.wav", "hello there, this is text")),
            ": not a WAV file (RIFF … WAVE is expected at byte 0)");
  const auto cut = io::read_records(scratch.file("a.wav", wav(1, 16, std::string(12, 'x'), 4000))).at(0);
  EXPECT_EQ(cut.warnings.at(0), "the data chunk claims 4000 bytes, 12 are there: cut short");
  EXPECT_EQ(cut.n_samples(), 3U);
  const auto open = io::read_records(scratch.file("a.wav", wav(1, 16, std::string(12, 'x'), 0))).at(0);
  EXPECT_EQ(open.warnings.at(0), "the data chunk claims 0 bytes: the 12 to the end of the file are taken");
  EXPECT_EQ(open.n_samples(), 3U);
}

TEST(Records, LvmInItsDialects) {
  const Scratch scratch;
  const auto head = [](const char* x_columns) {
    return fmt::format(
        "LabVIEW "
        "Measurement\t\r\nSeparator\tTab\r\nDecimal_Separator\t,\r\nX_Columns\t{}\r\n***End_of_Header***\t\r\n\t\r\n",
        x_columns);
  };
  const std::string block_head =
      "Channels\t2\t\r\nSamples\t3\t3\r\nY_Unit_Label\tg\tN\r\nX0\t0,5\t0,5\r\nDelta_X\t0,01\t0,01\r\n"
      "***End_of_Header***\t\t\r\n";
  const std::string block_head_many =  // two columns for each channel
      "Channels\t2\t\t\t\r\nSamples\t3\t\t3\t\r\nY_Unit_Label\tg\t\tN\t\r\nX0\t0,5\t\t0,5\t\r\n"
      "Delta_X\t0,01\t\t0,01\t\r\n***End_of_Header***\t\t\t\t\r\n";
  const std::string one = "X_Value\tacc\thammer\tComment\r\n0,5\t1,5\t4\r\n0,51\t2,5\t5\r\n0,52\t3,5\t6\r\n";
  const std::string many =
      "X_Value\tacc\tX_Value\thammer\tComment\r\n0,5\t1,5\t0,5\t4\r\n0,51\t2,5\t0,51\t5\r\n0,52\t3,5\t0,52\t6\r\n";
  const std::string none = "acc\thammer\r\n1,5\t4\r\n2,5\t5\r\n3,5\t6\r\n";
  for (const std::string& text :
       {head("One") + block_head + one, head("No") + block_head + none, head("Multi") + block_head_many + many,
        head("One") + block_head + one + "\r\n" + block_head + one}) {
    for (const Record& record : io::read_records(scratch.file("a.lvm", text))) {
      EXPECT_NEAR(record.sampling_rate_hz, 100, 1e-10);
      EXPECT_EQ(record.start_time, 0.5);
      ASSERT_EQ(record.channels.size(), 2U) << text;
      EXPECT_EQ(record.channels[0].name, "acc");
      EXPECT_EQ(record.channels[0].unit, "g");
      EXPECT_EQ(record.channels[0].samples, (std::vector<double>{1.5, 2.5, 3.5}));
      EXPECT_EQ(record.channels[1].unit, "N") << text;
      EXPECT_EQ(record.channels[1].samples, (std::vector<double>{4, 5, 6}));
      EXPECT_TRUE(record.warnings.empty());
    }
  }
  EXPECT_EQ(io::read_records(scratch / "a.lvm").size(), 2U)
      << "a block with a header of its own is a record of its own";
  EXPECT_EQ(refusal(scratch.file("a.lvm", "LabVIEW Measurement\t\n")),
            ": the header never ends (***End_of_Header*** is missing): truncated");
  EXPECT_EQ(refusal(scratch.file("a.lvm", head("One"))), ": ends before any data: truncated");
  EXPECT_EQ(refusal(scratch.file("a.lvm", head("One") + block_head)), ": a header at the end has no data: truncated");
  EXPECT_EQ(refusal(scratch.file("a.lvm", head("One") + block_head + "X_Value\tacc\n0\t1\n1\tx\n")),
            ":15: column 2 (acc): 'x', a number is expected");
}

TEST(Records, LvmLeavesOutChannelsAtAnotherRate) {
  const Scratch scratch;
  const auto text = [](const char* x_columns, const char* delta, const std::string& rows) {
    return fmt::format(
        "LabVIEW Measurement\t\nSeparator\tTab\nX_Columns\t{}\n***End_of_Header***\t\n\nChannels\t3\n"
        "Y_Unit_Label\t{}\nDelta_X\t{}\n***End_of_Header***\t\n{}",
        x_columns, x_columns == std::string("Multi") ? "g\t\tN\t\tm\t" : "g\tN\tm", delta, rows);
  };
  const std::string one = "X_Value\tacc\thammer\tother\n0\t1\t4\t7\n0.01\t2\t5\t8\n0.02\t3\t6\t9\n";
  const std::string none = "acc\thammer\tother\n1\t4\t7\n2\t5\t8\n3\t6\t9\n";
  const std::string many =
      "X_Value\tacc\tX_Value\thammer\tX_Value\tother\n0\t1\t0\t4\t0\t7\n0.01\t2\t0.02\t5\t0.01\t8\n"
      "0.02\t3\t0.04\t6\t0.02\t9\n";
  const char* differs = "0.01\t0.02\t0.01";
  for (const std::string& file :
       {text("One", differs, one), text("No", differs, none), text("Multi", "0.01\t\t0.02\t\t0.01\t", many),
        text("Multi", "0.01\t\t0.01\t\t0.01\t", many)}) {
    const Record record = io::read_records(scratch.file("a.lvm", file)).at(0);
    EXPECT_NEAR(record.sampling_rate_hz, 100, 1e-10);
    ASSERT_EQ(record.channels.size(), 2U) << file;
    EXPECT_EQ(record.channels[1].name, "other");
    EXPECT_EQ(record.channels[1].unit, "m") << file;
    EXPECT_EQ(record.channels[1].samples, (std::vector<double>{7, 8, 9}));
    ASSERT_EQ(record.warnings.size(), 1U) << file;
    EXPECT_EQ(record.warnings[0], "left out, at another rate than acc (100 Hz): hammer (50 Hz)");
  }
}

TEST(Records, BeamRecordAgreesWithScipy) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto records = io::read_records(shared_data() / "measured/BRB_HammerImpact.mat");
  ASSERT_EQ(records.size(), 1U);
  const Record& record = records[0];
  EXPECT_EQ(record.name, "HIdata");
  EXPECT_EQ(record.sampling_rate_hz, 12800);
  EXPECT_EQ(record.start_time, -0.01);
  EXPECT_EQ(record.n_samples(), 65536U);
  EXPECT_TRUE(record.warnings.empty());
  // Reference values: scipy.io.loadmat (SciPy 1.10.1): samples 0, 1000, last; root mean square.
  const struct {
    const char* name;
    double first, thousandth, last, rms;
  } wanted[] = {{"acc1", -0.012539951130747795, 59.17323684692383, 0.322671502828598, 18.09833877436104},
                {"acc2", 0.07215726375579834, 11.839232444763184, 0.032766494899988174, 11.30484716985357},
                {"acc3", 0.00800353940576315, 109.27107238769531, -0.19780175387859344, 21.678722649716338}};
  ASSERT_EQ(record.channels.size(), 3U);
  for (std::size_t c = 0; c < 3; ++c) {
    const Channel& channel = record.channels[c];
    EXPECT_EQ(channel.name, wanted[c].name);
    EXPECT_EQ(channel.unit, "m/s^2");
    EXPECT_EQ(channel.quantity, Quantity::acceleration);
    EXPECT_EQ(channel.samples[0], wanted[c].first);
    EXPECT_EQ(channel.samples[1000], wanted[c].thousandth);
    EXPECT_EQ(channel.samples.back(), wanted[c].last);
    EXPECT_NEAR(rms(channel.samples), wanted[c].rms, 1e-12 * wanted[c].rms);
  }
}

TEST(Records, OtherSharedMeasurements) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto lvm = io::read_records(shared_data() / "measured/FrID_decay_f_42p05_ampl_2p0_0.lvm").at(0);
  EXPECT_EQ(lvm.sampling_rate_hz, 1000);
  EXPECT_EQ(lvm.n_samples(), 29000U);
  ASSERT_EQ(lvm.channels.size(), 9U);
  EXPECT_EQ(lvm.channels[1].name, "Strain_0");
  EXPECT_EQ(lvm.channels[1].unit, "Strain");
  EXPECT_EQ(lvm.channels[1].quantity, Quantity::strain);
  EXPECT_EQ(lvm.channels[1].samples.back(), 1.880377e-07);
  EXPECT_NEAR(rms(lvm.channels[1].samples), 1.04541705e-04, 1e-12);  // NumPy 1.24, nine digits printed
  EXPECT_EQ(lvm.warnings.at(0), "left out, not filled throughout (another rate): Untitled, Untitled 1, Untitled 2");
  EXPECT_EQ(refusal(shared_data() / "measured/timber_SPC1.csv"),
            ": no column is named time, and no sampling rate is given (--time NAME, --sampling-rate HZ)");
  const auto json = io::read_records(shared_data() / "measured/BRFD_1Hz30lbtension1amplitude.json").at(0);
  EXPECT_EQ(json.sampling_rate_hz, 1024);
  EXPECT_EQ(json.channels.size(), 6U);
  EXPECT_EQ(json.channels[0].samples.at(1), 0.0009765625);
}

TEST(Records, AMinusOneAtTheTopMakesNoUniversalFile) {
  const Scratch scratch;
  for (const char* text : {"-1\n0.5\n2\n", "-1\n-1\n2\n", "-1 \n1e3\n2\n"}) {
    const auto record = io::read_records(scratch.file("a.txt", text), rate(10)).at(0);
    EXPECT_EQ(record.n_samples(), 3U) << text;
  }
  EXPECT_EQ(io::describe(scratch.file("a.txt", "    -1\n   151\nhead\n    -1\n")).format, "universal file");
  EXPECT_EQ(refusal(scratch.file("a.txt", "    -1\n    58b     1     2          11\n")),
            ": byte 39: the seventh record of data set 58 must give data type, count and spacing");
}

TEST(Records, InfoSaysHowMuchItDoesNotList) {
  const Scratch scratch;
  const auto listed = [&](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += fmt::format("{}\"k{}\":{{\"a\":1,\"b\":\"\"}}", i == 0 ? "{" : ",", i);
    return io::describe(scratch.file("a.json", text + "}"));
  };
  EXPECT_EQ(listed(250).data_sets.size(), 500U);
  EXPECT_EQ(listed(250).warnings, (Names{"no signals: holds no signals"}));
  EXPECT_EQ(listed(300).data_sets.size(), 500U);
  EXPECT_EQ(listed(300).warnings, (Names{"the first 500 of 600 entries are listed", "no signals: holds no signals"}));
}

TEST(Records, AMeshIsDescribedNotReadAsATable) {
  const Scratch scratch;
  const auto path = scratch.file("a.msh",
                                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n"
                                 "$EndNodes\n$Elements\n1\n1 2 2 7 1 1 2 3\n$EndElements\n");
  const auto info = io::describe(path);
  EXPECT_EQ(info.format, "matrix");
  EXPECT_EQ(info.data_sets.at(0).summary, "3 nodes, 1 elements");
  EXPECT_EQ(refusal(path), ": holds a matrix, not signals");
}
