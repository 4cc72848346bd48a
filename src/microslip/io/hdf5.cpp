#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include <hdf5.h>

#include <microslip/core/check.hpp>
#include <microslip/io/apart.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/matlab.hpp>

namespace microslip::io {

namespace {

constexpr int depth_limit = 32;
constexpr std::size_t element_limit = std::size_t{1} << 28;  // 2 GiB of doubles: more is a damaged header
constexpr std::size_t text_limit = std::size_t{1} << 24;

/// Debian's library is not thread-safe: one file at a time.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

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

// ---- writing ----

class Writer {
 public:
  explicit Writer(std::string path) : path_(std::move(path)) {}

  void group(hid_t parent, const Archive& archive) {
    for (const auto& [name, value] : archive.entries()) {
      if (name.empty() || name == "." || name.find('/') != std::string::npos)
        throw InvalidInput(fmt::format("{}: '{}' cannot name an entry of an HDF5 file", path_, name));
      if (const auto* inner = std::get_if<Archive>(&value)) {
        const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
        H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
        H5Pset_obj_track_times(properties, false);
        const Handle made(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose);
        check(made.ok(), name);
        group(made, *inner);
      } else if (const auto* number = std::get_if<double>(&value)) {
        numbers(parent, name, {}, number);
      } else if (const auto* array = std::get_if<NamedArray>(&value)) {
        numbers(parent, name, array->shape, array->data.data());
      } else if (const auto* text = std::get_if<std::string>(&value)) {
        texts(parent, name, {text, 1}, false);
      } else {
        texts(parent, name, std::get<std::vector<std::string>>(value), true);
      }
    }
  }

 private:
  void check(bool ok, const std::string& name) const {
    if (!ok) throw InvalidInput(fmt::format("{}: the HDF5 library could not write '{}'", path_, name));
  }

  [[nodiscard]] Handle data_set(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                                bool scalar) const {
    const Handle space(
        scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(properties, false);  // same tree, same bytes
    constexpr hsize_t worth_compressing = 1 << 14;
    const hsize_t size = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
    if (!scalar && size >= worth_compressing) {
      std::vector<hsize_t> chunk(shape);
      hsize_t rest = size;
      for (hsize_t& length : chunk) {  // slabs of about a megabyte
        const hsize_t row = rest / length;
        length = std::clamp<hsize_t>((hsize_t{1} << 17) / row, 1, length);
        rest = row;
      }
      H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, 4);
    }
    return {H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose};
  }

  void numbers(hid_t parent, const std::string& name, const std::vector<std::size_t>& shape, const double* data) {
    const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
    const Handle set = data_set(parent, name, H5T_IEEE_F64LE, dimensions, shape.empty());
    check(set.ok(), name);
    if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return;
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name);
  }

  void texts(hid_t parent, const std::string& name, std::span<const std::string> list, bool is_list) {
    std::size_t width = 1;
    for (const std::string& text : list) width = std::max(width, text.size());
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, width);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    std::string packed;
    for (const std::string& text : list) packed += text + std::string(width - text.size(), '\0');
    const Handle set = data_set(parent, name, type, {list.size()}, !is_list);
    check(set.ok(), name);
    if (!list.empty()) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0, name);
  }

  std::string path_;
};

// ---- reading ----

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

std::string up_to_zero(std::string text) {
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void read_texts(const Source& source, hid_t type, std::size_t count, Content& content) {
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (!source.read(memory, pointers.data())) {
      content.trouble = "cannot be read";
      return;
    }
    for (const char* pointer : pointers) content.texts.emplace_back(pointer == nullptr ? "" : pointer);
    const Handle space = source.space();
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    return;
  }
  const std::size_t width = H5Tget_size(type);
  if (width == 0 || width > text_limit || count > text_limit / width) {
    content.trouble = "its text is implausibly long";
    return;
  }
  std::string packed(width * count, '\0');
  if (!source.read(type, packed.data())) {
    content.trouble = "cannot be read";
    return;
  }
  for (std::size_t i = 0; i < count; ++i) content.texts.push_back(up_to_zero(packed.substr(i * width, width)));
}

Content unreadable(std::string trouble) {
  Content content;
  content.trouble = std::move(trouble);
  return content;
}

Content read_content(const Source& source) {
  Content content;
  const Handle type = source.type(), space = source.space();
  if (!type.ok() || !space.ok()) return unreadable("has no readable type or shape");
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 8) return unreadable("has no readable shape");
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, dimensions.data(), nullptr);
  content.scalar = rank == 0;
  std::size_t count = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : 1;
  for (const hsize_t length : dimensions) {
    if (length > element_limit || count * length > element_limit)
      return unreadable(fmt::format("claims {} rows or more, beyond the limit of {} numbers", length, element_limit));
    count *= length;
    content.shape.push_back(length);
  }
  if (count == 0 && content.scalar) {
    content.scalar = false;
    content.shape = {0};
  }
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      read_texts(source, type, count, content);
      break;
    case H5T_INTEGER:
    case H5T_FLOAT:
    case H5T_ENUM:  // booleans among them
      content.numbers.resize(count);
      if (count > 0 && !source.read(H5T_NATIVE_DOUBLE, content.numbers.data()))
        return unreadable("cannot be read: damaged, or compressed in a way this library does not know");
      break;
    case H5T_REFERENCE:
      content.trouble = "holds references";
      break;
    case H5T_COMPOUND:
      content.trouble = "is a compound of several values";
      break;
    default:
      content.trouble = "is of a kind that is not read";
      break;
  }
  return content;
}

