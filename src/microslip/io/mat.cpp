#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <zlib.h>

#include <microslip/core/check.hpp>
#include <microslip/core/printable.hpp>
#include <microslip/io/bytes.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/matlab.hpp>

namespace microslip::io {

namespace {

// The format: MATLAB "MAT-File Format", version 5. Everything is a data element: a tag (type, size) and its bytes.

enum Type : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  float32 = 7,
  float64 = 9,
  int64 = 12,
  uint64 = 13,
  matrix = 14,
  compressed = 15,
  utf8 = 16,
  utf16 = 17,
  utf32 = 18
};

enum Class : unsigned {
  cell = 1,
  structure = 2,
  object = 3,
  text = 4,
  sparse = 5,
  first_number = 6,
  last_number = 15,
  function = 16,
  opaque = 17
};

constexpr int depth_limit = 32;
constexpr int value_limit = 1000000;

struct Element {
  std::uint32_t type;
  ByteReader content;
};

/// One element, padding included. Elements of up to four bytes may sit inside their tag.
Element next_element(ByteReader& from) {
  const std::size_t offset = from.offset();
  const auto word = from.number<std::uint32_t>("the tag of a data element");
  const std::uint32_t small_size = word >> 16;
  if (small_size != 0) {
    if (small_size > 4)
      throw InvalidInput(fmt::format("byte {}: {:#x} is not the tag of a data element", offset, word));
    const std::string_view bytes = from.take(4, "a small data element");
    return {word & 0xFFFF, ByteReader(bytes.substr(0, small_size), from.order(), offset + 4)};
  }
  const auto size = from.number<std::uint32_t>("the size of a data element");
  const std::string_view bytes = from.take(size, "a data element");
  if (word != Type::compressed) from.skip_up_to((8 - size % 8) % 8);
  return {word, ByteReader(bytes, from.order(), offset + 8)};
}

template <class T>
void append(ByteReader& content, std::vector<double>& numbers) {
  const std::size_t count = content.remaining() / sizeof(T);
  const char* bytes = content.take(count * sizeof(T), "numbers").data();
  numbers.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<double>(decode<T>(bytes + i * sizeof(T), content.order()));
}

/// Code points of UTF-8; bytes that are none stand for themselves.
std::vector<double> code_points(std::string_view bytes) {
  std::vector<double> codes;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    unsigned code = static_cast<unsigned char>(bytes.front());
    if (length > 1) code &= 0xFFU >> (length + 1);
    for (std::size_t k = 1; k < length; ++k) code = (code << 6) | (static_cast<unsigned char>(bytes[k]) & 0x3F);
    codes.push_back(code);
    bytes.remove_prefix(std::max<std::size_t>(1, length));
  }
  return codes;
}

std::vector<double> numbers_of(Element element) {
  std::vector<double> numbers;
  ByteReader& content = element.content;
  switch (element.type) {
    case Type::int8:
      append<std::int8_t>(content, numbers);
      break;
    case Type::uint8:
      append<std::uint8_t>(content, numbers);
      break;
    case Type::int16:
      append<std::int16_t>(content, numbers);
      break;
    case Type::uint16:
    case Type::utf16:
      append<std::uint16_t>(content, numbers);
      break;
    case Type::int32:
      append<std::int32_t>(content, numbers);
      break;
    case Type::uint32:
    case Type::utf32:
      append<std::uint32_t>(content, numbers);
      break;
    case Type::float32:
      append<float>(content, numbers);
      break;
    case Type::float64:
      append<double>(content, numbers);
      break;
    case Type::int64:
      append<std::int64_t>(content, numbers);
      break;
    case Type::uint64:
      append<std::uint64_t>(content, numbers);
      break;
    case Type::utf8:
      numbers = code_points(content.take(content.remaining(), "text"));
      break;
    default:
      throw InvalidInput(fmt::format("byte {}: data type {} holds no numbers", content.offset(), element.type));
  }
  return numbers;
}

std::string name_of(Element element) {
  std::string name(element.content.take(element.content.remaining(), "a name"));
  name.resize(std::min(name.size(), name.find('\0')));
  return name;
}

