#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <microslip/io/hdf5.hpp>

namespace microslip::io {

// What the writer and the readers of HDF5 share: the library's objects in C++, and one data set or attribute.

constexpr int depth_limit = 32;  ///< of groups within groups: more is a damaged file

/// Debian's library is not thread-safe: one file at a time.
std::mutex& library_mutex();

/// An identifier of the library with the function that gives it back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: it stands for the identifier everywhere
  [[nodiscard]] bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The library prints a stack trace of its own on every error; our messages say what matters.
struct Quiet {
  Quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
};

/// The numbers and texts of one data set or attribute, whichever it is.
struct Content {
  std::vector<std::size_t> shape;
  bool scalar = false;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string trouble;  ///< why it could not be read; empty where it could
};

/// A data set and an attribute are read alike but for the calls.
struct Source {
  hid_t id;
  bool attribute;
  [[nodiscard]] Handle type() const { return {attribute ? H5Aget_type(id) : H5Dget_type(id), H5Tclose}; }
  [[nodiscard]] Handle space() const { return {attribute ? H5Aget_space(id) : H5Dget_space(id), H5Sclose}; }
  [[nodiscard]] bool read(hid_t memory_type, void* into) const {
    return (attribute ? H5Aread(id, memory_type, into)
                      : H5Dread(id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into)) >= 0;
  }
};

Content read_content(const Source& source);
/// The text up to its first zero byte.
std::string up_to_zero(std::string text);
/// Names of a group's entries, in the order of their making where the file keeps it.
std::vector<std::string> link_names(hid_t group);
/// The text of an attribute; empty where there is none.
std::string text_attribute(hid_t object, const char* name);
/// An entry of the group's own, a hard link; links that lead elsewhere may be loops or other files.
Handle open_object(hid_t group, const std::string& name);

/// What `walk` makes of the file. The library crashes on some damaged files, so it reads in a process of its own.
Tree read_tree(const std::filesystem::path& path, const std::function<void(hid_t file, Tree& tree)>& walk);

}  // namespace microslip::io
