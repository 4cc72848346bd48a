#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <microslip/modal/jointed_system.hpp>

namespace microslip {

/// The structure as the joint feels it at frequencies around one mode. Unknowns are y = (v, p_near); internal modes
/// far above the frequency are eliminated exactly: with l = lambda + shift and s = kappa + shift,
///   p_far = l/(s - l) m v,   (K - lambda M) u  ->  A(lambda) y                                                 (1)
///   A = A_0 - lambda A_1 - sum l^2/(s - l) m m^T over the far modes (rows m of P^T M T)                        (2)
/// N = -dA/dlambda is the mass: y^T N y = u^T M u exactly.
class Condensed {
 public:
  /// Modes with kappa above `cut` are far.
  Condensed(const JointedSystem& system, double cut);
  /// Suited to the n-th elastic mode: it lies below kappa_n, whatever the joint, and far modes begin at four times
  /// that (twice the frequency).
  static Condensed for_mode(const JointedSystem& system, int mode);

  [[nodiscard]] const JointedSystem& system() const { return *system_; }
  [[nodiscard]] Eigen::Index size() const { return n_joint_ + n_near_; }
  /// Whether factorisations are worth saving.
  [[nodiscard]] bool large() const { return size() >= 128; }
  [[nodiscard]] Eigen::Index n_joint() const { return n_joint_; }
  [[nodiscard]] Eigen::Index n_far() const { return M_far_.rows(); }

  struct Products {
    Eigen::VectorXd A_y, N_y;  ///< A y and N y
    double y_dN_y = 0;         ///< y^T (dN/dlambda) y
    Eigen::VectorXd far;       ///< m v of the far modes
  };
  void multiply(double lambda, const Eigen::VectorXd& y, Products& products) const;
  /// A(lambda) into the upper left block of J.
  void fill(double lambda, Eigen::Ref<Eigen::MatrixXd> J) const;
  /// A(lambda) and N(lambda) in full.
  [[nodiscard]] Eigen::MatrixXd stiffness(double lambda) const;
  [[nodiscard]] Eigen::MatrixXd mass(double lambda) const;
  /// A(0) for balances: with springs on the rigid motions, so that it has an inverse. A force that is balanced does not
  /// move them.
  [[nodiscard]] Eigen::MatrixXd static_stiffness() const;

  /// Relative displacements w from y, forces on y from those on w, and what a stiffness between the w's is on y.
  void displace(const Eigen::VectorXd& y, std::vector<double>& w) const;
  void add_forces(std::span<const double> force, Eigen::VectorXd& on_y) const;
  void add_stiffness(const PointTangents& tangent, Eigen::Ref<Eigen::MatrixXd> J) const;
  /// Forces of such a stiffness where y is the displacement.
  void add_tangent_forces(const PointTangents& tangent, const Eigen::VectorXd& y, Eigen::VectorXd& on_y) const;

  /// The displacement of the structure.
  [[nodiscard]] Eigen::VectorXd expand(double lambda, const Eigen::VectorXd& y) const;
  /// A static force on u (lambda = 0) as it acts on y, and the displacement under it.
  [[nodiscard]] Eigen::VectorXd condense(const Eigen::VectorXd& force) const;
  [[nodiscard]] Eigen::VectorXd expand_static(const Eigen::VectorXd& y, const Eigen::VectorXd& force) const;
  /// What the far modes add to it, as the root of an energy: f . u = condense(f) . y + static_far(f) . static_far(f).
  [[nodiscard]] Eigen::VectorXd static_far(const Eigen::VectorXd& force) const;

 private:
  const JointedSystem* system_;
  Eigen::Index n_joint_, n_near_;
  Eigen::MatrixXd A_0_, A_1_, M_far_;
  Eigen::ArrayXd s_far_;
};

}  // namespace microslip
