#include <algorithm>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/io/hdf5_parts.hpp>
#include <microslip/io/matlab.hpp>

namespace microslip::io {

namespace {

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
        sparse_matrix(object, path);
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
    if (!content.texts.empty()) {
      set_matlab_texts(archive, name, std::move(content.texts));
      return;
    }
    if (H5Aexists(object, "MATLAB_empty") > 0) {  // the numbers are then the shape of nothing
      content.numbers.clear();
      content.shape = {0, 0};
    }
    std::reverse(content.shape.begin(), content.shape.end());
    set_matlab_array(archive, name, content.shape, content.numbers, kind == "char");
  }

  /// A group of rows, starts of columns and values; without entries only the starts are there.
  void sparse_matrix(hid_t group, const std::string& path) {
    const auto part = [&](const char* name) {
      Content content;
      if (const Handle object = open_object(group, name); object.ok()) content = read_content({object, false});
      return content;
    };
    const Handle attribute(H5Aopen(group, "MATLAB_sparse", H5P_DEFAULT), H5Aclose);
    const Content size = read_content({attribute, true}), rows = part("ir"), starts = part("jc"), values = part("data");
    if (values.trouble == "is a compound of several values") {
      tree_.warnings.push_back(matlab_complex_warning(path));
      return;
    }
    for (const Content* content : {&size, &rows, &starts, &values})
      if (!content->trouble.empty()) {
        tree_.warnings.push_back(fmt::format("variable '{}' {}: left out", path, content->trouble));
        return;
      }
    const double n_rows = size.numbers.size() == 1 ? size.numbers.front() : -1;
    if (!(n_rows >= 0 && n_rows <= std::numeric_limits<std::int32_t>::max()))
      throw InvalidInput(fmt::format("the sparse variable '{}' does not say how many rows it has: damaged", path));
    tree_.sparse.push_back(
        matlab_sparse(path, static_cast<std::size_t>(n_rows), rows.numbers, starts.numbers, values.numbers));
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

}  // namespace

Tree read_mat73(const std::filesystem::path& path) {
  return read_tree(path, [](hid_t file, Tree& tree) { MatReader(file, tree).members(file, tree.archive, "", 0); });
}

}  // namespace microslip::io
