#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/structure/reduced_model.hpp>

namespace microslip {

namespace {

std::vector<double> lower_triangle(const Eigen::MatrixXd& matrix) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.rows() * (matrix.rows() + 1) / 2));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) values.push_back(matrix(i, j));
  return values;
}

Eigen::MatrixXd from_lower_triangle(const NamedArray& array, Eigen::Index n, const std::string& what) {
  const auto expected = static_cast<std::size_t>(n * (n + 1) / 2);
  if (array.data.size() != expected)
    throw InvalidInput(fmt::format("{} has {} values, the lower triangle of a matrix of size {} has {}", what,
                                   array.data.size(), n, expected));
  Eigen::MatrixXd matrix(n, n);
  auto value = array.data.begin();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = *value++;
  return matrix;
}

NamedArray array_of(const Eigen::MatrixXd& matrix) {
  NamedArray array{.shape = {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())},
                   .data = {}};
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) array.data.push_back(matrix(i, j));
  return array;
}

Eigen::MatrixXd matrix_of(const NamedArray& array, const std::string& what) {
  if (array.shape.size() != 2) throw InvalidInput(fmt::format("{} must have two dimensions", what));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return RowMajor::Map(array.data.data(), static_cast<Eigen::Index>(array.shape[0]),
                       static_cast<Eigen::Index>(array.shape[1]));
}

std::vector<double> values_of(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

Eigen::VectorXd vector_of(const NamedArray& array) {
  return Eigen::VectorXd::Map(array.data.data(), static_cast<Eigen::Index>(array.data.size()));
}

/// A list of texts. Files do not tell a list of one from a text, nor an empty one from an empty array.
std::vector<std::string> texts_of(const Archive& archive, const std::string& name) {
  for (const auto& [key, value] : archive.entries()) {
    if (key != name) continue;
    if (const auto* one = std::get_if<std::string>(&value)) return {*one};
    if (const auto* none = std::get_if<NamedArray>(&value); none != nullptr && none->data.empty()) return {};
  }
  return archive.texts(name);
}

/// A whole number within [0, limit).
Eigen::Index index_of(double value, Eigen::Index limit, const std::string& what) {
  if (!(value >= 0 && value < static_cast<double>(limit)) || value != std::floor(value))
    throw InvalidInput(fmt::format("{} must be a whole number from 0 to {}, got {}", what, limit - 1, value));
  return static_cast<Eigen::Index>(value);
}

/// Entries of a sparse matrix as rows (row, column, value), counted from 0.
NamedArray entries_of(const Eigen::MatrixXd& matrix) {
  NamedArray array{.shape = {0, 3}, .data = {}};
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      if (matrix(i, j) != 0) {
        array.data.insert(array.data.end(), {static_cast<double>(i), static_cast<double>(j), matrix(i, j)});
        ++array.shape[0];
      }
  return array;
}

Eigen::MatrixXd from_entries(const NamedArray& array, Eigen::Index rows, Eigen::Index columns,
                             const std::string& what) {
  if (array.shape.size() != 2 || array.shape[1] != 3)
    throw InvalidInput(fmt::format("{} must have three columns: row, column, value", what));
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t k = 0; k < array.shape[0]; ++k)
    matrix(index_of(array.data[3 * k], rows, what + " row"),
           index_of(array.data[3 * k + 1], columns, what + " column")) = array.data[3 * k + 2];
  return matrix;
}

Archive archive_of(const InterfacePicture& picture) {
  Archive archive;
  archive.set("nodes", array_of(picture.nodes));
  archive.set("points", array_of(picture.points));
  NamedArray corners{.shape = {picture.elements.size(), 8}, .data = {}};
  for (const auto& element : picture.elements)
    for (std::size_t i = 0; i < 8; ++i) corners.data.push_back(i < element.size() ? element[i] : -1);
  archive.set("elements", corners);  // -1 where an element has fewer than eight nodes
  archive.set("point_of_element",
              std::vector<double>(picture.point_of_element.begin(), picture.point_of_element.end()));
  return archive;
}

/// A matrix of two columns: places in the plane of the interface.
Eigen::MatrixX2d places_of(const NamedArray& array, const std::string& what) {
  Eigen::MatrixXd places = matrix_of(array, what);
  if (places.cols() != 2)
    throw InvalidInput(fmt::format("{} is {} x {}, two columns are expected", what, places.rows(), places.cols()));
  return places;
}