class Reader {
 public:
  explicit Reader(Tree& tree) : tree_(tree) {}

  /// The content of one miMATRIX element of `size` bytes. `path` names it in messages; empty for a variable, which
  /// brings its own name.
  void value(ByteReader& from, std::size_t size, Archive& archive, const std::string& member, const std::string& path,
             int depth) {
    if (depth > depth_limit)
      throw InvalidInput(fmt::format("byte {}: variable '{}': structs or cells are nested deeper than {}",
                                     from.offset(), path, depth_limit));
    if (++values_ > value_limit) throw InvalidInput(fmt::format("holds more than {} values", value_limit));
    const ByteReader start = from;
    const auto skip = [&] {
      from = start;
      from.skip_up_to(size);
    };
    if (size == 0) {  // how an unset field is stored
      if (!member.empty()) archive.set(member, NamedArray{.shape = {0, 0}, .data = {}});
      return;
    }
    Element flags = next_element(from);
    if (flags.type != Type::uint32 || flags.content.remaining() < 4)
      throw InvalidInput(fmt::format("byte {}: an array must begin with its flags", flags.content.offset()));
    const auto word = flags.content.number<std::uint32_t>("array flags");
    const unsigned kind = word & 0xFF;
    const bool complex = (word & 0x0800) != 0;

    std::vector<std::size_t> shape;
    if (kind != Class::opaque) shape = dimensions(next_element(from));
    const std::string stored_name = name_of(next_element(from));
    const std::string name = member.empty() ? stored_name : member;
    const std::string full = path.empty() ? name : path;
    if (name.empty()) return skip();  // MATLAB keeps its own bookkeeping in a variable without a name
    if (archive.contains(name)) throw InvalidInput(fmt::format("byte {}: '{}' is there twice", from.offset(), full));

    if (kind == Class::structure) {
      struct_array(from, shape, archive, name, full, depth);
    } else if (kind == Class::cell) {
      Archive cells;
      const std::size_t count = n_elements(shape, from, 8);
      for (std::size_t i = 0; i < count; ++i)
        nested(from, cells, std::to_string(i), fmt::format("{}{{{}}}", full, i + 1), depth + 1);
      set_matlab_cell(archive, name, std::move(cells));
    } else if (kind == Class::object || kind == Class::opaque || kind == Class::function) {
      std::string type = kind == Class::function ? "function handle" : name_of(next_element(from));
      if (kind == Class::opaque) type = name_of(next_element(from));  // after "MCOS" comes the class
      tree_.warnings.push_back(matlab_object_warning(full, type));
      skip();
    } else if (kind == Class::sparse) {
      sparse_matrix(from, shape, full, complex);
    } else if (complex) {
      tree_.warnings.push_back(matlab_complex_warning(full));
      skip();
    } else if (kind == Class::text || (kind >= Class::first_number && kind <= Class::last_number)) {
      const std::size_t offset = from.offset();
      const std::size_t count = n_elements(shape, from, 0);
      std::vector<double> numbers;
      if (count > 0) numbers = numbers_of(next_element(from));
      if (numbers.size() != count)
        throw InvalidInput(fmt::format("byte {}: variable '{}' should hold {} numbers and holds {}: damaged", offset,
                                       full, count, numbers.size()));
      set_matlab_array(archive, name, shape, numbers, kind == Class::text);
    } else {
      throw InvalidInput(fmt::format("byte {}: variable '{}' is of unknown class {}", from.offset(), full, kind));
    }
  }

 private:
  void sparse_matrix(ByteReader& from, const std::vector<std::size_t>& shape, const std::string& path, bool complex) {
    const std::size_t offset = from.offset();
    const std::vector<double> rows = numbers_of(next_element(from)), starts = numbers_of(next_element(from));
    const std::vector<double> values = numbers_of(next_element(from));
    if (complex) {
      (void)next_element(from);
      tree_.warnings.push_back(matlab_complex_warning(path));
      return;
    }
    if (shape.size() != 2 || starts.size() != shape[1] + 1)
      throw InvalidInput(fmt::format("byte {}: the sparse variable '{}' has {} starts of columns: damaged", offset,
                                     path, starts.size()));
    tree_.sparse.push_back(matlab_sparse(path, shape[0], rows, starts, values));
  }

