#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/beam/finite_element_assembly.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

using Matrix8 = Eigen::Matrix<double, 8, 8>;

// Places of (w_1, phi_1, w_2, phi_2) and (u_1, u_middle, u_2) in an element's vector.
constexpr std::array<int, 4> bending{0, 1, 4, 5};
constexpr std::array<int, 3> axial{2, 3, 6};

void add(BlockTridiagonal<4>& matrix, std::size_t element, const Matrix8& m) {
  matrix.diagonal[element] += m.topLeftCorner<4, 4>();
  matrix.upper[element] += m.topRightCorner<4, 4>();
  matrix.lower[element] += m.bottomLeftCorner<4, 4>();
  matrix.diagonal[element + 1] += m.bottomRightCorner<4, 4>();
}

Matrix8 from_bending(const Eigen::Matrix4d& m) {
  Matrix8 result = Matrix8::Zero();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) result(bending[i], bending[j]) = m(static_cast<int>(i), static_cast<int>(j));
  return result;
}

Matrix8 from_axial(const Eigen::Matrix3d& m) {
  Matrix8 result = Matrix8::Zero();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result(axial[i], axial[j]) = m(static_cast<int>(i), static_cast<int>(j));
  return result;
}

/// Integral of the product of the cubic shape functions.
Eigen::Matrix4d bending_mass(double l) {
  Eigen::Matrix4d m;
  m << 156, 22 * l, 54, -13 * l,              //
      22 * l, 4 * l * l, 13 * l, -3 * l * l,  //
      54, 13 * l, 156, -22 * l,               //
      -13 * l, -3 * l * l, -22 * l, 4 * l * l;
  return m * l / 420;
}

Eigen::Matrix4d bending_stiffness(double l) {
  Eigen::Matrix4d m;
  m << 12, 6 * l, -12, 6 * l,               //
      6 * l, 4 * l * l, -6 * l, 2 * l * l,  //
      -12, -6 * l, 12, -6 * l,              //
      6 * l, 2 * l * l, -6 * l, 4 * l * l;
  return m / (l * l * l);
}

/// Integral of the product of the slopes of the cubic shape functions.
Eigen::Matrix4d slope_mass(double l) {
  Eigen::Matrix4d m;
  m << 36, 3 * l, -36, 3 * l,            //
      3 * l, 4 * l * l, -3 * l, -l * l,  //
      -36, -3 * l, 36, -3 * l,           //
      3 * l, -l * l, -3 * l, 4 * l * l;
  return m / (30 * l);
}

ElementVector deflection_shape(double t, double l) {
  ElementVector n = ElementVector::Zero();
  const double t2 = t * t, t3 = t2 * t;
  n[0] = 1 - 3 * t2 + 2 * t3;
  n[1] = l * (t - 2 * t2 + t3);
  n[4] = 3 * t2 - 2 * t3;
  n[5] = l * (t3 - t2);
  return n;
}

/// s = u - (h/2) w' at t.
ElementVector slide_shape(double t, double l, double half_height) {
  ElementVector n = ElementVector::Zero();
  n[0] = -half_height * (6 * t * t - 6 * t) / l;
  n[1] = -half_height * (1 - 4 * t + 3 * t * t);
  n[4] = half_height * (6 * t * t - 6 * t) / l;
  n[5] = -half_height * (3 * t * t - 2 * t);
  n[2] = (1 - t) * (1 - 2 * t);
  n[3] = 4 * t * (1 - t);
  n[6] = t * (2 * t - 1);
  return n;
}

std::vector<double> mesh_nodes(const Model& model, const Pressure& pressure, const MeshOptions& mesh) {
  const double support = model.support.length, length = model.beam.length;
  std::vector<double> cuts{0, support, length, model.load.position, model.bolt.position, pressure.from, pressure.to};
  for (double x :
       {model.bolt.position - model.bolt.head_diameter / 2, model.bolt.position + model.bolt.head_diameter / 2})
    cuts.push_back(std::clamp(x, 0.0, support));  // the pressure has a kink there
  for (const Interval& i : pressure.pressed) cuts.insert(cuts.end(), {i.from, i.to});
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> nodes{0};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double from = cuts[i], span = cuts[i + 1] - from;
    if (span <= 1e-12 * length) continue;
    const bool inside = from + span / 2 < support;
    const double wanted = inside ? mesh.support_elements * span / support
                                 : mesh.overhang_elements * span / std::max(length - support, span);
    const int n = std::max(1, static_cast<int>(std::lround(wanted)));
    for (int k = 1; k <= n; ++k) nodes.push_back(k == n ? cuts[i + 1] : from + span * k / n);
  }
  return nodes;
}

std::size_t node_at(const std::vector<double>& nodes, double x) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (std::abs(nodes[i] - x) < std::abs(nodes[best] - x)) best = i;
  return best;
}

}  // namespace

