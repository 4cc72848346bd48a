#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/structure/dense.hpp>
#include <microslip/verbs/structure_file.hpp>

namespace microslip::verbs {

namespace {

using io::TomlTable;

std::vector<std::vector<double>> rows_of(const io::Table& table) {
  std::vector<std::vector<double>> rows(table.n_rows(), std::vector<double>(table.columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < table.columns.size(); ++j) rows[i][j] = table.columns[j][i];
  return rows;
}

Contact read_contact(const TomlTable& table) {
  try {
    return contact_from(table.text("contact", "spring"));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", table.where("contact"), error.what()));
  }
}

Interface read_interface(const TomlTable& table, const System& system, Inputs& inputs) {
  table.only({"map", "areas", "contact"});
  Interface interface;
  interface.map = read_matrix(table, "map", inputs);
  interface.areas = read_vector(table, "areas", inputs);
  interface.contact = read_contact(table);
  return checked(std::move(interface), system, table.where());
}

}  // namespace

Eigen::MatrixXd read_matrix(const TomlTable& table, const std::string& key, Inputs& inputs) {
  std::vector<std::vector<double>> rows;
  if (table.is_text(key)) {
    const std::filesystem::path path = table.file(key);
    inputs.push_back(path);
    const std::string kind = io::extension_of(path);
    if (kind != ".txt" && kind != ".csv") return dense(io::read_matrix(path));
    const std::string text = io::read_file(path);
    if (io::is_matrix_market(text)) return dense(io::parse_matrix_market(text, path.string()));
    rows = rows_of(io::parse_csv(text, path.string()));
  } else {
    rows = table.rows(key);
  }
  if (rows.empty()) throw InvalidInput(fmt::format("{} is empty", table.where(key)));
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.front().size())
      throw InvalidInput(fmt::format("{}: row {} has {} values, the first has {}", table.where(key), i + 1,
                                     rows[i].size(), rows.front().size()));
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
  }
  return matrix;
}

Eigen::VectorXd read_vector(const TomlTable& table, const std::string& key, Inputs& inputs) {
  if (table.is_text(key)) {
    const Eigen::MatrixXd column = read_matrix(table, key, inputs);
    if (column.cols() != 1)
      throw InvalidInput(fmt::format("{}: one value per row is expected, got {}", table.where(key), column.cols()));
    return column.col(0);
  }
  const std::vector<double> values = table.numbers(key);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

StructureFile read_structure_file(const TomlTable& file, Inputs& inputs) {
  StructureFile structure;
  if (file.contains("file")) {
    if (file.contains("system"))
      throw InvalidInput(
          fmt::format("{}: the reduced model holds the matrices, [system] is one too many", file.where("file")));
    const std::filesystem::path path = file.file("file");
    inputs.push_back(path);
    ReducedModel model = reduced_model(io::read_hdf5(path).archive, path.string());
    if (const auto interface = file.find_table("interface")) {
      interface->only({"contact"});
      model.interface.contact = read_contact(*interface);
    }
    structure.system = std::move(model.system);
    structure.interface = std::move(model.interface);
    structure.lines = std::move(model.lines);
    structure.kind = model.record.kind;
    return structure;
  }
  const TomlTable system = file.table("system");
  system.only({"mass", "stiffness", "damping"});
  structure.system.mass = read_matrix(system, "mass", inputs);
  structure.system.stiffness = read_matrix(system, "stiffness", inputs);
  if (system.contains("damping")) structure.system.damping = read_matrix(system, "damping", inputs);
  structure.system = checked(std::move(structure.system), system.where());
  if (const auto interface = file.find_table("interface"))
    structure.interface = read_interface(*interface, structure.system, inputs);
  return structure;
}

}  // namespace microslip::verbs
