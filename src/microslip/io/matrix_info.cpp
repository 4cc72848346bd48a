#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include <fmt/format.h>

#include <microslip/io/calculix.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/matrix_info.hpp>
#include <microslip/io/mesh_file.hpp>

namespace microslip::io {

namespace {

/// "symmetric", "Hermitian" or nothing.
std::string_view symmetry(const CoordinateMatrix& matrix) {
  if (matrix.n_rows != matrix.n_columns) return "";
  std::map<std::pair<std::int32_t, std::int32_t>, std::complex<double>> values;
  double largest = 0;
  for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
    const auto& [row, column, real] = matrix.entries[k];
    const std::complex<double> value(real, matrix.imaginary.empty() ? 0.0 : matrix.imaginary[k]);
    values[{row, column}] = value;
    largest = std::max(largest, std::abs(value));
  }
  bool symmetric = true, hermitian = true;
  for (const auto& [place, value] : values) {
    const auto found = values.find({place.second, place.first});
    const std::complex<double> other = found == values.end() ? 0.0 : found->second;
    symmetric = symmetric && std::abs(value - other) <= 1e-9 * largest;
    hermitian = hermitian && std::abs(value - std::conj(other)) <= 1e-9 * largest;
  }
  return symmetric ? "symmetric" : hermitian ? "Hermitian" : "";
}

}  // namespace

ContentInfo matrix_summary(const CoordinateMatrix& matrix, const std::string& source) {
  std::string text = fmt::format("{} x {}, {} entries", matrix.n_rows, matrix.n_columns, matrix.entries.size());
  if (!matrix.imaginary.empty()) text += ", complex";
  if (const std::string_view kind = symmetry(matrix); !kind.empty()) text += fmt::format(", {}", kind);
  if (!matrix.row_labels.empty()) text += ", rows labelled by node and direction";
  // Formats without names give the file's.
  return {matrix.name.empty() || matrix.name == source ? "matrix" : matrix.name, std::move(text)};
}

void describe_matrices(const std::filesystem::path& path, FileInfo& info) {
  const std::string kind = extension_of(path);
  if (kind == ".dof") {
    const auto coordinates = parse_coordinates(read_file(path), path.string());
    info.data_sets.push_back({"coordinates", fmt::format("{} pairs of node and direction", coordinates.size())});
    return;
  }
  if (kind == ".inp" || kind == ".msh") {
    const Mesh mesh = read_mesh(path);
    info.data_sets.push_back({"mesh", fmt::format("{} nodes, {} elements", mesh.nodes.size(), mesh.elements.size())});
    for (const auto& [name, nodes] : mesh.node_sets)
      info.data_sets.push_back({name, fmt::format("set of {} nodes", nodes.size())});
    for (const auto& [name, faces] : mesh.surfaces)
      info.data_sets.push_back({name, fmt::format("surface of {} faces", faces.size())});
    return;
  }
  std::vector<NodeDirection> coordinates;
  if (kind == ".sti" || kind == ".mas") {
    std::filesystem::path beside = path;
    beside.replace_extension(path.extension() == kind ? ".dof" : ".DOF");
    if (!std::filesystem::exists(beside)) {
      info.warnings.push_back(
          fmt::format("{} is not beside it: without it a CalculiX matrix has no size", beside.filename().string()));
      return;
    }
    coordinates = parse_coordinates(read_file(beside), beside.string());
  }
  for (const CoordinateMatrix& matrix : read_matrices(path, coordinates))
    info.matrices.push_back(matrix_summary(matrix, path.string()));
}

}  // namespace microslip::io
