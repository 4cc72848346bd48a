#include <array>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/structure/shape_functions.hpp>

namespace microslip {

namespace {

ShapeFunctions triangle(const Eigen::Vector2d& xi, bool quadratic) {
  const double x = xi(0), y = xi(1), z = 1 - x - y;
  const std::array<double, 3> l{z, x, y};
  const std::array<Eigen::RowVector2d, 3> dl{Eigen::RowVector2d(-1, -1), {1, 0}, {0, 1}};
  ShapeFunctions f{Eigen::VectorXd(quadratic ? 6 : 3), Eigen::MatrixX2d(quadratic ? 6 : 3, 2)};
  for (int i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>((i + 1) % 3);
    f.value(i) = quadratic ? l[a] * (2 * l[a] - 1) : l[a];
    f.slope.row(i) = quadratic ? (4 * l[a] - 1) * dl[a] : dl[a];
    if (!quadratic) continue;
    f.value(3 + i) = 4 * l[a] * l[b];
    f.slope.row(3 + i) = 4 * (l[a] * dl[b] + l[b] * dl[a]);
  }
  return f;
}

ShapeFunctions quad(const Eigen::Vector2d& xi, bool quadratic) {
  static constexpr std::array<double, 4> cx{-1, 1, 1, -1}, cy{-1, -1, 1, 1};
  const double x = xi(0), y = xi(1);
  ShapeFunctions f{Eigen::VectorXd(quadratic ? 8 : 4), Eigen::MatrixX2d(quadratic ? 8 : 4, 2)};
  for (int i = 0; i < 4; ++i) {
    const double a = cx[static_cast<std::size_t>(i)], b = cy[static_cast<std::size_t>(i)];
    const double p = 1 + a * x, q = 1 + b * y;
    if (!quadratic) {
      f.value(i) = p * q / 4;
      f.slope.row(i) << a * q / 4, b * p / 4;
      continue;
    }
    const double r = a * x + b * y - 1;
    f.value(i) = p * q * r / 4;
    f.slope.row(i) << a * q * (r + p) / 4, b * p * (r + q) / 4;
  }
  if (quadratic) {
    f.value(4) = (1 - x * x) * (1 - y) / 2, f.slope.row(4) << -x * (1 - y), -(1 - x * x) / 2;
    f.value(5) = (1 - y * y) * (1 + x) / 2, f.slope.row(5) << (1 - y * y) / 2, -y * (1 + x);
    f.value(6) = (1 - x * x) * (1 + y) / 2, f.slope.row(6) << -x * (1 + y), (1 - x * x) / 2;
    f.value(7) = (1 - y * y) * (1 - x) / 2, f.slope.row(7) << -(1 - y * y) / 2, -y * (1 - x);
  }
  return f;
}

std::vector<GaussPoint> product(const std::vector<double>& x, const std::vector<double>& w) {
  std::vector<GaussPoint> points;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) points.push_back({{x[j], x[i]}, w[i] * w[j]});
  return points;
}

}  // namespace

ShapeFunctions shape_functions(std::size_t n_nodes, const Eigen::Vector2d& xi) {
  switch (n_nodes) {
    case 3:
      return triangle(xi, false);
    case 6:
      return triangle(xi, true);
    case 4:
      return quad(xi, false);
    case 8:
      return quad(xi, true);
    default:
      throw InvalidInput(fmt::format("a face of {} nodes: 3, 4, 6 or 8 are expected", n_nodes));
  }
}

std::vector<GaussPoint> gauss_points(std::size_t n_nodes) {
  if (n_nodes == 4) {
    const double g = 1 / std::sqrt(3.0);
    return product({-g, g}, {1, 1});
  }
  if (n_nodes == 8) {
    const double g = std::sqrt(0.6);
    return product({-g, 0, g}, {5.0 / 9, 8.0 / 9, 5.0 / 9});
  }
  if (n_nodes == 3) return {{{0.5, 0}, 1.0 / 6}, {{0.5, 0.5}, 1.0 / 6}, {{0, 0.5}, 1.0 / 6}};
  // Degree 4 on the triangle [Dunavant 1985]: two orbits of three points.
  const double a = 0.445948490915965, b = 0.091576213509771;
  const double wa = 0.223381589678011 / 2, wb = 0.109951743655322 / 2;
  return {{{a, a}, wa}, {{1 - 2 * a, a}, wa}, {{a, 1 - 2 * a}, wa},
          {{b, b}, wb}, {{1 - 2 * b, b}, wb}, {{b, 1 - 2 * b}, wb}};
}

}  // namespace microslip
