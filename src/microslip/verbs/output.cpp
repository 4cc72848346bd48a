#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/sha256.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

io::Json begin_result(std::string_view verb) {
  io::Json result = io::Json::object();
  result["microslip"] = std::string(version);
  result["verb"] = std::string(verb);
  return result;
}

report::Input input_of(const std::filesystem::path& path) {
  std::error_code error;
  const bool again = std::filesystem::is_regular_file(path, error);
  return {.name = path.string(), .sha256 = again ? io::sha256(io::read_file(path)) : ""};
}

report::Page finished_page(const Output& output, const std::string& command, double seconds) {
  if (!output.page) throw InvalidInput("this verb draws no report");
  report::Page page = output.page();
  page.provenance.command = command;
  if (!page.provenance.seconds) page.provenance.seconds = seconds;
  for (const std::filesystem::path& path : output.inputs) page.provenance.inputs.push_back(input_of(path));
  return page;
}

void check_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path there = folder;  // or the nearest above it
  while (!there.empty() && !std::filesystem::exists(std::filesystem::symlink_status(there, ignored)))
    there = there.parent_path();
  if (there.empty()) there = ".";
  if (!std::filesystem::exists(there, ignored))
    throw InvalidInput(fmt::format("{}: is a link that leads nowhere, a folder is expected", there.string()));
  if (!std::filesystem::is_directory(there, ignored))
    throw InvalidInput(fmt::format("{}: is a file, a folder is expected", there.string()));
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    throw InvalidInput(fmt::format("{}: cannot be written: {}", there.string(), std::strerror(errno)));
}

std::vector<std::filesystem::path> write_svgs(const report::Page& page, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InvalidInput(fmt::format("{}: cannot make this folder: {}", folder.string(), error.message()));
  std::vector<std::filesystem::path> paths;
  for (const auto& [name, svg] : report::figure_files(page)) {
    paths.push_back(folder / name);
    io::write_file(paths.back(), svg);
  }
  return paths;
}

}  // namespace microslip::verbs