InterfacePicture picture_of(const Archive& archive, const std::string& what) {
  InterfacePicture picture;
  picture.nodes = places_of(archive.array("nodes"), what + "/nodes");
  picture.points = places_of(archive.array("points"), what + "/points");
  const NamedArray& corners = archive.array("elements");
  if (corners.shape.size() != 2 || corners.shape[1] != 8)
    throw InvalidInput(fmt::format("{}/elements must have eight columns", what));
  for (std::size_t e = 0; e < corners.shape[0]; ++e) {
    std::vector<int> element;
    for (std::size_t i = 0; i < 8 && corners.data[8 * e + i] >= 0; ++i)
      element.push_back(static_cast<int>(index_of(corners.data[8 * e + i], picture.nodes.rows(), what + "/elements")));
    picture.elements.push_back(std::move(element));
  }
  for (double point : archive.array("point_of_element").data)
    picture.point_of_element.push_back(
        static_cast<int>(index_of(point, picture.points.rows(), what + "/point_of_element")));
  return picture;
}

Archive archive_of(const ReductionRecord& record) {
  Archive archive;
  archive.set("kind", record.kind);
  archive.set("made_by", record.made_by);
  archive.set("inputs", record.inputs);
  archive.set("full_size", static_cast<double>(record.full_size));
  archive.set("n_rigid", static_cast<double>(record.n_rigid));
  archive.set("total_mass", record.total_mass);
  archive.set("area", record.area);
  archive.set("fixed_frequencies_hz", values_of(record.fixed_frequencies_hz));
  archive.set("mode_residual", record.mode_residual);
  archive.set("static_residual", record.static_residual);
  archive.set("check_tangential", record.check_tangential);
  archive.set("check_normal", record.check_normal);
  archive.set("full_frequencies_hz", values_of(record.full_frequencies_hz));
  archive.set("reduced_frequencies_hz", values_of(record.reduced_frequencies_hz));
  return archive;
}

ReductionRecord record_of(const Archive& archive) {
  ReductionRecord record;
  record.kind = archive.text("kind");
  record.made_by = archive.text("made_by");
  record.inputs = texts_of(archive, "inputs");
  record.full_size = static_cast<Eigen::Index>(archive.number("full_size"));
  record.n_rigid = static_cast<Eigen::Index>(archive.number("n_rigid"));
  record.total_mass = archive.number("total_mass");
  record.area = archive.number("area");
  record.fixed_frequencies_hz = vector_of(archive.array("fixed_frequencies_hz"));
  record.mode_residual = archive.number("mode_residual");
  record.static_residual = archive.number("static_residual");
  record.check_tangential = archive.number("check_tangential");
  record.check_normal = archive.number("check_normal");
  record.full_frequencies_hz = vector_of(archive.array("full_frequencies_hz"));
  record.reduced_frequencies_hz = vector_of(archive.array("reduced_frequencies_hz"));
  return record;
}

Archive archive_of(const ShapeLine& line) {
  Archive archive;
  archive.set("name", line.name);
  archive.set("direction", static_cast<double>(line.direction));
  archive.set("positions", array_of(line.positions));
  archive.set("rows", array_of(line.rows));
  return archive;
}

ShapeLine line_of(const Archive& archive, Eigen::Index n, const std::string& what) {
  ShapeLine line;
  line.name = archive.text("name");
  const double direction = archive.number("direction");
  if (direction != 1 && direction != 2 && direction != 3)
    throw InvalidInput(fmt::format("{}/direction must be 1, 2 or 3, got {}", what, direction));
  line.direction = static_cast<int>(direction);
  const Eigen::MatrixXd positions = matrix_of(archive.array("positions"), what + "/positions");
  line.rows = matrix_of(archive.array("rows"), what + "/rows");
  if (positions.cols() != 3 || line.rows.cols() != n || line.rows.rows() != positions.rows())
    throw InvalidInput(fmt::format("{}: positions are {} x {} and rows {} x {}, expected m x 3 and m x {}", what,
                                   positions.rows(), positions.cols(), line.rows.rows(), line.rows.cols(), n));
  line.positions = positions;
  return line;
}

