#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include <microslip/structure/fe_model.hpp>

namespace microslip {

/// Two elastic blocks, one on the other, meshed with eight-node bricks and free: a small model with everything that a
/// bolted joint has. The contact sets TOP and BOTTOM lie on each other at z = 0; HEAD and NUT are the outer faces.
struct Bricks {
  double length = 0.12, width = 0.03, height = 0.01;  // of each block
  int nx = 6, ny = 2, nz = 1;
  double youngs_modulus = 2e11, poisson = 0.3, density = 7850;
  bool clamped = false;  // the bottom block's end at x = 0

  using Brick = Eigen::Matrix<double, 24, 24>;

  [[nodiscard]] std::pair<Brick, Brick> stiffness_and_mass() const {
    const Eigen::Vector3d size(length / nx, width / ny, height / nz);
    const double lame = youngs_modulus * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const double shear = youngs_modulus / (2 * (1 + poisson));
    Eigen::Matrix<double, 6, 6> law = Eigen::Matrix<double, 6, 6>::Zero();
    law.topLeftCorner<3, 3>().setConstant(lame);
    law.diagonal() << lame + 2 * shear, lame + 2 * shear, lame + 2 * shear, shear, shear, shear;
    static constexpr std::array<std::array<int, 3>, 8> corner{
        {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
    Brick K = Brick::Zero(), M = Brick::Zero();
    for (const auto& gauss : corner) {
      Eigen::Matrix<double, 6, 24> strain = Eigen::Matrix<double, 6, 24>::Zero();
      Eigen::Matrix<double, 3, 24> shape = Eigen::Matrix<double, 3, 24>::Zero();
      for (int a = 0; a < 8; ++a) {
        Eigen::Vector3d f, slope;
        for (int d = 0; d < 3; ++d) f(d) = 0.5 * (1 + corner[a][d] * gauss[d] / std::sqrt(3.0));
        for (int d = 0; d < 3; ++d) slope(d) = corner[a][d] / size(d) * f((d + 1) % 3) * f((d + 2) % 3);
        for (int d = 0; d < 3; ++d) {
          shape(d, 3 * a + d) = f.prod();
          strain(d, 3 * a + d) = slope(d);
          strain(3 + d, 3 * a + d) = slope((d + 1) % 3);
          strain(3 + d, 3 * a + (d + 1) % 3) = slope(d);
        }
      }
      const double weight = size.prod() / 8;
      K += weight * strain.transpose() * law * strain;
      M += weight * density * shape.transpose() * shape;
    }
    return {K, M};
  }

  [[nodiscard]] FeModel model() const {
    Mesh mesh;
    std::vector<std::array<NodeId, 8>> bricks;
    for (int block = 0; block < 2; ++block) {  // 0 below the interface, 1 above
      const auto id = [&](int i, int j, int k) {
        return 1 + block * 1000 + i + (nx + 1) * (j + (ny + 1) * static_cast<NodeId>(k));
      };
      for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
          for (int i = 0; i <= nx; ++i) {
            mesh.nodes[id(i, j, k)] = {i * length / nx, j * width / ny - width / 2,
                                       (block - 1) * height + k * height / nz};
            if (k == (block == 0 ? nz : 0)) mesh.node_sets[block == 0 ? "BOTTOM" : "TOP"].push_back(id(i, j, k));
            if (k == (block == 0 ? 0 : nz)) mesh.node_sets[block == 0 ? "NUT" : "HEAD"].push_back(id(i, j, k));
          }
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (int i = 0; i < nx; ++i)
            bricks.push_back({id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k), id(i, j, k + 1),
                              id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1), id(i, j + 1, k + 1)});
    }
    std::map<NodeDirection, std::int32_t> place;
    std::vector<NodeDirection> labels;
    for (const auto& [id, x] : mesh.nodes)
      for (int d = 1; d <= 3; ++d) {
        if (clamped && id < 1000 && x[0] == 0) continue;
        place[{id, d}] = static_cast<std::int32_t>(labels.size());
        labels.push_back({id, d});
      }
    const auto [K, M] = stiffness_and_mass();
    CoordinateMatrix stiffness, mass;
    stiffness.n_rows = stiffness.n_columns = mass.n_rows = mass.n_columns = labels.size();
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<double, double>> sum;
    std::int64_t number = 0;
    for (const auto& brick : bricks) {
      mesh.elements[++number] = {Shape::hexa8, {brick.begin(), brick.end()}};
      for (int a = 0; a < 24; ++a)
        for (int b = 0; b < 24; ++b) {
          const auto row = place.find({brick[a / 3], a % 3 + 1}), column = place.find({brick[b / 3], b % 3 + 1});
          if (row == place.end() || column == place.end()) continue;
          auto& entry = sum[{row->second, column->second}];
          entry.first += K(a, b);
          entry.second += M(a, b);
        }
    }
    for (const auto& [at, values] : sum) {
      stiffness.entries.push_back({at.first, at.second, values.first});
      mass.entries.push_back({at.first, at.second, values.second});
    }
    return fe_model(mass, stiffness, labels, std::move(mesh));
  }
};

/// A coarse mesh of the bricks' interface: nx by ny quadrilaterals.
inline Mesh coarse_grid(const Bricks& bricks, int nx, int ny) {
  Mesh mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      mesh.nodes[1 + i + (nx + 1) * j] = {i * bricks.length / nx, j * bricks.width / ny - bricks.width / 2, 0};
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const NodeId a = 1 + i + (nx + 1) * static_cast<NodeId>(j);
      mesh.elements[1 + i + nx * j] = {Shape::quad4, {a, a + 1, a + nx + 2, a + nx + 1}};
    }
  return mesh;
}

}  // namespace microslip
