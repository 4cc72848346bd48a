#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <microslip/core/check.hpp>
#include <microslip/structure/reduction.hpp>
#include <microslip/structure/saddle.hpp>

namespace microslip {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// T^T M T, a slab of columns at a time: M T in full would need as much room again as T.
Eigen::MatrixXd congruent(const Sparse& matrix, const Eigen::MatrixXd& basis) {
  Eigen::MatrixXd result(basis.cols(), basis.cols());
  constexpr Eigen::Index width = 64;
  for (Eigen::Index first = 0; first < basis.cols(); first += width) {
    const Eigen::Index n = std::min(width, basis.cols() - first);
    result.middleCols(first, n).noalias() = basis.transpose() * (matrix * basis.middleCols(first, n));
  }
  return 0.5 * (result + result.transpose());
}

Eigen::VectorXd frequencies_hz(const Eigen::VectorXd& lambda) { return lambda.cwiseMax(0).cwiseSqrt() / (2 * M_PI); }

/// Springs on the projection's coordinates: map^T diag(area k) map.
Sparse springs_on(const Projection& projection, const CheckSprings& check) {
  Eigen::VectorXd k(projection.map.rows());
  for (Eigen::Index i = 0; i < k.size(); ++i)
    k(i) = projection.areas(i / 3) * (i % 3 == 2 ? check.normal : check.tangential);
  return projection.map.transpose() * k.asDiagonal() * projection.map;
}

/// Coordinates that the mesh cannot tell apart, such as the rotations of a patch narrower than an element, have no
/// static shapes of their own. Rows are brought to unit length: patches may differ in size.
void refuse_dependent(const Sparse& load) {
  constexpr double rounding = 1e-10;
  Eigen::MatrixXd products = load * Sparse(load.transpose());
  const Eigen::VectorXd length = products.diagonal().cwiseSqrt();
  const Eigen::VectorXd scale = (length.array() > 0).select(length.cwiseInverse(), 0.0);
  products = (scale.asDiagonal() * products * scale.asDiagonal()).eval();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(products);
  qr.setThreshold(rounding);
  if (qr.rank() < load.rows())
    throw InvalidInput(
        fmt::format("the interface's {} coordinates are not independent on this mesh (rank {}): fewer patches, coarser "
                    "elements of the joint, or a finer mesh",
                    load.rows(), qr.rank()));
}

/// A part of the whole's progress.
Progress part(const Progress& whole, double from, double to) {
  return {.report = [whole, from, to](double fraction,
                                      std::string_view what) { whole.at(from + fraction * (to - from), what); },
          .stop = whole.stop};
}

void compare_on_springs(const FeModel& model, const Projection& projection, const Sparse& load,
                        const Eigen::MatrixXd& rigid, const CheckSprings& check, ReducedModel& reduced,
                        const Progress& progress) {
  const Sparse springs = springs_on(projection, check);
  const Eigen::Index n_q = projection.size();
  Eigen::MatrixXd stiffness = reduced.system.stiffness;
  stiffness.topLeftCorner(n_q, n_q) += Eigen::MatrixXd(springs);
  const Eigen::VectorXd lambda =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness, reduced.system.mass, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const Eigen::Index count = std::min(check.n_modes, lambda.size());
  reduced.record.reduced_frequencies_hz = frequencies_hz(lambda.head(count));
  reduced.record.full_frequencies_hz = frequencies_hz(
      constrained_modes(model.stiffness, model.mass, load, projection.gram, springs, rigid, count, progress)
          .pairs.values);
  reduced.record.check_tangential = check.tangential;
  reduced.record.check_normal = check.normal;
}

Eigen::Vector3d mean_position(const Mesh& mesh, const std::vector<NodeId>& nodes, const std::string& set) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (NodeId node : nodes) {
    const auto found = mesh.nodes.find(node);
    if (found == mesh.nodes.end())
      throw InvalidInput(fmt::format("node {} of bolt set '{}' has no position in the mesh", node, set));
    sum += Eigen::Vector3d::Map(found->second.data());
  }
  return sum / static_cast<double>(nodes.size());
}

/// Forces the other way round would pull the joint open. A bolt that is cut at its thread has both sets at one place,
/// up to the digits of a mesh file: there the names alone tell head from nut.
void refuse_unless_from_nut_to_head(const Eigen::Vector3d& head_at, const Eigen::Vector3d& nut_at,
                                    const Eigen::Vector3d& axis, const std::string& head, const std::string& nut) {
  const double rounding = 1e-6 * std::max(head_at.norm(), nut_at.norm());
  if ((head_at - nut_at).dot(axis.normalized()) < -rounding)
    throw InvalidInput(fmt::format(
        "the bolt's axis ({}, {}, {}) points from '{}' to '{}', from nut to head is expected: swap head and "
        "nut, or turn the axis round",
        axis(0), axis(1), axis(2), head, nut));
}

}  // namespace

