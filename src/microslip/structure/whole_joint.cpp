#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/structure/projection.hpp>

namespace microslip {

namespace {

using Motion = Eigen::Matrix<double, 3, 6>;

/// Displacement at r from the centroid of a rigid body: translation plus rotation cross r.
Motion rigid_motion(const Eigen::Vector2d& r) {
  Motion motion = Motion::Zero();
  motion.leftCols<3>().setIdentity();
  motion.rightCols<3>() << 0, 0, -r(1), 0, 0, r(0), r(1), -r(0), 0;
  return motion;
}

}  // namespace

Projection whole_joint(const Surface& surface, const std::vector<double>& cuts) {
  for (std::size_t i = 0; i < cuts.size(); ++i)
    if (!(cuts[i] > 0 && cuts[i] < 1) || (i > 0 && !(cuts[i] > cuts[i - 1])))
      throw InvalidInput(fmt::format("patches: cuts must rise between 0 and 1, cut {} is {}", i + 1, cuts[i]));
  const Eigen::RowVector2d low = surface.positions.colwise().minCoeff(), high = surface.positions.colwise().maxCoeff();
  const Eigen::Index along = (high - low)(0) >= (high - low)(1) ? 0 : 1;
  const auto patch_of = [&](const Eigen::Vector2d& x) {
    const double fraction = (x(along) - low(along)) / (high(along) - low(along));
    std::size_t patch = 0;
    while (patch < cuts.size() && fraction > cuts[patch]) ++patch;
    return static_cast<Eigen::Index>(patch);
  };

  const auto n_patches = static_cast<Eigen::Index>(cuts.size()) + 1;
  Projection projection;
  projection.areas = Eigen::VectorXd::Zero(n_patches);
  Eigen::MatrixX2d centroids = Eigen::MatrixX2d::Zero(n_patches, 2);
  for (const SurfacePoint& point : surface.points) {
    const Eigen::Index p = patch_of(point.at);
    projection.areas(p) += point.weight;
    centroids.row(p) += point.weight * point.at.transpose();
  }
  for (Eigen::Index p = 0; p < n_patches; ++p) {
    if (!(projection.areas(p) > 0))
      throw InvalidInput(fmt::format("patches: no part of the interface lies in patch {}", p + 1));
    centroids.row(p) /= projection.areas(p);
  }

  std::vector<Eigen::Triplet<double>> load, gram;
  for (const SurfacePoint& point : surface.points) {
    const Eigen::Index p = patch_of(point.at);
    const Motion motion = rigid_motion(point.at - centroids.row(p).transpose());
    const Eigen::Matrix<double, 6, 6> weight = point.weight * motion.transpose() * motion;
    for (int i = 0; i < 6; ++i) {
      const auto row = static_cast<int>(6 * p + i);
      for (int j = 0; j < 6; ++j)
        if (weight(i, j) != 0) gram.emplace_back(row, static_cast<int>(6 * p + j), weight(i, j));
      for (const auto& [pair, value] : point.shape)
        for (int d = 0; d < 3; ++d)
          if (motion(d, i) != 0) load.emplace_back(row, 3 * pair + d, point.weight * value * motion(d, i));
    }
  }
  projection.load.resize(6 * n_patches, 3 * static_cast<Eigen::Index>(surface.pairs.size()));
  projection.load.setFromTriplets(load.begin(), load.end());
  projection.gram.resize(6 * n_patches, 6 * n_patches);
  projection.gram.setFromTriplets(gram.begin(), gram.end());

  projection.map.resize(3 * n_patches, 6 * n_patches);
  for (Eigen::Index p = 0; p < n_patches; ++p) {
    for (const char* motion : {"x", "y", "n", "rotation_x", "rotation_y", "rotation_n"})
      projection.labels.push_back(fmt::format("patch{}.{}", p + 1, motion));
    for (Eigen::Index d = 0; d < 3; ++d) projection.map.insert(3 * p + d, 6 * p + d) = 1;
  }
  projection.picture = {
      .nodes = surface.positions, .elements = surface.faces, .point_of_element = {}, .points = centroids};
  for (const auto& face : surface.faces) {
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (int node : face) middle += surface.positions.row(node).transpose() / static_cast<double>(face.size());
    projection.picture.point_of_element.push_back(static_cast<int>(patch_of(middle)));
  }
  return projection;
}

}  // namespace microslip
