#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5_parts.hpp>

namespace microslip::io {

namespace {

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

}  // namespace microslip::io
