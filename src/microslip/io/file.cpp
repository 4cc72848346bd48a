#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/core/letter_case.hpp>
#include <microslip/io/file.hpp>

namespace microslip::io {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file that closes itself.
struct Descriptor {
  int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

/// Where a file of that name is kept: what a link points to, so that the link stays a link.
std::filesystem::path kept_at(const std::filesystem::path& path) {
  std::filesystem::path target = path;
  std::error_code ignored;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(target, ignored); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);  // an absolute one replaces all
  return target;
}

/// A device, a pipe or a socket: something that is written to, and never replaced by a file.
bool is_outlet(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t put = ::write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw InvalidInput(fmt::format("{}: cannot be written: {}", path.string(), reason(errno)));
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

std::string extension_of(const std::filesystem::path& path) { return lower_case(path.extension().string()); }

std::string read_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) throw InvalidInput(fmt::format("{}: cannot be opened: {}", path.string(), reason(errno)));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) throw InvalidInput(fmt::format("{}: {}", path.string(), reason(errno)));
  if (S_ISDIR(status.st_mode)) throw InvalidInput(fmt::format("{}: is a folder, a file is expected", path.string()));

  std::string content;
  if (S_ISREG(status.st_mode)) content.reserve(static_cast<std::size_t>(status.st_size));
  std::size_t size = 0;
  while (true) {  // a pipe has no size, and a file may grow: read until there is no more
    constexpr std::size_t chunk = 1 << 18;
    content.resize(size + chunk);
    const ssize_t got = ::read(file.fd, content.data() + size, chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InvalidInput(fmt::format("{}: cannot be read: {}", path.string(), reason(errno)));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  content.resize(size);
  return content;
}

void check_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InvalidInput(fmt::format("{}: is a folder, a file name is expected", path.string()));
  if (is_outlet(path)) return;
  const std::filesystem::path folder = kept_at(path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    throw InvalidInput(fmt::format("{}: cannot be written: {}", path.string(), reason(errno)));
}

bool same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code unknown;
  const auto place = [&](const std::filesystem::path& path) {  // what is not there yet needs its folder for a name
    return std::filesystem::weakly_canonical(std::filesystem::absolute(kept_at(path), unknown), unknown);
  };
  return !is_outlet(one) && place(one) == place(other) && !unknown;
}

void refuse_repeated(std::span<const std::filesystem::path> files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(files[i], files[j]))
        throw InvalidInput(fmt::format("{} is given twice: it would count as two tests", files[i].string()));
}

PendingFile::PendingFile(const std::filesystem::path& path) : path_(kept_at(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw InvalidInput(fmt::format("{}: is a folder, a file name is expected", path_.string()));
  if (is_outlet(path_))
    throw InvalidInput(fmt::format("{}: is a device or a pipe, a file is expected", path_.string()));
  static std::atomic<unsigned> count{0};
  while (true) {
    beside_ = fmt::format("{}.{}-{}.part", path_.string(), ::getpid(), count++);
    const Descriptor file(::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.fd >= 0) return;
    if (errno != EEXIST) throw InvalidInput(fmt::format("{}: cannot be written: {}", path_.string(), reason(errno)));
  }
}

PendingFile::~PendingFile() {
  if (!committed_) ::unlink(beside_.c_str());
}

void PendingFile::commit() {
  {
    const Descriptor file(::open(beside_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd < 0 || ::fsync(file.fd) != 0)
      throw InvalidInput(fmt::format("{}: cannot be written: {}", path_.string(), reason(errno)));
  }
  if (::rename(beside_.c_str(), path_.c_str()) != 0)
    throw InvalidInput(fmt::format("{}: cannot be written: {}", path_.string(), reason(errno)));
  committed_ = true;
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  if (is_outlet(path)) {
    const Descriptor outlet(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (outlet.fd < 0) throw InvalidInput(fmt::format("{}: cannot be written: {}", path.string(), reason(errno)));
    write_all(outlet.fd, content, path);
    return;
  }
  PendingFile pending(path);
  {
    const Descriptor file(::open(pending.beside().c_str(), O_WRONLY | O_CLOEXEC));
    if (file.fd < 0) throw InvalidInput(fmt::format("{}: cannot be written: {}", path.string(), reason(errno)));
    write_all(file.fd, content, path);
  }
  pending.commit();
}

}  // namespace microslip::io
