#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <poll.h>
#include <support/scratch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/io/apart.hpp>
#include <microslip/io/hdf5.hpp>

using namespace microslip;
using microslip::test::message_of;
using microslip::test::Scratch;
using microslip::test::slurp;

namespace {

Archive sample() {
  Archive inner;
  inner.set("matrix", NamedArray{.shape = {2, 3}, .data = {1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN()}});
  inner.set("label", std::string("Brake-Reuß"));
  Archive archive;
  archive.set("zeta", 1.0 / 3.0);
  archive.set("alpha", std::string(""));
  archive.set("names", std::vector<std::string>{"x1", "", "n"});
  archive.set("none", std::vector<double>{});
  archive.set("inner", inner);
  std::vector<double> large(40000);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = std::sin(static_cast<double>(i));
  archive.set("large", NamedArray{.shape = {100, 400}, .data = large});
  return archive;
}

}  // namespace

TEST(Hdf5, ArchiveGoesThereAndBackInOrder) {
  const Scratch scratch;
  io::write_hdf5(scratch / "a.h5", sample());
  const auto [back, warnings, sparse] = io::read_hdf5(scratch / "a.h5");
  EXPECT_TRUE(warnings.empty());
  std::vector<std::string> names;
  for (const auto& [name, value] : back.entries()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"zeta", "alpha", "names", "none", "inner", "large"}));
  EXPECT_EQ(back.number("zeta"), 1.0 / 3.0);
  EXPECT_EQ(back.text("alpha"), "");
  EXPECT_EQ(back.texts("names"), sample().texts("names"));
  EXPECT_EQ(back.array("none").shape, (std::vector<std::size_t>{0}));
  EXPECT_EQ(back.group("inner").array("matrix").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(back.group("inner").array("matrix").data[3], 4);
  EXPECT_TRUE(std::isnan(back.group("inner").array("matrix").data[5]));
  EXPECT_EQ(back.group("inner").text("label"), "Brake-Reuß");
  EXPECT_EQ(back.array("large").data, sample().array("large").data);
}

TEST(Hdf5, SameTreeSameBytes) {
  const Scratch scratch;
  io::write_hdf5(scratch / "a.h5", sample());
  io::write_hdf5(scratch / "b.h5", sample());
  EXPECT_EQ(slurp(scratch / "a.h5"), slurp(scratch / "b.h5"));
}