std::vector<std::string> link_names(hid_t group) {
  H5G_info_t info{};
  std::vector<std::string> names;
  if (H5Gget_info(group, &info) < 0) return names;
  constexpr hsize_t link_limit = 1 << 20;
  const H5_index_t order =
      H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, 0, nullptr, 0, H5P_DEFAULT) >= 0
          ? H5_INDEX_CRT_ORDER
          : H5_INDEX_NAME;
  for (hsize_t i = 0; i < std::min(info.nlinks, link_limit); ++i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length <= 0 || static_cast<std::size_t>(length) > text_limit) continue;
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    names.push_back(up_to_zero(name));
  }
  return names;
}

std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (!attribute.ok()) return "";
  const Content content = read_content({attribute, true});
  return content.texts.empty() ? "" : content.texts.front();
}

/// An entry of the group's own, a hard link; links that lead elsewhere may be loops or other files.
Handle open_object(hid_t group, const std::string& name) {
  H5L_info_t info{};
  if (H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return {-1, H5Oclose};
  return {H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose};
}

void set_content(Archive& archive, const std::string& name, Content&& content) {
  if (!content.texts.empty()) {
    if (content.texts.size() == 1)
      archive.set(name, std::move(content.texts.front()));
    else
      archive.set(name, std::move(content.texts));
  } else if (content.scalar && content.numbers.size() == 1) {
    archive.set(name, content.numbers.front());
  } else {
    archive.set(name, NamedArray{.shape = std::move(content.shape), .data = std::move(content.numbers)});
  }
}

/// Walks a file written by anyone.
class Reader {
 public:
  explicit Reader(Tree& tree) : tree_(tree) {}

  void group(hid_t id, Archive& archive, const std::string& path, int depth) {
    attributes(id, archive, "", path);
    for (const std::string& name : link_names(id)) {
      const std::string inner_path = path.empty() ? name : fmt::format("{}/{}", path, name);
      const Handle object = open_object(id, name);
      if (!object.ok() || archive.contains(name)) {
        tree_.warnings.push_back(fmt::format("'{}' is a link elsewhere or damaged: left out", inner_path));
      } else if (H5Iget_type(object) == H5I_GROUP) {
        if (depth >= depth_limit)
          throw InvalidInput(fmt::format("'{}': groups are nested deeper than {}", inner_path, depth_limit));
        Archive inner;
        group(object, inner, inner_path, depth + 1);
        archive.set(name, std::move(inner));
      } else if (H5Iget_type(object) == H5I_DATASET) {
        Content content = read_content({object, false});
        if (content.trouble.empty()) {
          set_content(archive, name, std::move(content));
          attributes(object, archive, name, inner_path);
        } else {
          tree_.warnings.push_back(fmt::format("'{}' {}: left out", inner_path, content.trouble));
        }
      }
      if (++objects_ > object_limit) throw InvalidInput(fmt::format("holds more than {} objects", object_limit));
    }
  }

 private:
  static constexpr int object_limit = 100000;

  void attributes(hid_t object, Archive& archive, const std::string& owner, const std::string& path) {
    H5O_info_t info{};
    if (H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0) return;
    for (hsize_t i = 0; i < std::min<hsize_t>(info.num_attrs, 1000); ++i) {
      const Handle attribute(H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
      if (!attribute.ok()) continue;
      std::string name(256, '\0');
      H5Aget_name(attribute, name.size(), name.data());
      name = fmt::format("{}@{}", owner, up_to_zero(name));
      Content content = read_content({attribute, true});
      if (!content.trouble.empty() || archive.contains(name))
        tree_.warnings.push_back(fmt::format("attribute '{}' of '{}' is left out", name, path));
      else
        set_content(archive, name, std::move(content));
    }
  }

  Tree& tree_;
  int objects_ = 0;
};

/// Walks a MAT file of version 7.3: what a data set means is in its attribute MATLAB_class, arrays are stored
/// transposed, cells hold references to what lies elsewhere.
class MatReader {
 public:
  MatReader(hid_t file, Tree& tree) : file_(file), tree_(tree) {}

  void members(hid_t group, Archive& archive, const std::string& path, int depth) {
    for (const std::string& name : link_names(group)) {
      if (name.empty() || name.front() == '#') continue;  // #refs# and #subsystem# serve others
      const std::string inner_path = path.empty() ? name : fmt::format("{}.{}", path, name);
      const Handle object = open_object(group, name);
      if (!object.ok() || archive.contains(name))
        tree_.warnings.push_back(fmt::format("variable '{}' is damaged: left out", inner_path));
      else
        value(object, archive, name, inner_path, depth);
    }
  }

 private:
  void value(hid_t object, Archive& archive, const std::string& name, const std::string& path, int depth) {
    if (depth >= depth_limit)
      throw InvalidInput(fmt::format("variable '{}': structs or cells are nested deeper than {}", path, depth_limit));
    if (++values_ > 100000) throw InvalidInput("holds more than 100000 values");
    const std::string kind = text_attribute(object, "MATLAB_class");
    if (H5Aexists(object, "MATLAB_object_decode") > 0 || kind == "string" || kind == "table" || kind == "timetable" ||
        kind == "datetime" || kind == "categorical" || kind == "function_handle") {
      tree_.warnings.push_back(matlab_object_warning(path, kind.empty() ? "object" : kind));
    } else if (H5Iget_type(object) == H5I_GROUP) {
      if (H5Aexists(object, "MATLAB_sparse") > 0) {
        tree_.warnings.push_back(matlab_sparse_warning(path));
        return;
      }
      Archive inner;
      members(object, inner, path, depth + 1);
      archive.set(name, std::move(inner));
    } else if (kind == "cell") {
      cell(object, archive, name, path, depth);
    } else {
      numbers(object, archive, name, path, kind);
    }
  }

  void numbers(hid_t object, Archive& archive, const std::string& name, const std::string& path,
               const std::string& kind) {
    Content content = read_content({object, false});
    if (!content.trouble.empty()) {
      const std::string hint = content.trouble == "holds references"                  ? "is an array of structs"
                               : content.trouble == "is a compound of several values" ? "is complex"
                                                                                      : content.trouble;
      tree_.warnings.push_back(fmt::format("variable '{}' {}: left out", path, hint));
      return;
    }
    if (H5Aexists(object, "MATLAB_empty") > 0) {  // the numbers are then the shape of nothing
      content.numbers.clear();
      content.shape = {0, 0};
    }
    std::reverse(content.shape.begin(), content.shape.end());
    set_matlab_array(archive, name, content.shape, content.numbers, kind == "char");
  }

  void cell(hid_t object, Archive& archive, const std::string& name, const std::string& path, int depth) {
    const Source source{object, false};
    const Handle type = source.type(), space = source.space();
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Aexists(object, "MATLAB_empty") > 0) {
      archive.set(name, NamedArray{.shape = {0, 0}, .data = {}});
      return;
    }
    if (count < 0 || count > 100000 || H5Tequal(type, H5T_STD_REF_OBJ) <= 0) {
      tree_.warnings.push_back(fmt::format("variable '{}' is a damaged cell array: left out", path));
      return;
    }
    std::vector<hobj_ref_t> references(static_cast<std::size_t>(count));
    if (count > 0 && !source.read(H5T_STD_REF_OBJ, references.data())) return;
    Archive inner;
    for (std::size_t i = 0; i < references.size(); ++i) {
      const Handle target(H5Rdereference2(file_, H5P_DEFAULT, H5R_OBJECT, &references[i]), H5Oclose);
      const std::string inner_path = fmt::format("{}{{{}}}", path, i + 1);
      if (target.ok())
        value(target, inner, std::to_string(i), inner_path, depth + 1);
      else
        tree_.warnings.push_back(fmt::format("variable '{}' is damaged: left out", inner_path));
    }
    set_matlab_cell(archive, name, std::move(inner));
  }

  hid_t file_;
  Tree& tree_;
  int values_ = 0;
};

template <class Walk>
Tree read_here(const std::filesystem::path& path, Walk walk) {
  const Quiet quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.ok()) {
    (void)read_file(path);  // says so where it cannot be read at all
    throw InvalidInput(fmt::format("{}: the HDF5 library cannot open it: truncated or damaged", path.string()));
  }
  Tree tree;
  try {
    walk(file, tree);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", path.string(), error.what()));
  }
  return tree;
}

/// The library crashes on some damaged files, so it reads in a process of its own.
template <class Walk>
Tree read_tree(const std::filesystem::path& path, Walk walk) {
  const std::lock_guard lock(library_mutex());
  return read_apart([&] { return read_here(path, walk); }, path.string());
}

}  // namespace

void write_hdf5(const std::filesystem::path& path, const Archive& archive) {
  const std::lock_guard lock(library_mutex());
  const Quiet quiet;
  PendingFile pending(path);
  {
    const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const Handle file(H5Fcreate(pending.beside().c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT), H5Fclose);
    if (!file.ok()) throw InvalidInput(fmt::format("{}: the HDF5 library cannot create it", path.string()));
    Writer(path.string()).group(file, archive);
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0)
      throw InvalidInput(fmt::format("{}: the HDF5 library could not write it", path.string()));
  }
  pending.commit();
}

Tree read_hdf5(const std::filesystem::path& path) {
  return read_tree(path, [](hid_t file, Tree& tree) { Reader(tree).group(file, tree.archive, "", 0); });
}

Tree read_mat73(const std::filesystem::path& path) {
  return read_tree(path, [](hid_t file, Tree& tree) { MatReader(file, tree).members(file, tree.archive, "", 0); });
}

}  // namespace microslip::io