  static std::vector<std::size_t> dimensions(Element element) {
    if (element.type != Type::int32 || element.content.remaining() % 4 != 0 || element.content.remaining() < 8 ||
        element.content.remaining() > 64)
      throw InvalidInput(fmt::format("byte {}: an array must give its dimensions", element.content.offset()));
    std::vector<std::size_t> shape;
    while (element.content.remaining() > 0) {
      const auto length = element.content.number<std::int32_t>("a dimension");
      if (length < 0)
        throw InvalidInput(fmt::format("byte {}: dimension {} is negative", element.content.offset(), length));
      shape.push_back(static_cast<std::size_t>(length));
    }
    return shape;
  }

  /// How many elements the shape means, each of at least `least` bytes: more than the file can hold is damage.
  static std::size_t n_elements(const std::vector<std::size_t>& shape, const ByteReader& from, std::size_t least) {
    std::size_t count = 1;
    for (const std::size_t length : shape) {
      if (length != 0 && count > std::numeric_limits<std::uint32_t>::max() / length)
        throw InvalidInput(fmt::format("byte {}: the array's dimensions are implausibly large", from.offset()));
      count *= length;
    }
    if (count * least > from.remaining())
      throw InvalidInput(fmt::format("byte {}: {} elements do not fit in the {} bytes left: truncated or damaged",
                                     from.offset(), count, from.remaining()));
    return count;
  }

  /// An array inside a struct or cell. It is walked through, not cut out: matio claims eight bytes too many for text
  /// in compressed variables.
  void nested(ByteReader& from, Archive& archive, const std::string& member, const std::string& path, int depth) {
    const std::size_t offset = from.offset();
    const auto type = from.number<std::uint32_t>("the tag of an array");
    const auto size = from.number<std::uint32_t>("the size of an array");
    if (type != Type::matrix)
      throw InvalidInput(fmt::format("byte {}: an array is expected, got data type {}", offset, type));
    value(from, size, archive, member, path, depth);
  }

  void struct_array(ByteReader& from, const std::vector<std::size_t>& shape, Archive& archive, const std::string& name,
                    const std::string& path, int depth) {
    Element length_element = next_element(from);
    const auto length = length_element.content.number<std::int32_t>("the length of field names");
    if (length <= 0 || length > 4096)
      throw InvalidInput(fmt::format("byte {}: field names cannot be {} bytes long", from.offset(), length));
    Element names_element = next_element(from);
    std::vector<std::string> fields;
    while (names_element.content.remaining() >= static_cast<std::size_t>(length)) {
      std::string field(names_element.content.take(static_cast<std::size_t>(length), "a field name"));
      field.resize(std::min(field.size(), field.find('\0')));
      fields.push_back(std::move(field));
    }
    const std::size_t count = n_elements(shape, from, 8 * fields.size());
    if (fields.empty()) {
      archive.set(name, Archive{});
      return;
    }
    Archive list;
    for (std::size_t i = 0; i < count; ++i) {
      Archive group;
      const std::string element_path = count == 1 ? path : fmt::format("{}({})", path, i + 1);
      for (const std::string& field : fields) {
        if (field.empty() || group.contains(field))
          throw InvalidInput(
              fmt::format("byte {}: field '{}' of '{}' is there twice or has no name", from.offset(), field, path));
        nested(from, group, field, fmt::format("{}.{}", element_path, field), depth + 1);
      }
      if (count == 1) {
        archive.set(name, std::move(group));
        return;
      }
      list.set(std::to_string(i), std::move(group));
    }
    archive.set(name, std::move(list));
  }

  Tree& tree_;
  int values_ = 0;
};

