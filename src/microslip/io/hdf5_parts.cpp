#include <algorithm>

#include <microslip/core/check.hpp>
#include <microslip/io/apart.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5_parts.hpp>

namespace microslip::io {

namespace {

constexpr std::size_t element_limit = std::size_t{1} << 28;  // 2 GiB of doubles: more is a damaged header
constexpr std::size_t text_limit = std::size_t{1} << 24;

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

Tree read_here(const std::filesystem::path& path, const std::function<void(hid_t file, Tree& tree)>& walk) {
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

}  // namespace

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string up_to_zero(std::string text) {
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
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

Handle open_object(hid_t group, const std::string& name) {
  H5L_info_t info{};
  if (H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return {-1, H5Oclose};
  return {H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose};
}

Tree read_tree(const std::filesystem::path& path, const std::function<void(hid_t file, Tree& tree)>& walk) {
  const std::lock_guard lock(library_mutex());
  return read_apart([&] { return read_here(path, walk); }, path.string());
}

}  // namespace microslip::io
