// Feeds damaged files to the readers: whatever the bytes, a reader returns or throws InvalidInput. Seeds are made here
// with the writers (and matio for MAT files), then mutated. Meant for the asan preset:
//   fuzz_io SECONDS [SEED] [uff|mat|mat73|hdf5|text]...
// The input under test is always in `current` in the working folder, so that a crash leaves it behind.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <matio.h>
#include <support/scratch.hpp>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/records.hpp>
#include <microslip/io/uff.hpp>

using namespace microslip;

namespace {

using Random = std::mt19937_64;
using Seeds = std::vector<std::string>;

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

Seeds uff_seeds() {
  Seeds seeds;
  std::string all =
      "    -1\n   164\n         5mm (milli-newton)            2\n  1.0D+03  1.0D+03  1.0D+00\n  2.7D+02\n    -1\n";
  for (const auto form : {io::UffForm::text, io::UffForm::little_endian, io::UffForm::big_endian})
    for (int kind = 0; kind < 8; ++kind) {
      io::UffFunction function;
      function.complex = (kind & 1) != 0;
      function.double_precision = (kind & 2) != 0;
      function.even = (kind & 4) != 0;
      function.id[0] = "seed";
      function.increment = 1e-3;
      function.abscissa = {.type = 17, .label = "Time", .unit = "s"};
      function.ordinate = {.type = 12, .label = "Acceleration", .unit = kind % 3 == 0 ? "" : "m/s^2"};
      for (int i = 0; i < 23; ++i) {
        function.values.push_back(i * 0.1);
        function.imaginary.push_back(-i);
        function.x.push_back(i * 1e-3);
      }
      seeds.push_back(io::to_uff58(function, form));
      all += seeds.back();
    }
  seeds.push_back(all + "    -1\n  2411\n         1         1\n 0.0 1.0 2.0\n    -1\n");
  return seeds;
}

std::string mat_seed(const test::Scratch& scratch, mat_ft version, matio_compression compression) {
  const auto path = scratch / "seed.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  std::vector<double> numbers(40);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) / 1024;
  std::size_t row[] = {1, 40}, matrix[] = {20, 2}, one[] = {1, 1}, two[] = {1, 2}, word[] = {1, 5};
  char text[] = "m/s^2";
  const char* fields[] = {"time", "acc", "units", "inner"};
  matvar_t* structure = Mat_VarCreateStruct("data", 2, one, fields, 4);
  Mat_VarSetStructFieldByName(structure, "time", 0,
                              Mat_VarCreate("t", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, row, numbers.data(), 0));
  Mat_VarSetStructFieldByName(structure, "acc", 0,
                              Mat_VarCreate("a", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, row, numbers.data(), 0));
  Mat_VarSetStructFieldByName(structure, "units", 0, Mat_VarCreate("u", MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  matvar_t* inner = Mat_VarCreateStruct("inner", 2, two, fields, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    Mat_VarSetStructFieldByName(inner, "time", i,
                                Mat_VarCreate("t", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0));
    Mat_VarSetStructFieldByName(inner, "acc", i, Mat_VarCreate("a", MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  }
  Mat_VarSetStructFieldByName(structure, "inner", 0, inner);
  matvar_t* cells = Mat_VarCreate("names", MAT_C_CELL, MAT_T_CELL, 2, two, nullptr, 0);
  Mat_VarSetCell(cells, 0, Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  Mat_VarSetCell(cells, 1, Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0));
  std::vector<int> whole{1, 2, 3, 4, 5};
  for (matvar_t* variable :
       {structure, cells, Mat_VarCreate("matrix", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0),
        Mat_VarCreate("whole", MAT_C_INT32, MAT_T_INT32, 2, word, whole.data(), 0),
        Mat_VarCreate("fs", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, numbers.data() + 1, 0)}) {
    Mat_VarWrite(file, variable, compression);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
  return test::slurp(path);
}

std::string hdf5_seed(const test::Scratch& scratch) {
  Archive archive, inner;
  inner.set("time", std::vector<double>{0, 1, 2, 3});
  inner.set("acc", std::vector<double>{0, 1, 2, 3});
  inner.set("units", std::string("s, m/s^2"));
  archive.set("run", inner);
  archive.set("names", std::vector<std::string>{"a", "bc"});
  archive.set("matrix", NamedArray{.shape = {130, 130}, .data = std::vector<double>(130 * 130, 1.5)});
  io::write_hdf5(scratch / "seed.h5", archive);
  return test::slurp(scratch / "seed.h5");
}

Seeds text_seeds() {
  return {
      "time,acc1 [m/s^2],\"a b\"\n0,1,2\n0.5,3,4\n1,5,6e-3\n",
      "1;2,5\n2;3,5\n3;4\n",
      "# c\n0 1\n1 2\n2 3\n",
      "LabVIEW Measurement\t\nSeparator\tTab\nX_Columns\tOne\n***End_of_Header***\t\n\nChannels\t2\nDelta_X\t0.1\t0.1\n"
      "***End_of_Header***\nX_Value\ta\tb\n0\t1\t2\n0.1\t3\t4\n0.2\t5\t6\n",
      std::string("RIFF\x30\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0abcdefgh",
                  52),
      R"({"signals":[{"data":[1,2,3],"name":"a","unit_str":"g","fs":10}],"x":{"time":[0,1,2],"y":[[1,2],[3,4],[5,6]]}})",
      "[[mode]]\nmass = 1\njoint = { model = \"iwan4\", chi = -0.5 }\n[load]\nx = [1, 2.5]\n"};
}

std::string mutate(std::string bytes, const Seeds& seeds, Random& random) {
  const std::size_t times = 1 + below(random, 6);
  for (std::size_t i = 0; i < times && !bytes.empty(); ++i) {
    const std::size_t at = below(random, bytes.size());
    switch (below(random, 10)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2: {  // a size field: small, huge or negative
        constexpr std::uint32_t sizes[] = {0, 1, 2, 7, 8, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
        std::uint32_t size = sizes[below(random, 10)];
        if (below(random, 2) == 0) size = __builtin_bswap32(size);
        for (std::size_t k = 0; k < 4 && at + k < bytes.size(); ++k) bytes[at + k] = static_cast<char>(size >> (8 * k));
        break;
      }
      case 3:
        bytes.erase(at, 1 + below(random, 40));
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(random, bytes.size()), 1 + below(random, 60)));
        break;
      case 5:
        bytes.resize(at);
        break;
      case 6: {  // the end of another
        const std::string& other = seeds[below(random, seeds.size())];
        bytes = bytes.substr(0, at) + other.substr(below(random, other.size()));
        break;
      }
      case 7:
        bytes[at] = "0123456789-+.eED,; \t\n\"{}[]#"[below(random, 28)];
        break;
      case 8:
        bytes.insert(at, 1 + below(random, 20), static_cast<char>(random()));
        break;
      default: {  // an aligned word of small value, as in tags and flags
        const std::size_t word = at / 4 * 4;
        bytes[word] = static_cast<char>(below(random, 20));
        for (std::size_t k = 1; k < 4 && word + k < bytes.size(); ++k) bytes[word + k] = 0;
      }
    }
  }
  return bytes;
}

struct Target {
  Seeds seeds;
  std::string extension;
  std::function<void(const std::string& bytes, const std::filesystem::path& path)> run;
};

void hang(int) {
  constexpr char text[] = "HANG: more than 20 s in one input, see the file `current`\n";
  (void)!write(2, text, sizeof text - 1);
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const test::Scratch scratch;
  const auto read = [](const std::string&, const std::filesystem::path& path) { (void)io::describe(path); };
  std::map<std::string, Target> targets{
      {"uff",
       {uff_seeds(), ".uff",
        [](const std::string& bytes, const std::filesystem::path&) {
          const auto file = io::parse_uff(bytes, "x");
          (void)io::records_from_uff(file, "x", {});
        }}},
      {"mat",
       {{mat_seed(scratch, MAT_FT_MAT5, MAT_COMPRESSION_NONE), mat_seed(scratch, MAT_FT_MAT5, MAT_COMPRESSION_NONE),
         mat_seed(scratch, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB)},
        ".mat",
        read}},
      {"mat73", {{mat_seed(scratch, MAT_FT_MAT73, MAT_COMPRESSION_NONE)}, ".mat", read}},
      {"hdf5", {{hdf5_seed(scratch)}, ".h5", read}},
      {"text", {text_seeds(), "", read}}};
  std::vector<std::string> chosen(argv + std::min(argc, 3), argv + argc);
  if (chosen.empty()) chosen = {"uff", "mat", "mat73", "hdf5", "text"};

  std::signal(SIGALRM, hang);
  std::map<std::string, std::pair<long, long>> counts;  // runs, accepted
  const auto start = std::chrono::steady_clock::now();
  long run = 0;
  for (; std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds; ++run) {
    Random random(seed * 1000003 + static_cast<std::uint64_t>(run));
    const std::string& name = chosen[static_cast<std::size_t>(run) % chosen.size()];
    const Target& target = targets.at(name);
    const std::string bytes = mutate(target.seeds[below(random, target.seeds.size())], target.seeds, random);
    std::string extension = target.extension;
    if (name == "text")
      extension = std::vector<std::string>{".csv", ".lvm", ".wav", ".json", ".toml"}[below(random, 5)];
    const std::filesystem::path path = "current" + extension;
    std::ofstream(path, std::ios::binary) << bytes;
    alarm(20);
    try {
      target.run(bytes, path);
      ++counts[name].second;
    } catch (const InvalidInput&) {
    } catch (const std::exception& error) {
      std::printf("run %ld (%s): %s\n", run, name.c_str(), error.what());
      return 1;
    }
    alarm(0);
    ++counts[name].first;
  }
  for (const auto& [name, count] : counts)
    std::printf("%-6s %8ld inputs, %ld still readable\n", name.c_str(), count.first, count.second);
  return 0;
}
