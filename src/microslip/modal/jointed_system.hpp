#pragma once

#include <string>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <microslip/structure/interface.hpp>
#include <microslip/structure/reduced_model.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {

/// A structure and its interface in coordinates that set the joint apart, found once; joints of any parameters are put
/// in afterwards at no cost. The displacement is
///   u = T v + P p                                                                                              (1)
/// with v what the joint feels (the relative displacements w themselves where the map has independent rows, else the
/// coordinates that it touches, w = points v) and p the modes of the structure with v = 0:
///   P^T M P = 1,   P^T K P = diag(kappa),   P^T (K + shift M) T = 0                                            (2)
/// so that p answers v in closed form at any frequency. shift = 0 unless the structure floats with v = 0.
class JointedSystem {
 public:
  /// Refused as `checked` refuses systems and interfaces, and where a motion with v = 0 has a negative stiffness.
  JointedSystem(System system, Interface interface, const std::string& what);
  explicit JointedSystem(const ReducedModel& model, const std::string& what = "reduced model");

  /// The same structure with springs across the interface taken into it, one stiffness [N/m] per point, where the map's
  /// points share coordinates (full joints): what is left of the joint moves in its plane, and its rows across are
  /// zero.
  [[nodiscard]] JointedSystem with_normal_springs(const Eigen::VectorXd& springs) const;
  /// The rows across the interface that were taken out so; empty otherwise.
  [[nodiscard]] const Eigen::MatrixXd& normal_map() const { return normal_map_; }

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const Interface& interface() const { return interface_; }
  [[nodiscard]] Eigen::Index size() const { return system_.size(); }

  [[nodiscard]] const Eigen::MatrixXd& joint_shapes() const { return T_; }
  [[nodiscard]] const Eigen::MatrixXd& internal_shapes() const { return P_; }
  [[nodiscard]] const Eigen::VectorXd& internal_eigenvalues() const { return kappa_; }  ///< ascending
  [[nodiscard]] const Eigen::MatrixXd& joint_stiffness() const { return K_vv_; }        ///< T^T K T
  [[nodiscard]] const Eigen::MatrixXd& joint_mass() const { return M_vv_; }             ///< T^T M T
  [[nodiscard]] const Eigen::MatrixXd& coupling() const { return M_pv_; }               ///< P^T M T
  [[nodiscard]] double shift() const { return shift_; }
  [[nodiscard]] Eigen::Index n_rigid() const { return n_rigid_; }  ///< modes with v = 0 and no stiffness
  /// Relative displacements from v; empty where they are v itself.
  [[nodiscard]] const Eigen::SparseMatrix<double, Eigen::RowMajor>& points() const { return points_; }

 private:
  JointedSystem() = default;
  void set_up(const std::string& what);

  System system_;
  Interface interface_;
  Eigen::MatrixXd T_, P_, K_vv_, M_vv_, M_pv_, normal_map_;
  Eigen::VectorXd kappa_;
  double shift_ = 0;
  Eigen::Index n_rigid_ = 0;
  Eigen::SparseMatrix<double, Eigen::RowMajor> points_;
};

}  // namespace microslip
