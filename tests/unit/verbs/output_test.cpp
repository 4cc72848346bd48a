#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {
namespace {

class OutputFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "abc.csv", std::ios::binary) << "abc";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder = std::filesystem::temp_directory_path() / "microslip-output-test";
};

report::Page drawn() {
  report::Figure figure{.id = "curve", .title = "A curve", .x = {.title = "time", .unit = "s"}};
  figure.y = {{.title = "force", .unit = "N"}};
  figure.traces = {{.name = "measured", .x = {0, 1}, .y = {0, 1}}};
  return {.title = "A page", .sections = {{.title = "Section", .figures = {figure}}}};
}

// FIPS 180-4's own example.
constexpr const char* hash_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST_F(OutputFiles, AReportSaysFromWhichBytesItWasMade) {
  Output output;
  output.page = drawn;
  output.inputs = {folder / "abc.csv", "/dev/null"};
  const report::Page page = finished_page(output, "microslip verb abc.csv", 1.5);
  EXPECT_EQ(page.provenance.command, "microslip verb abc.csv");
  EXPECT_EQ(page.provenance.seconds, 1.5);
  ASSERT_EQ(page.provenance.inputs.size(), 2U);
  EXPECT_EQ(page.provenance.inputs[0].name, (folder / "abc.csv").string());
  EXPECT_EQ(page.provenance.inputs[0].sha256, hash_of_abc);
  EXPECT_EQ(page.provenance.inputs[1].sha256, "");  // what is no regular file is not read again
}

TEST_F(OutputFiles, AVerbWithoutAReportIsRefused) { EXPECT_THROW((void)finished_page({}, "", 0), InvalidInput); }

TEST_F(OutputFiles, OneSvgPerFigureAndNoParts) {
  const auto paths = write_svgs(drawn(), folder / "new" / "svg");
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0], folder / "new" / "svg" / "curve.svg");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "new" / "svg"), {}), 1);
  EXPECT_THROW((void)write_svgs(drawn(), folder / "abc.csv"), InvalidInput);
}

}  // namespace
}  // namespace microslip::verbs
