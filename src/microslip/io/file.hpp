#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace microslip::io {

/// The whole file. Says which file, and why, where it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// The extension in small letters: ".mtx" of K.MTX.
std::string extension_of(const std::filesystem::path& path);

/// Refuses a path at which nothing can be written (its folder is missing or closed, or it is a folder), before hours of
/// work are spent on what should go there.
void check_writable(const std::filesystem::path& path);

/// Whether what is written to one replaces what is written to the other. A device or a pipe takes both.
bool same_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// Refuses a file that stands twice among repeats of a test: it would count for two.
void refuse_repeated(std::span<const std::filesystem::path> files);

/// A file that appears at `path` complete or not at all: it is written beside, and renamed by `commit`. Without a
/// commit the file beside is removed, and what was at `path` before stays.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& path);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  /// Where to write in the meantime: an empty file in the same folder.
  [[nodiscard]] const std::filesystem::path& beside() const { return beside_; }
  /// Flushes to the disk and renames.
  void commit();

 private:
  std::filesystem::path path_, beside_;
  bool committed_ = false;
};

/// Writes the whole file, complete or not at all; into a device or a pipe as it is.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace microslip::io
