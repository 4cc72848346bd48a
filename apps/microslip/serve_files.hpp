#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>

namespace microslip::app {

/// Files that pages sent, in a private folder under names of the server's own. A page speaks of them by number.
class ReceivedFiles {
 public:
  static constexpr std::size_t largest = 64U << 20U;
  static constexpr std::size_t largest_together = 512U << 20U;
  static constexpr std::size_t most = 256;

  ReceivedFiles();
  ~ReceivedFiles();
  ReceivedFiles(const ReceivedFiles&) = delete;
  ReceivedFiles& operator=(const ReceivedFiles&) = delete;

  struct File {
    std::uint64_t id;
    std::string shown_name;  ///< as the page called it, for messages
    std::filesystem::path path;
    std::size_t size;
  };

  /// Throws InvalidInput where it is empty or too large. The oldest make room for it.
  File add(const std::string& name, const std::string& content);
  /// Throws InvalidInput where there is no such file (any more).
  [[nodiscard]] File get(std::uint64_t id) const;
  /// A message, JSON or page with the server's own paths replaced by the names that the user knows.
  [[nodiscard]] std::string in_users_words(std::string text) const;

 private:
  mutable std::mutex mutex_;
  std::filesystem::path folder_;
  std::string mark_;  ///< begins every file's name, as no name of a user's does: six random letters
  std::deque<File> files_;
  std::uint64_t next_ = 1;
};

}  // namespace microslip::app
