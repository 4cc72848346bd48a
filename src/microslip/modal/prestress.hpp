#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/outcome.hpp>
#include <microslip/modal/condensed.hpp>
#include <microslip/modal/joint_points.hpp>

namespace microslip {

/// Which forces balance the preload [Porter2022, section 3.3]: the laws themselves, or all but their hysteretic part
/// (normal contact and post-slip stiffness), so that friction starts from rest.
enum class PrestressLaw { full, conservative };

/// "full" or "conservative", and back; another name is refused with a suggestion.
std::string_view to_string(PrestressLaw law);
PrestressLaw prestress_law_from(std::string_view name);

struct PrestressOptions {
  PrestressLaw law = PrestressLaw::full;
  double preload = 0;  ///< times the system's prestress force (1 N in every bolt)
  int load_steps = 1;  ///< friction remembers the way; more are taken where one does not converge
  int max_iterations = 60;
  double tolerance = 1e-12;  ///< of the imbalance, relative to the preload
};

/// A structure at rest under its preload.
struct Prestress {
  Eigen::VectorXd displacement;  ///< u_s
  std::vector<double> relative;  ///< w_s: x, y, n of each point
  std::vector<double> force;     ///< joint's forces there
  double residual = 0;           ///< imbalance over preload
  int iterations = 0;
  std::vector<Eigen::VectorXd> path;  ///< condensed displacement at the end of every load step
  Eigen::Index n_open = 0;            ///< points that carry nothing
};

/// Static balance K u_s + map^T f(map u_s) = preload x prestress, the joint's memory taken along. Throws NotConverged
/// where none is found, and InvalidInput where the preload opens the whole joint.
Prestress prestress(const Condensed& condensed, const Joint& joint, JointPoints<double>& points,
                    const PrestressOptions& options);

}  // namespace microslip