void add_outer(BlockTridiagonal<4>& matrix, std::size_t element, const ElementVector& a, const ElementVector& b) {
  matrix.diagonal[element] += a.head<4>() * b.head<4>().transpose();
  matrix.upper[element] += a.head<4>() * b.tail<4>().transpose();
  matrix.lower[element] += a.tail<4>() * b.head<4>().transpose();
  matrix.diagonal[element + 1] += a.tail<4>() * b.tail<4>().transpose();
}

BlockTridiagonal<4> FiniteElementBeam::Assembly::dynamic_stiffness(double omega) const {
  BlockTridiagonal<4> result = stiffness;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    result.diagonal[i] -= omega * omega * mass.diagonal[i];
    result.upper[i] -= omega * omega * mass.upper[i];
    result.lower[i] -= omega * omega * mass.lower[i];
  }
  return result;
}

BlockTridiagonal<4> FiniteElementBeam::Assembly::stuck_stiffness(double omega) const {
  BlockTridiagonal<4> result = dynamic_stiffness(omega);
  for (const InterfacePoint& p : points)
    if (p.pressure > 0) add_outer(result, p.element, p.weight * model.support.tangential_stiffness * p.slide, p.slide);
  return result;
}

double FiniteElementBeam::Assembly::displacement_at_load(const std::vector<NodeVector>& d) const {
  double sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i) sum += load[i].dot(d[i]);
  return sum;
}

FiniteElementBeam::Assembly assembled(const Model& model, const Pressure& pressure, const MeshOptions& mesh) {
  checked(model);
  if (mesh.support_elements < 1 || mesh.overhang_elements < 1)
    throw InvalidInput(fmt::format("a mesh needs at least 1 element on the support and beside it, got {} and {}",
                                   mesh.support_elements, mesh.overhang_elements));
  std::vector<double> nodes = mesh_nodes(model, pressure, mesh);
  const std::size_t n = nodes.size();
  FiniteElementBeam::Assembly a{.model = model,
                                .pressure = pressure,
                                .nodes = nodes,
                                .stiffness = BlockTridiagonal<4>(n),
                                .mass = BlockTridiagonal<4>(n),
                                .load = std::vector<NodeVector>(n, NodeVector::Zero()),
                                .points = {}};
  const Beam& beam = model.beam;
  Eigen::Matrix3d axial_stiffness, axial_mass;
  axial_stiffness << 7, -8, 1, -8, 16, -8, 1, -8, 7;
  axial_mass << 4, 2, -1, 2, 16, 2, -1, 2, 4;
  for (std::size_t e = 0; e + 1 < n; ++e) {
    const double l = nodes[e + 1] - nodes[e], middle = (nodes[e] + nodes[e + 1]) / 2;
    Matrix8 K = from_bending(beam.bending_stiffness() * bending_stiffness(l)) +
                from_axial(beam.axial_stiffness() / (3 * l) * axial_stiffness);
    const Matrix8 M =
        from_bending(beam.mass_per_length() * bending_mass(l) + beam.inertia_per_length() * slope_mass(l)) +
        from_axial(beam.mass_per_length() * l / 30 * axial_mass);
    const bool touches = middle > pressure.from && middle < pressure.to;
    if (touches) {
      K += from_bending(model.support.normal_stiffness * bending_mass(l));
      const double offset = std::sqrt(0.6) / 2;
      for (const auto& [t, weight] : {std::pair{0.5 - offset, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + offset, 5.0 / 18}}) {
        const double x = nodes[e] + t * l;
        a.points.push_back({.element = e,
                            .x = x,
                            .weight = weight * l,
                            .pressure = pressure.at(x),
                            .slide = slide_shape(t, l, beam.height / 2),
                            .deflect = deflection_shape(t, l)});
      }
    }
    add(a.stiffness, e, K);
    add(a.mass, e, M);
  }
  a.stiffness.diagonal[n - 1](3, 3) = beam.axial_stiffness() / beam.length;  // no element to its right: stays at rest
  const std::size_t at_bolt = node_at(nodes, model.bolt.position);
  a.mass.diagonal[at_bolt](0, 0) += model.bolt.mass;
  a.mass.diagonal[at_bolt](1, 1) += model.bolt.rotary_inertia;
  a.mass.diagonal[at_bolt](2, 2) += model.bolt.mass;
  a.stiffness.diagonal[at_bolt](2, 2) += model.bolt.tangential_stiffness;
  const double angle = model.load.angle_deg * std::numbers::pi / 180;
  const std::size_t at_load = node_at(nodes, model.load.position);
  a.load[at_load][0] = std::cos(angle);
  a.load[at_load][2] = std::sin(angle);
  return a;
}

}  // namespace microslip::beam
