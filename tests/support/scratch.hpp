#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace microslip::test {

/// A folder of its own that disappears with the test.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> count{0};
    folder_ = std::filesystem::temp_directory_path() / fmt::format("microslip-test-{}-{}", ::getpid(), count++);
    std::filesystem::create_directories(folder_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  /// A file of that name and content.
  [[nodiscard]] std::filesystem::path file(std::string_view name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The message of the exception of type E that `f` throws; empty where it throws none.
template <class E, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

/// Real files that are not bundled (tests/README.md): $MICROSLIP_SHARED/data, else ../shared/data beside the sources.
inline std::filesystem::path shared_data() {
  const char* given = std::getenv("MICROSLIP_SHARED");
  return (given != nullptr ? std::filesystem::path(given) : std::filesystem::path(MICROSLIP_SOURCE_DIR) / "../shared") /
         "data";
}

}  // namespace microslip::test

#define SKIP_WITHOUT_SHARED_DATA()                              \
  if (!std::filesystem::exists(microslip::test::shared_data())) \
  GTEST_SKIP() << "set MICROSLIP_SHARED to the folder with the real files"
