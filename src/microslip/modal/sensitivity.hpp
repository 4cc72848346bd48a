#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <microslip/modal/condensed.hpp>
#include <microslip/modal/joint_points.hpp>
#include <microslip/modal/prestress.hpp>

namespace microslip {

/// Derivatives with respect to the joint's parameters (order of joint_parameters), carried along a solved path by
/// implicit differentiation: where R(x, history, parameter) = 0,
///   R_x dx = -dR at fixed x,                                                                                   (1)
/// with dR from the laws in dual numbers, whose memory takes its own derivatives along from step to step.
class Sensitivity {
 public:
  Sensitivity(const Condensed& condensed, const Joint& joint);

  /// From a joint that is at rest: friction new (pressed only), or with the memory of the prestress.
  void start(const std::optional<Prestress>& prestress, PrestressLaw law, bool remembers, std::span<const double> rest);
  /// Back to the start.
  void restart();

  /// A solved step to relative displacements w, with the factorised bordered Jacobian there. `committed` moves the
  /// memory along and adds to the loss; otherwise only the slopes are found.
  void step(const Eigen::PartialPivLU<Eigen::MatrixXd>& jacobian, std::span<const double> w, bool committed);
  /// The loss of Masing's loop at the last step.
  void add_masing_loop(std::span<const double> w);
  void clear_loss();

  /// Plain values of the memory: those of a loop that was found otherwise.
  void set_memory(std::span<const double> memory);
  /// Derivatives of the memory of each parameter.
  [[nodiscard]] std::vector<std::vector<double>> memory_slopes() const;
  void set_memory_slope(std::size_t parameter, std::span<const double> slope);

  [[nodiscard]] std::size_t size() const { return tracks_.size(); }
  [[nodiscard]] const Eigen::VectorXd& lambda() const { return d_lambda_; }  ///< d lambda at the last step
  [[nodiscard]] const Eigen::VectorXd& loss() const { return d_loss_; }

 private:
  struct Track {
    std::unique_ptr<JointPoints<Dual>> start, points;
    std::vector<double> d_rest, d_force_at_rest, d_w;
  };
  void differentiate_prestress(Track& track, std::size_t parameter, const Prestress& prestress, bool conservative);
  std::span<const Dual> with(std::span<const double> w, std::span<const double> d_w);

  const Condensed& condensed_;
  const Joint& joint_;
  std::vector<Track> tracks_;
  Eigen::VectorXd d_lambda_, d_loss_;
  std::vector<Dual> w_, lost_;
  std::vector<double> slope_;
  InterfaceResponse<Dual> response_;
};

}  // namespace microslip
