#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/archive.hpp>
#include <microslip/structure/interface.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {

/// What a reduction was, so that a file says how it was made.
struct ReductionRecord {
  std::string kind;                      ///< whole_joint or full_joint
  std::string made_by;                   ///< program and version
  std::vector<std::string> inputs;       ///< files and settings, as "name: value"
  Eigen::Index full_size = 0;            ///< coordinates before
  Eigen::Index n_rigid = 0;              ///< rigid motions left out
  double total_mass = 0;                 ///< of the full model [kg]
  double area = 0;                       ///< of the interface [m^2]
  Eigen::VectorXd fixed_frequencies_hz;  ///< modes with q = 0 that were kept
  double mode_residual = 0;              ///< largest |K x + forces - lambda M x| / |(lambda - shift) M x| among them
  double static_residual = 0;            ///< largest |K x + forces| of a static shape, over the largest force of any
  double check_tangential = 0, check_normal = 0;  ///< springs of the comparison below [N/m^3]
  Eigen::VectorXd full_frequencies_hz;            ///< of the full model on those springs
  Eigen::VectorXd reduced_frequencies_hz;         ///< of the reduced one
};

/// Nodes of the full model in a row, for pictures of shapes: their displacement in one direction is rows u.
struct ShapeLine {
  std::string name;
  int direction = 3;           ///< 1, 2 or 3
  Eigen::MatrixX3d positions;  ///< [m]
  Eigen::MatrixXd rows;
};

/// A structure reduced to the coordinates of its joint and a few modes.
struct ReducedModel {
  System system;  ///< prestress: 1 N in every bolt
  Interface interface;
  Eigen::MatrixXd bolts;  ///< force for 1 N in each bolt, one per column
  std::vector<std::string> bolt_names;
  std::vector<ShapeLine> lines;  ///< may be empty
  ReductionRecord record;
};

/// The model as a tree for a file, and back. Symmetric matrices are stored as their lower triangles, row by row, the
/// interface map as its non-zero entries. Reading checks as `checked` does.
Archive archive_of(const ReducedModel& model);
ReducedModel reduced_model(const Archive& archive, const std::string& what);

}  // namespace microslip
