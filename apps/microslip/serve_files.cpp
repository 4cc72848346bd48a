#include "serve_files.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/printable.hpp>
#include <microslip/io/file.hpp>

namespace microslip::app {

namespace {

/// The ending tells the readers which format to try; anything but a few letters and digits is left out.
std::string safe_ending(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  std::string ending;
  for (const char c : name.substr(dot + 1)) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9'))) return "";
    ending += small;
  }
  return ending.empty() || ending.size() > 6 ? "" : "." + ending;
}

/// Safe to put into any text, JSON or HTML in place of a path: whole letters of UTF-8, at most `longest` bytes of them.
std::string shown_name(const std::string& name) {
  constexpr std::string_view special = "\"\\<>&'/";
  constexpr std::size_t longest = 120;
  std::string shown;
  for (const char c : printable(name)) shown += special.find(c) == std::string_view::npos ? c : '_';
  if (shown.size() > longest) {
    std::size_t end = longest;
    while ((static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80) --end;
    shown.resize(end);
  }
  return shown.empty() ? "file" : shown;
}

}  // namespace

ReceivedFiles::ReceivedFiles() {
  std::string pattern = (std::filesystem::temp_directory_path() / "microslip-serve-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InvalidInput(fmt::format("{}: cannot make a folder for received files", pattern));
  folder_ = pattern;
  mark_ = pattern.substr(pattern.size() - 6);
}

ReceivedFiles::~ReceivedFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

ReceivedFiles::File ReceivedFiles::add(const std::string& name, const std::string& content) {
  const std::string shown = shown_name(name);
  if (content.empty()) throw InvalidInput(fmt::format("{}: the file is empty", shown));
  if (content.size() > largest)
    throw InvalidInput(fmt::format("{}: {} bytes, at most {} are taken", shown, content.size(), largest));
  const std::lock_guard lock(mutex_);
  std::size_t together = content.size();
  for (const File& file : files_) together += file.size;
  while ((together > largest_together || files_.size() >= most) && !files_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(files_.front().path, ignored);
    together -= files_.front().size;
    files_.pop_front();
  }
  const std::uint64_t id = next_++;
  const std::filesystem::path path = folder_ / fmt::format("{}-{}{}", mark_, id, safe_ending(name));
  io::write_file(path, content);
  files_.push_back({.id = id, .shown_name = shown, .path = path, .size = content.size()});
  return files_.back();
}

ReceivedFiles::File ReceivedFiles::get(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  for (const File& file : files_)
    if (file.id == id) return file;
  throw InvalidInput(fmt::format("file {} is not here (any more): drop it again", id));
}

std::string ReceivedFiles::in_users_words(std::string text) const {
  const std::lock_guard lock(mutex_);
  const auto replace = [&](const std::string& own, const std::string& users) {
    for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + users.size()))
      text.replace(at, own.size(), users);
  };
  if (text.find(mark_) == std::string::npos) return text;
  // The latest first: the path of file 12 contains that of file 1. Verbs also speak of a file by its name, or by the
  // part before the dot.
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    replace(file->path.string(), file->shown_name);
    replace(file->path.filename().string(), file->shown_name);
    replace(file->path.stem().string(), std::filesystem::path(file->shown_name).stem().string());
  }
  return text;
}

}  // namespace microslip::app
