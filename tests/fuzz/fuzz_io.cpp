// Feeds damaged files to the readers: whatever the bytes, a reader returns or throws InvalidInput. Meant for the asan
// preset:
//   fuzz_io SECONDS [SEED] [READER]...   seconds of processor time for each reader; all of them where none is named
//   fuzz_io FILE READER                  one file again
// The input under test is always in `current` in the working folder, so that a crash leaves it behind.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include <support/scratch.hpp>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <microslip/core/check.hpp>

#include "readers.hpp"

using namespace microslip;
using fuzz::Seeds;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

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
      case 2: {  // a size field of 32 or 64 bits, of either byte order: small, huge or negative
        constexpr std::uint64_t sizes[] = {0,          1,          2,          7,          8,           255,  65535,
                                           0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, ~0ULL >> 1, ~0ULL << 63, ~0ULL};
        const std::uint64_t size = sizes[below(random, std::size(sizes))];
        const std::size_t width = below(random, 2) == 0 ? 4 : 8;
        const bool big_endian = below(random, 2) == 0;
        for (std::size_t k = 0; k < width && at + k < bytes.size(); ++k)
          bytes[at + k] = static_cast<char>(size >> (8 * (big_endian ? width - 1 - k : k)));
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

/// Of this process and of those that read for it.
double processor_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return sum;
}

void hang(int) {
  constexpr char text[] = "HANG: more than 20 s of processor time in one input, see the file `current`\n";
  (void)!write(2, text, sizeof text - 1);
  _exit(1);
}
void watch(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Whether the reader took the input; anything but InvalidInput goes on to the caller.
bool accepted(const fuzz::Reader& reader, const std::string& bytes) {
  const std::filesystem::path path = "current" + reader.extension;
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    reader.read(bytes, path);
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

bool run(const std::string& name, const fuzz::Reader& reader, double seconds, std::uint64_t seed) {
  long inputs = 0, readable = 0;
  for (const double start = processor_seconds(); processor_seconds() - start < seconds; ++inputs) {
    Random random(seed * 1000003 + static_cast<std::uint64_t>(inputs));
    const std::string bytes = mutate(reader.seeds[below(random, reader.seeds.size())], reader.seeds, random);
    watch(20);
    try {
      readable += accepted(reader, bytes) ? 1 : 0;
    } catch (const std::exception& error) {
      std::printf("%s, input %ld: %s\n", name.c_str(), inputs, error.what());
      return false;
    }
  }
  std::printf("%-14s %9ld inputs, %ld still readable\n", name.c_str(), inputs, readable);
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = fuzz::readers();
  std::signal(SIGPROF, hang);
  if (argc == 3 && std::filesystem::is_regular_file(argv[1])) {
    std::printf("%s\n", accepted(all.at(argv[2]), test::slurp(argv[1])) ? "read" : "refused");
    return 0;
  }
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  bool well = true;
  for (const auto& [name, reader] : all) {
    bool chosen = argc <= 3;
    for (int i = 3; i < argc; ++i) chosen = chosen || name == argv[i];
    if (chosen) well = run(name, reader, seconds, seed) && well;
  }
  return well ? 0 : 1;
}