/// The matrix element inside a compressed one.
std::string inflate_element(Element element) {
  const std::size_t offset = element.content.offset();
  const std::string_view packed = element.content.take(element.content.remaining(), "a compressed element");
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream* s;
    ~End() { inflateEnd(s); }
  } const end{&stream};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT: zlib does not write there
  stream.avail_in = static_cast<uInt>(packed.size());

  std::string plain;
  std::size_t size = 0, wanted = 8;  // the tag first: it says how much there is
  bool tag_known = false;
  while (size < wanted) {
    const std::size_t chunk = std::min<std::size_t>(wanted - size, std::size_t{1} << 22);
    plain.resize(size + chunk);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + size);
    stream.avail_out = static_cast<uInt>(chunk);
    const int status = inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t got = chunk - stream.avail_out;
    size += got;
    if (status != Z_OK && status != Z_STREAM_END && !(status == Z_BUF_ERROR && got > 0))
      throw InvalidInput(fmt::format("byte {}: the compressed variable is damaged ({})", offset,
                                     stream.msg != nullptr ? stream.msg : "it ends early"));
    if (status == Z_STREAM_END && tag_known) break;  // see nested: what is missing is missed where it is read
    if (size < wanted && (status == Z_STREAM_END || got == 0))
      throw InvalidInput(fmt::format("byte {}: the compressed variable ends after {} of {} bytes: truncated or damaged",
                                     offset, size, wanted));
    if (!tag_known && size == 8) {
      tag_known = true;
      const auto inner_size = decode<std::uint32_t>(plain.data() + 4, element.content.order());
      const auto inner_type = decode<std::uint32_t>(plain.data(), element.content.order());
      if (inner_type != Type::matrix)
        throw InvalidInput(fmt::format("byte {}: the compressed element holds no array (type {})", offset, inner_type));
      wanted = std::size_t{8} + inner_size;
    }
  }
  plain.resize(size);
  return plain;
}

}  // namespace

Tree parse_mat(std::string_view bytes, const std::string& source) {
  constexpr std::size_t header_size = 128;
  if (bytes.size() < header_size)
    throw InvalidInput(fmt::format("{}: {} bytes are too few for a MAT file, whose header alone has {}", source,
                                   bytes.size(), header_size));
  const std::string_view mark = bytes.substr(126, 2);
  if (mark != "IM" && mark != "MI")
    throw InvalidInput(fmt::format(
        "{}: not a MAT file of version 5 to 7.3 (byte 126 should read IM or MI); one of version 4 is to be saved again "
        "with -v7",
        source));
  const std::endian order = mark == "IM" ? std::endian::little : std::endian::big;

  Tree tree;
  Reader reader(tree);
  ByteReader from(bytes.substr(header_size), order, header_size);
  try {
    while (from.remaining() > 0) {
      Element element = next_element(from);
      if (element.type == Type::compressed) {
        const std::size_t offset = element.content.offset();
        const std::string plain = inflate_element(element);
        try {
          ByteReader inner(std::string_view(plain).substr(8), order, 8);
          reader.value(inner, inner.remaining(), tree.archive, "", "", 0);
        } catch (const InvalidInput& error) {
          throw InvalidInput(fmt::format("in the compressed variable at byte {}: {}", offset, error.what()));
        }
      } else if (element.type == Type::matrix) {
        reader.value(element.content, element.content.remaining(), tree.archive, "", "", 0);
      } else {
        throw InvalidInput(
            fmt::format("byte {}: a variable is expected, got data type {}", element.content.offset(), element.type));
      }
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  }
  return tree;
}

Tree read_mat(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  constexpr std::string_view hdf5_mark("\x89HDF\r\n\x1a\n", 8);
  if (bytes.starts_with(hdf5_mark)) return read_hdf5(path);  // not MATLAB's, whatever its name
  // Version 7.3 is HDF5 behind a block of 512 bytes.
  if (bytes.size() > 520 && std::string_view(bytes).substr(512, 8) == hdf5_mark) return read_mat73(path);
  if (bytes.substr(0, 10) == "MATLAB 7.3")
    throw InvalidInput(
        fmt::format("{}: a MAT file of version 7.3 without its HDF5 part: truncated or damaged", path.string()));
  return parse_mat(bytes, path.string());
}

}  // namespace microslip::io