NamedLoad bolt_preload(const FeModel& model, const std::string& head, const std::string& nut,
                       const Eigen::Vector3d& axis) {
  const auto place = places(model);
  NamedLoad load{.name = head, .force = Eigen::VectorXd::Zero(model.size())};
  const Eigen::Vector3d direction = axis.normalized();
  const std::vector<NodeId> head_nodes = nodes_named(model.mesh, head), nut_nodes = nodes_named(model.mesh, nut);
  refuse_unless_from_nut_to_head(mean_position(model.mesh, head_nodes, head), mean_position(model.mesh, nut_nodes, nut),
                                 axis, head, nut);
  const auto push = [&](const std::string& set, const std::vector<NodeId>& nodes, double sign) {
    for (NodeId node : nodes)
      for (int d = 0; d < 3; ++d) {
        if (std::abs(direction(d)) < 1e-15) continue;
        const auto found = place.find({node, d + 1});
        if (found == place.end())
          throw InvalidInput(
              fmt::format("node {} of bolt set '{}' has no coordinate in direction {}", node, set, d + 1));
        load.force(found->second) += sign * direction(d) / static_cast<double>(nodes.size());
      }
  };
  push(head, head_nodes, -1);
  push(nut, nut_nodes, +1);
  return load;
}

Sensor node_sensor(const FeModel& model, const std::string& name, NodeId node, int direction) {
  const auto place = places(model);
  const auto found = place.find({node, direction});
  if (found == place.end())
    throw InvalidInput(fmt::format("sensor '{}': the model has no coordinate {}.{}", name, node, direction));
  return {.name = name, .row = Eigen::VectorXd::Unit(model.size(), found->second)};
}

ReducedModel reduce(const FeModel& model, const Surface& surface, const Projection& projection,
                    const std::vector<NamedLoad>& bolts, const std::vector<Sensor>& sensors,
                    const ReductionOptions& options, const Progress& progress) {
  const Eigen::MatrixXd rigid = rigid_body_modes(model);
  const Eigen::Index n_q = projection.size(), n_modes = options.fixed_interface_modes - rigid.cols();
  if (n_modes < 1)
    throw InvalidInput(fmt::format("fixed_interface_modes is {}, and {} of them are rigid: at least {} are expected",
                                   options.fixed_interface_modes, rigid.cols(), rigid.cols() + 1));
  if (n_q + n_modes >= model.size())
    throw InvalidInput(fmt::format("{} coordinates of the interface and {} modes are no reduction of {} coordinates",
                                   n_q, n_modes, model.size()));
  const Sparse load = projection.load * relative_displacements(model, surface);
  refuse_dependent(load);

  const double checked_share = options.check.n_modes > 0 ? 0.6 : 0.9;
  const StaticShapes shapes =
      static_shapes(model.stiffness, model.mass, load, projection.gram, rigid, part(progress, 0, 0.4 * checked_share));
  const ConstrainedModes modes = constrained_modes(model.stiffness, model.mass, load, projection.gram, Sparse(), rigid,
                                                   n_modes, part(progress, 0.4 * checked_share, checked_share));
  Eigen::MatrixXd basis(model.size(), n_q + n_modes);
  basis << shapes.shapes, modes.pairs.vectors;

  ReducedModel reduced;
  System& system = reduced.system;
  system.mass = congruent(model.mass, basis);
  system.stiffness = Eigen::MatrixXd::Zero(n_q + n_modes, n_q + n_modes);
  system.stiffness.topLeftCorner(n_q, n_q) = shapes.stiffness;
  system.stiffness.diagonal().tail(n_modes) = modes.pairs.values;  // modes have unit mass, and no force on any q
  system.coordinates = projection.labels;
  for (Eigen::Index i = 0; i < n_modes; ++i) system.coordinates.push_back(fmt::format("fixed_mode{}", i + 1));

  reduced.bolts.resize(n_q + n_modes, static_cast<Eigen::Index>(bolts.size()));
  for (std::size_t i = 0; i < bolts.size(); ++i) {
    reduced.bolts.col(static_cast<Eigen::Index>(i)) = basis.transpose() * bolts[i].force;
    reduced.bolt_names.push_back(bolts[i].name);
  }
  if (!bolts.empty()) system.prestress = reduced.bolts.rowwise().sum();
  for (const Sensor& sensor : sensors)
    system.sensors.push_back({.name = sensor.name, .row = basis.transpose() * sensor.row});

  Interface& interface = reduced.interface;
  interface.map = Eigen::MatrixXd::Zero(projection.map.rows(), n_q + n_modes);
  interface.map.leftCols(n_q) = Eigen::MatrixXd(projection.map);
  interface.areas = projection.areas;
  interface.picture = projection.picture;

  ReductionRecord& record = reduced.record;
  record.full_size = model.size();
  record.n_rigid = rigid.cols();
  record.total_mass = total_mass(model).maxCoeff();
  record.area = surface.area();
  record.fixed_frequencies_hz = frequencies_hz(modes.pairs.values);
  record.mode_residual = modes.residual;
  record.static_residual = shapes.residual;
  system = checked(std::move(system), "the reduced model");
  interface = checked(std::move(interface), system, "the reduced model");
  if (options.check.n_modes > 0)
    compare_on_springs(model, projection, load, rigid, options.check, reduced, part(progress, checked_share, 1));
  progress.at(1, "done");
  return reduced;
}

}  // namespace microslip