/// As stored, neither system nor interface checked.
ReducedModel stored_model(const Archive& archive) {
  if (!archive.contains("format") || archive.text("format") != "microslip reduced model 1")
    throw InvalidInput("not a reduced model: its 'format' is not 'microslip reduced model 1'");
  ReducedModel model;
  System& system = model.system;
  system.coordinates = texts_of(archive, "coordinates");
  const auto n = static_cast<Eigen::Index>(system.coordinates.size());
  system.mass = from_lower_triangle(archive.array("mass"), n, "mass");
  system.stiffness = from_lower_triangle(archive.array("stiffness"), n, "stiffness");
  if (archive.contains("damping")) system.damping = from_lower_triangle(archive.array("damping"), n, "damping");
  model.bolts = matrix_of(archive.array("bolts"), "bolts");
  model.bolt_names = texts_of(archive, "bolt_names");
  if (model.bolts.rows() != n || model.bolts.cols() != static_cast<Eigen::Index>(model.bolt_names.size()))
    throw InvalidInput(fmt::format("bolts is {} x {}, expected {} x {}", model.bolts.rows(), model.bolts.cols(), n,
                                   model.bolt_names.size()));
  if (model.bolts.cols() > 0) system.prestress = model.bolts.rowwise().sum();
  const Eigen::MatrixXd rows = matrix_of(archive.array("sensors"), "sensors");
  const std::vector<std::string> names = texts_of(archive, "sensor_names");
  if (rows.rows() != static_cast<Eigen::Index>(names.size()))
    throw InvalidInput(fmt::format("{} sensors have {} names", rows.rows(), names.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    system.sensors.push_back({.name = names[i], .row = rows.row(static_cast<Eigen::Index>(i)).transpose()});
  if (archive.contains("lines"))
    for (std::size_t i = 0; archive.group("lines").contains(fmt::format("{}", i)); ++i) {
      const std::string name = fmt::format("{}", i);
      model.lines.push_back(line_of(archive.group("lines").group(name), n, "lines/" + name));
    }

  const Archive& stored = archive.group("interface");
  model.interface.areas = vector_of(stored.array("areas"));
  model.interface.map = from_entries(stored.array("map"), 3 * model.interface.areas.size(), n, "interface/map");
  model.interface.contact = contact_from(stored.text("contact"));
  model.interface.picture = picture_of(stored.group("picture"), "interface/picture");
  model.record = record_of(archive.group("reduction"));
  return model;
}

}  // namespace

Archive archive_of(const ReducedModel& model) {
  Archive archive;
  archive.set("format", std::string("microslip reduced model 1"));
  archive.set("coordinates", model.system.coordinates);
  archive.set("mass", lower_triangle(model.system.mass));
  archive.set("stiffness", lower_triangle(model.system.stiffness));
  if (model.system.damping.size() != 0) archive.set("damping", lower_triangle(model.system.damping));
  archive.set("bolts", array_of(model.bolts));
  archive.set("bolt_names", model.bolt_names);
  std::vector<std::string> names;
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(model.system.sensors.size()), model.system.size());
  for (const Sensor& sensor : model.system.sensors) {
    rows.row(static_cast<Eigen::Index>(names.size())) = sensor.row;
    names.push_back(sensor.name);
  }
  archive.set("sensors", array_of(rows));
  archive.set("sensor_names", names);
  Archive lines;
  for (std::size_t i = 0; i < model.lines.size(); ++i) lines.set(fmt::format("{}", i), archive_of(model.lines[i]));
  if (!model.lines.empty()) archive.set("lines", lines);
  Archive interface;
  interface.set("map", entries_of(model.interface.map));
  interface.set("areas", values_of(model.interface.areas));
  interface.set("contact", std::string(to_string(model.interface.contact)));
  interface.set("picture", archive_of(model.interface.picture));
  archive.set("interface", interface);
  archive.set("reduction", archive_of(model.record));
  return archive;
}

ReducedModel reduced_model(const Archive& archive, const std::string& what) {
  ReducedModel model;
  try {
    model = stored_model(archive);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", what, error.what()));
  }
  model.system = checked(std::move(model.system), what);
  model.interface = checked(std::move(model.interface), model.system, what);
  return model;
}

}  // namespace microslip