TEST(Hdf5, NothingIsLeftBehindByAFailedWrite) {
  const Scratch scratch;
  Archive archive;
  archive.set("a/b", 1.0);
  EXPECT_EQ(message_of<InvalidInput>([&] { io::write_hdf5(scratch / "a.h5", archive); }),
            (scratch / "a.h5").string() + ": 'a/b' cannot name an entry of an HDF5 file");
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(Hdf5, ForeignTypesAttributesAndLinks) {
  const Scratch scratch;
  const std::string path = (scratch / "f.h5").string();
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t three = 3;
  const hid_t space = H5Screate_simple(1, &three, nullptr), scalar = H5Screate(H5S_SCALAR);
  const auto add = [&](const char* name, hid_t stored, hid_t memory, const void* data) {
    const hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    return set;
  };
  const int integers[] = {1, -2, 3};
  const hid_t acc = add("acc", H5T_STD_I16BE, H5T_NATIVE_INT, integers);
  const hid_t variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable, H5T_VARIABLE);
  const char* unit = "m/s^2";
  const hid_t attribute = H5Acreate2(acc, "unit", variable, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, variable, &unit);
  H5Aclose(attribute);
  H5Dclose(acc);
  const hid_t boolean = H5Tenum_create(H5T_NATIVE_INT8);  // as h5py stores booleans
  const signed char no = 0, yes = 1;
  H5Tenum_insert(boolean, "FALSE", &no);
  H5Tenum_insert(boolean, "TRUE", &yes);
  const signed char flags[] = {0, 1, 1};
  H5Dclose(add("flags", boolean, boolean, flags));
  const char* words[] = {"one", "two", "three"};
  H5Dclose(add("words", variable, variable, words));
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(pair, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "i", 8, H5T_NATIVE_DOUBLE);
  const double complex[] = {1, 2, 3, 4, 5, 6};
  H5Dclose(add("frf", pair, pair, complex));
  H5Lcreate_external("/etc/passwd", "/", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", file, "loop", H5P_DEFAULT, H5P_DEFAULT);
  for (const hid_t type : {variable, boolean, pair}) H5Tclose(type);
  H5Sclose(space);
  H5Sclose(scalar);
  H5Fclose(file);

  EXPECT_EQ(message_of<InvalidInput>([&] { (void)io::read_hdf5(path); }).substr(path.size()),
            ": 'loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/"
            "loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop/loop': groups are nested deeper than 32");
  const hid_t again = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(again, "loop", H5P_DEFAULT);
  H5Fclose(again);
  const auto [tree, warnings, sparse] = io::read_hdf5(path);
  EXPECT_EQ(tree.array("acc").data, (std::vector<double>{1, -2, 3}));
  EXPECT_EQ(tree.text("acc@unit"), "m/s^2");
  EXPECT_EQ(tree.array("flags").data, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(tree.texts("words"), (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(warnings, (std::vector<std::string>{"'elsewhere' is a link elsewhere or damaged: left out",
                                                "'frf' is a compound of several values: left out"}));
}

TEST(Hdf5, DamagedFilesAreRefused) {
  const Scratch scratch;
  io::write_hdf5(scratch / "a.h5", sample());
  const std::string whole = slurp(scratch / "a.h5");
  const std::string no_file = message_of<InvalidInput>([&] { (void)io::read_hdf5(scratch / "none"); });
  EXPECT_EQ(no_file, (scratch / "none").string() + ": cannot be opened: No such file or directory");
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, whole.size() / 2}) {
    const auto path = scratch.file("cut.h5", whole.substr(0, size));
    EXPECT_EQ(message_of<InvalidInput>([&] { (void)io::read_hdf5(path); }),
              path.string() + ": the HDF5 library cannot open it: truncated or damaged");
  }
}

TEST(Hdf5, AReaderEndsWithTheProcessThatAsked) {
  std::array<int, 2> begun{}, life{};  // the reader says that it has begun; what holds the other end of `life` lives
  ASSERT_EQ(::pipe(begun.data()), 0);
  ASSERT_EQ(::pipe(life.data()), 0);
  const pid_t asking = ::fork();
  if (asking == 0) {
    const pid_t parent = ::getpid();
    (void)io::read_apart(
        [&] {
          (void)!::write(begun[1], "b", 1);
          while (::getppid() == parent) ::usleep(1000);
          io::Tree more_than_a_pipe_holds;
          more_than_a_pipe_holds.archive.set("x", std::vector<double>(1 << 20));
          return more_than_a_pipe_holds;
        },
        "x.h5");
    ::_exit(0);
  }
  ::close(life[1]);
  char word = 0;
  ASSERT_EQ(::read(begun[0], &word, 1), 1);
  ::kill(asking, SIGKILL);
  ::waitpid(asking, nullptr, 0);
  pollfd end{.fd = life[0], .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&end, 1, 10'000), 1) << "it waits for a reader that is no more";
  for (const int fd : {begun[0], begun[1], life[0]}) ::close(fd);
}

TEST(Hdf5, AHangInTheLibraryIsARefusal) {
  const auto for_ever = []() -> io::Tree {
    const volatile bool more = true;
    while (more) {
    }
    return {};
  };
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)io::read_apart(for_ever, "x.h5", 1); }),
            "x.h5: the HDF5 library hangs on it: damaged");
}

TEST(Hdf5, ReadsApartWhereNobodyWaitsForChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);  // as a server may: the status of a child is then lost
  EXPECT_EQ(message_of<InvalidInput>([&] { (void)io::read_apart([]() -> io::Tree { std::_Exit(3); }, "x.h5"); }),
            "x.h5: the HDF5 library crashes or hangs on it: damaged");
  EXPECT_EQ(io::read_apart(
                [] {
                  return io::Tree{sample(), {}, {}};
                },
                "x.h5")
                .archive.array("large")
                .data,
            sample().array("large").data);
  std::signal(SIGCHLD, before);
}

TEST(Hdf5, ACrashInTheLibraryIsARefusal) {
  const auto refused = [](auto read) { return message_of<InvalidInput>([&] { (void)io::read_apart(read, "x.h5"); }); };
  EXPECT_EQ(refused([]() -> io::Tree { std::_Exit(3); }), "x.h5: the HDF5 library crashes on it: damaged");
  EXPECT_EQ(refused([]() -> io::Tree {
              std::raise(SIGSEGV);
              return {};
            }),
            "x.h5: the HDF5 library crashes on it: damaged");
  EXPECT_EQ(refused([]() -> io::Tree { throw InvalidInput("x.h5: as it is"); }), "x.h5: as it is");
  EXPECT_EQ(io::read_apart(
                [] {
                  return io::Tree{sample(), {"w"}, {}};
                },
                "x.h5")
                .archive.array("large")
                .data,
            sample().array("large").data);
}

TEST(Hdf5, CtrlCIsLeftToTheProcessThatAsked) {  // a terminal sends it to both
  const io::Tree tree = io::read_apart(
      [] {
        std::raise(SIGINT);
        return io::Tree{sample(), {}, {}};
      },
      "x.h5");
  EXPECT_EQ(tree.archive.number("zeta"), 1.0 / 3.0);
}
