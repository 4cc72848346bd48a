#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <microslip/modal/condensed.hpp>
#include <microslip/modal/gmres.hpp>
#include <microslip/modal/joint_points.hpp>

namespace microslip {

/// One round of a loop, +q -> -q -> +q, linearised: how the joint's memory at its end and the solutions on the way
/// change with the memory at its start. With Phi the round, L = dPhi/dm its slope and r = Phi(m) - m,
///   (1 - L) s = r                                                                                              (1)
/// leads to the memory of the closed loop, m + s, at once where Phi is linear (Newton's method). Points that stick all
/// the way keep what they have: neither r nor a Krylov space built from it changes that.
class RoundSlope {
 public:
  /// Half a round: memory at its start, relative displacements at its end and the bordered Jacobian there.
  struct Leg {
    std::vector<double> memory, w;
    const Eigen::PartialPivLU<Eigen::MatrixXd>* jacobian = nullptr;
  };

  RoundSlope(const Condensed& condensed, const Joint& joint);

  /// The round to linearise.
  void set(Leg down, Leg up);
  [[nodiscard]] const Leg& down() const { return legs_[0]; }
  [[nodiscard]] const Leg& up() const { return legs_[1]; }

  /// L times a change of the memory.
  void apply(const Eigen::VectorXd& slope, Eigen::VectorXd& led);
  /// The change of (y, lambda) at -q and +q that went with the last product.
  [[nodiscard]] const Eigen::VectorXd& at_bottom() const { return changes_[0]; }
  [[nodiscard]] const Eigen::VectorXd& at_top() const { return changes_[1]; }

  /// (1 - L) s = r, every kind of number measured by how far it moves in the round; `led` is the memory at its end.
  GmresReport solve(const Eigen::VectorXd& r, std::span<const double> led, Eigen::VectorXd& s,
                    const GmresOptions& options);

 private:
  /// Derivatives at each point, one row of numbers after the other: of the three forces by the memory, and of the
  /// memory at the end of a leg by that at its start and by the three displacements.
  struct Derivatives {
    std::vector<double> force_by_memory, memory_by_memory, memory_by_w;
  };
  void differentiate(const Leg& leg, Derivatives& derivatives);

  const Condensed& condensed_;
  std::unique_ptr<JointPoints<Dual>> points_;
  std::size_t n_points_, kinds_ = 0;
  std::array<Derivatives, 2> derivatives_;
  std::array<Leg, 2> legs_;
  std::array<Eigen::VectorXd, 2> changes_;
  std::vector<Dual> w_, lost_;
  std::vector<double> d_w_, force_;
  Eigen::VectorXd rhs_, on_y_;
  InterfaceResponse<Dual> response_;
};

}  // namespace microslip
