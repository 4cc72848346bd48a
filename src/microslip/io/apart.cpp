#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/io/apart.hpp>
#include <microslip/io/bytes.hpp>

namespace microslip::io {

namespace {

enum class Kind : std::uint8_t { number, text, texts, array, group };

/// Puts a tree into bytes for the way through the pipe.
class Packer {
 public:
  std::string bytes;

  void size(std::size_t n) { raw(static_cast<std::uint64_t>(n)); }
  void text(const std::string& text) {
    size(text.size());
    bytes += text;
  }
  void texts(const std::vector<std::string>& list) {
    size(list.size());
    for (const std::string& item : list) text(item);
  }
  /// Names, sizes and entries: all that sparse matrices of a tree have.
  void matrices(const std::vector<CoordinateMatrix>& list) {
    size(list.size());
    for (const CoordinateMatrix& matrix : list) {
      text(matrix.name);
      size(matrix.n_rows);
      size(matrix.n_columns);
      size(matrix.entries.size());
      for (const auto& [row, column, value] : matrix.entries) {
        raw(row);
        raw(column);
        raw(value);
      }
    }
  }
  void archive(const Archive& archive) {
    size(archive.entries().size());
    for (const auto& [name, value] : archive.entries()) {
      text(name);
      if (const auto* number = std::get_if<double>(&value)) {
        raw(Kind::number);
        raw(*number);
      } else if (const auto* one = std::get_if<std::string>(&value)) {
        raw(Kind::text);
        text(*one);
      } else if (const auto* several = std::get_if<std::vector<std::string>>(&value)) {
        raw(Kind::texts);
        texts(*several);
      } else if (const auto* array = std::get_if<NamedArray>(&value)) {
        raw(Kind::array);
        size(array->shape.size());
        for (const std::size_t length : array->shape) size(length);
        size(array->data.size());
        bytes.append(reinterpret_cast<const char*>(array->data.data()), array->data.size() * sizeof(double));
      } else {
        raw(Kind::group);
        this->archive(std::get<Archive>(value));
      }
    }
  }

 private:
  template <class T>
  void raw(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
};

/// The way back. What comes from a process that may have been damaged is checked like a file.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : from_(bytes, std::endian::native) {}

  std::size_t size() { return from_.number<std::uint64_t>("a size"); }
  std::string text() { return std::string(from_.take(size(), "a text")); }
  std::vector<std::string> texts() {
    std::vector<std::string> list;
    for (std::size_t n = size(); n > 0; --n) list.push_back(text());
    return list;
  }
  std::vector<CoordinateMatrix> matrices() {
    std::vector<CoordinateMatrix> list;
    for (std::size_t n = size(); n > 0; --n) {
      CoordinateMatrix matrix;
      matrix.name = text();
      matrix.n_rows = size();
      matrix.n_columns = size();
      for (std::size_t entries = size(); entries > 0; --entries) {
        const auto row = from_.number<std::int32_t>("a row"), column = from_.number<std::int32_t>("a column");
        matrix.entries.push_back({row, column, from_.number<double>("a value")});
        if (row < 0 || static_cast<std::size_t>(row) >= matrix.n_rows || column < 0 ||
            static_cast<std::size_t>(column) >= matrix.n_columns)
          throw InvalidInput("an entry lies outside its matrix");
      }
      list.push_back(std::move(matrix));
    }
    return list;
  }
  Archive archive(int depth) {
    if (depth > 64) throw InvalidInput("nested too deeply");
    Archive result;
    for (std::size_t n = size(); n > 0; --n) {
      std::string name = text();
      switch (from_.number<Kind>("a kind")) {
        case Kind::number:
          result.set(std::move(name), from_.number<double>("a number"));
          break;
        case Kind::text:
          result.set(std::move(name), text());
          break;
        case Kind::texts:
          result.set(std::move(name), texts());
          break;
        case Kind::array:
          result.set(std::move(name), array());
          break;
        case Kind::group:
          result.set(std::move(name), archive(depth + 1));
          break;
        default:
          throw InvalidInput("unknown kind");
      }
    }
    return result;
  }

 private:
  NamedArray array() {
    NamedArray result;
    std::size_t expected = 1;
    for (std::size_t n = size(); n > 0; --n) {
      result.shape.push_back(size());
      expected *= result.shape.back();
    }
    const std::size_t count = size();
    if (count != expected || count > from_.remaining() / sizeof(double)) throw InvalidInput("shape and data disagree");
    const std::string_view raw = from_.take(count * sizeof(double), "numbers");
    result.data.resize(count);
    if (count > 0) std::memcpy(result.data.data(), raw.data(), raw.size());
    return result;
  }

  ByteReader from_;
};

void send(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

/// The child's whole life: read, send, leave without touching what it shares with its parent.
[[noreturn]] void serve(int fd, const std::function<Tree()>& read, unsigned cpu_seconds) {
  // At the first limit comes SIGXCPU, which names the cause; at the second SIGKILL, which could be anything.
  const rlimit no_core{0, 0}, cpu{cpu_seconds, cpu_seconds + 5};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &cpu);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGXCPU}) std::signal(signal, SIG_DFL);
  // A terminal sends Ctrl-C to both. What it means is the parent's to say: a child that ends would look like damage.
  std::signal(SIGINT, SIG_IGN);
  try {
    const Tree tree = read();
    Packer packer;
    packer.bytes = "T";
    packer.archive(tree.archive);
    packer.texts(tree.warnings);
    packer.matrices(tree.sparse);
    packer.bytes += '.';
    send(fd, packer.bytes);
  } catch (const InvalidInput& error) {
    send(fd, std::string("E") + error.what() + ".");
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

/// What became of a child that sent no whole reply.
std::string_view fate(bool known, int status) {
  if (!known) return "crashes or hangs";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "hangs";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "takes too much memory or time";
  return "crashes";
}

}  // namespace

Tree read_apart(const std::function<Tree()>& read, const std::string& source, unsigned cpu_seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return read();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);  // or it would wait for ever to be read by itself, once its parent is no more
    serve(ends[1], read, cpu_seconds);
  }
  ::close(ends[1]);
  if (child < 0) {  // no process to be had: take the risk
    ::close(ends[0]);
    return read();
  }
  std::string bytes;
  std::size_t size = 0;
  while (true) {
    constexpr std::size_t chunk = 1 << 18;
    bytes.resize(size + chunk);
    const ssize_t got = ::read(ends[0], bytes.data() + size, chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  ::close(ends[0]);
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  // A reply is whole where it ends with a stop.
  if (size >= 2 && bytes.back() == '.') {
    if (bytes.front() == 'E') throw InvalidInput(bytes.substr(1, size - 2));
    try {
      Unpacker unpacker(std::string_view(bytes).substr(1, size - 2));
      Tree tree;
      tree.archive = unpacker.archive(0);
      tree.warnings = unpacker.texts();
      tree.sparse = unpacker.matrices();
      return tree;
    } catch (const InvalidInput&) {
    }
  }
  // Where SIGCHLD is ignored nobody keeps the status (ECHILD).
  throw InvalidInput(fmt::format("{}: the HDF5 library {} on it: damaged", source, fate(ended == child, status)));
}

}  // namespace microslip::io
