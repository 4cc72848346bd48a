#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <microslip/modal/condensed.hpp>
#include <microslip/modal/joint_points.hpp>
#include <microslip/modal/quasi_static.hpp>

namespace microslip {

/// The way between both ends of a loop, s = 1 at +q to s = -1 at -q and back, under a modal force mu that acts as the
/// inertia forces do, their distribution going over from one end's to the other's:
///   K d + B^T [f - f_rest] = mu p,   p^T d = s q p^T phi                                                        (1)
///   phi = (1+s)/2 phi_top + (1-s)/2 phi_bottom,   p = M phi,   d = u - u_s
/// Both ends satisfy [Porter2022, Eq. 33] with mu = lambda q, where (1) is the same. In between, Eq. 33 itself would
/// make d vanish with s: mu = lambda q is then carried by ever higher modes, and lambda passes all their frequencies.
/// The work of mu p is
///   int mu p^T d' ds = int mu [q (s p^T phi)' - p'^T d] ds                                                      (2)
/// which is int lambda q dq [Eqs. 36-38] where both ends have one shape.
class ModalLoop {
 public:
  struct End {
    Eigen::VectorXd shape;  ///< of all coordinates, +q-wise
    Eigen::VectorXd y;
    double lambda;
  };

  /// Starts at the top with the joint's memory there, which is taken along.
  ModalLoop(const Condensed& condensed, JointPoints<double>& points, const std::vector<double>& rest,
            const std::vector<double>& force_at_rest, const NewtonOptions& options, const End& top, const End& bottom,
            double q);

  /// From where it is to s, in smaller steps where one fails; false where no balance is found. What each point loses
  /// on the way is added to `lost`.
  bool go_to(double s, std::span<double> lost, int depth = 0);
  [[nodiscard]] const Eigen::VectorXd& y() const { return y_; }
  /// The integrand of (2).
  [[nodiscard]] double power() const;
  /// How far it is from y, over the length of y.
  [[nodiscard]] double off(const Eigen::VectorXd& y) const { return (y_ - y).norm() / y.norm(); }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  /// A force on all coordinates as the condensed ones feel it, and its part on the modes left out.
  struct Load {
    Eigen::VectorXd on_y, far;
  };
  [[nodiscard]] Load load_at(double s) const;
  /// Displacement in the direction of a load, where mu times another acts.
  [[nodiscard]] double along(const Load& direction, const Eigen::VectorXd& y, double mu, const Load& acting) const;
  [[nodiscard]] double target(double s) const;
  double measure(const Eigen::VectorXd& y, double mu, const Load& p, double target);
  void apply_jacobian(const Load& p, const Eigen::VectorXd& in, Eigen::VectorXd& out);
  Eigen::VectorXd newton_step(const Load& p);
  bool solve(double s, Eigen::VectorXd& y, double& mu);

  const Condensed& condensed_;
  JointPoints<double>& points_;
  const std::vector<double>&rest_, &force_at_rest_;
  NewtonOptions options_;
  double q_, inertia_;
  double c_even_, c_odd_, c_cross_;  ///< p^T phi = c_even + 2 s c_cross + s^2 c_odd
  Load mean_, half_difference_;      ///< p = mean + s half_difference
  Eigen::MatrixXd A_;                ///< without inertia
  Eigen::VectorXd half_way_;         ///< from the middle of both ends to the top
  Eigen::VectorXd y_, residual_;
  double mu_at_top_, mu_, s_ = 1, misfit_ = 0;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;  ///< of the bordered Jacobian, as it was once
  bool factorised_ = false;
  int iterations_ = 0;
  std::vector<double> w_;
  InterfaceResponse<double> response_;
};

}  // namespace microslip
