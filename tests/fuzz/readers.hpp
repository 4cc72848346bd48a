#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace microslip::fuzz {

using Seeds = std::vector<std::string>;

/// A reader under test and whole files to damage for it.
struct Reader {
  std::string extension;
  Seeds seeds;
  std::function<void(const std::string& bytes, const std::filesystem::path& path)> read;
};

/// Every reader of the library, by name. Seeds are made here, with the writers and matio; the small real files
/// that are not bundled (tests/README.md) join them where they are.
std::map<std::string, Reader> readers();

}  // namespace microslip::fuzz
