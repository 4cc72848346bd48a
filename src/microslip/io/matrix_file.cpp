#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/abaqus_matrix.hpp>
#include <microslip/io/calculix.hpp>
#include <microslip/io/dmig.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/io/op4.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

namespace {

/// The two-dimensional arrays of a tree, groups included.
void collect(const Archive& archive, const std::string& prefix, std::vector<CoordinateMatrix>& matrices) {
  for (const auto& [name, value] : archive.entries()) {
    if (const auto* group = std::get_if<Archive>(&value)) collect(*group, prefix + name + "/", matrices);
    const auto* array = std::get_if<NamedArray>(&value);
    if (array == nullptr || array->shape.size() != 2) continue;
    CoordinateMatrix matrix;
    matrix.name = prefix + name;
    matrix.n_rows = array->shape[0];
    matrix.n_columns = array->shape[1];
    for (std::size_t k = 0; k < array->data.size(); ++k)
      if (array->data[k] != 0)
        matrix.entries.push_back({static_cast<std::int32_t>(k / matrix.n_columns),
                                  static_cast<std::int32_t>(k % matrix.n_columns), array->data[k]});
    matrices.push_back(std::move(matrix));
  }
}

/// The matrices of a file, and what it has besides that could not be read, as the tail of a message.
struct Matrices {
  std::vector<CoordinateMatrix> list;
  std::string left_out;
};

Matrices read_all(const std::filesystem::path& path, const std::vector<NodeDirection>& coordinates) {
  const std::string kind = extension_of(path), name = path.string();
  if (kind == ".h5" || kind == ".hdf5" || kind == ".mat") {
    Tree tree = kind == ".mat" ? read_mat(path) : read_hdf5(path);
    Matrices matrices{.list = std::move(tree.sparse), .left_out = ""};
    for (const CoordinateMatrix& matrix : matrices.list) refuse_repeats(matrix, name);
    collect(tree.archive, "", matrices.list);
    for (const std::string& warning : tree.warnings) matrices.left_out += "; " + warning;
    if (matrices.list.empty()) throw InvalidInput(fmt::format("{}: no matrix in it{}", name, matrices.left_out));
    return matrices;
  }
  const std::string text = read_file(path);
  if (is_matrix_market(text)) return {{parse_matrix_market(text, name)}, ""};
  if (kind == ".mtx") return {parse_abaqus_matrix(text, name), ""};
  if (kind == ".sti" || kind == ".mas") {
    if (coordinates.empty())
      throw InvalidInput(fmt::format("{}: a CalculiX matrix needs its .dof file as 'coordinates'", name));
    return {{parse_calculix(text, name, coordinates)}, ""};
  }
  if (kind == ".op4") return {parse_op4(text, name), ""};
  if (kind == ".pch") return {parse_dmig(text, name), ""};
  throw InvalidInput(fmt::format(
      "{}: a matrix in a file '{}' is not read; MatrixMarket, .mtx, .sti, .mas, .op4, .pch, .h5 and .mat are", name,
      kind));
}

}  // namespace

std::vector<CoordinateMatrix> read_matrices(const std::filesystem::path& path,
                                            const std::vector<NodeDirection>& coordinates) {
  return read_all(path, coordinates).list;
}

CoordinateMatrix read_matrix(const std::filesystem::path& path, const std::string& name,
                             const std::vector<NodeDirection>& coordinates) {
  auto [matrices, left_out] = read_all(path, coordinates);
  if (name.empty() && matrices.size() == 1) return std::move(matrices.front());
  std::vector<std::string> names;
  for (CoordinateMatrix& matrix : matrices) {
    if (matrix.name == name) return std::move(matrix);
    names.push_back(matrix.name);
  }
  if (name.empty())
    throw InvalidInput(
        fmt::format("{}: {} matrices in it, name one of them: {}", path.string(), names.size(), join(names, ", ")));
  throw InvalidInput(fmt::format("{}: no matrix '{}'{}{}", path.string(), name, suggestion(name, names), left_out));
}

}  // namespace microslip::io
