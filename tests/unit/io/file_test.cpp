#include <algorithm>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/file.hpp>

using namespace microslip;
using microslip::test::message_of;
using microslip::test::Scratch;

namespace {

std::ptrdiff_t n_files(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

}  // namespace

TEST(File, WhatIsWrittenIsReadBack) {
  const Scratch scratch;
  const std::string content("a\0b\r\n\xff", 6);
  io::write_file(scratch / "x", content);
  EXPECT_EQ(io::read_file(scratch / "x"), content);
  io::write_file(scratch / "x", "shorter");
  EXPECT_EQ(io::read_file(scratch / "x"), "shorter");
  EXPECT_EQ(n_files(scratch.folder()), 1);
}

TEST(File, AnUncommittedFileLeavesTheOldOneAndNothingElse) {
  const Scratch scratch;
  io::write_file(scratch / "x", "old");
  {
    const io::PendingFile pending(scratch / "x");
    EXPECT_EQ(pending.beside().parent_path(), scratch.folder());
    EXPECT_EQ(n_files(scratch.folder()), 2);
  }
  EXPECT_EQ(io::read_file(scratch / "x"), "old");
  EXPECT_EQ(n_files(scratch.folder()), 1);
}

TEST(File, SaysWhichFileAndWhy) {
  const Scratch scratch;
  const auto read = [](const std::filesystem::path& path) {
    return message_of<InvalidInput>([&] { (void)io::read_file(path); });
  };
  const auto write = [](const std::filesystem::path& path) {
    return message_of<InvalidInput>([&] { io::write_file(path, "x"); });
  };
  EXPECT_EQ(read(scratch / "none"), (scratch / "none").string() + ": cannot be opened: No such file or directory");
  EXPECT_EQ(read(scratch.folder()), scratch.folder().string() + ": is a folder, a file is expected");
  EXPECT_EQ(write(scratch / "no/x"), (scratch / "no/x").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(write(scratch.folder()), scratch.folder().string() + ": is a folder, a file name is expected");
}

TEST(File, ALinkIsFollowedWhetherOrNotItsTargetIsThere) {
  const Scratch scratch;
  std::filesystem::create_symlink("target", scratch / "link");
  for (const char* content : {"first", "second"}) {
    io::write_file(scratch / "link", content);
    EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
    EXPECT_EQ(io::read_file(scratch / "target"), content);
  }
  EXPECT_EQ(n_files(scratch.folder()), 2);
}

TEST(File, WhatCannotBeWrittenIsRefusedBeforehand) {
  const Scratch scratch;
  const auto said = [](const std::filesystem::path& path) {
    return message_of<InvalidInput>([&] { io::check_writable(path); });
  };
  EXPECT_EQ(said(scratch / "new"), "");
  EXPECT_EQ(said("new in this folder"), "");
  EXPECT_EQ(said(scratch / "no/new"), (scratch / "no/new").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(said(scratch.folder()), scratch.folder().string() + ": is a folder, a file name is expected");
  EXPECT_EQ(n_files(scratch.folder()), 0);  // looking leaves nothing behind
}
