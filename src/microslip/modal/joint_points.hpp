#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/dual.hpp>
#include <microslip/modal/joint.hpp>

namespace microslip {

/// What the points of an interface answer: forces [N] (area included), three per point, and their derivatives.
template <class S>
struct InterfaceResponse {
  std::vector<S> force;
  std::vector<std::array<std::array<S, 3>, 3>> tangent;
};

/// The points of an interface with their memory. The law is known inside: one call per interface, none per point.
/// Displacements come in threes (x, y, n) per point.
template <class S>
class JointPoints {
 public:
  JointPoints() = default;
  JointPoints& operator=(const JointPoints&) = delete;
  virtual ~JointPoints() = default;
  [[nodiscard]] virtual std::unique_ptr<JointPoints> clone() const = 0;

  /// Forgets everything, then presses the points to the normal displacements in w, without any friction.
  virtual void press(std::span<const S> w) = 0;
  /// Takes over the memory of points of the same kind.
  virtual void recall(const JointPoints& other) = 0;
  /// A trial from the memory to w; nothing is remembered.
  virtual void evaluate(std::span<const S> w, InterfaceResponse<S>& response) const = 0;
  /// Accepted: the memory is now at w. Adds the energy lost at each point to `lost`.
  virtual void advance(std::span<const S> w, std::span<S> lost) = 0;
  /// Likewise, with the response there.
  virtual void advance(std::span<const S> w, std::span<S> lost, InterfaceResponse<S>& response) = 0;
  /// Adds the energy of each point's loop by Masing's rules, when w was reached in one move from the memory and f_0
  /// was the force there: 8 int (f - f_0) du - 4 (f - f_0) du, in the plane of the interface.
  virtual void add_masing_loop(std::span<const S> w, std::span<S> energy) const = 0;

  /// The memory as plain numbers, where it is made of them; empty for laws with a stack of reversals. Setting it
  /// leaves derivatives as they are.
  [[nodiscard]] virtual std::vector<double> memory() const = 0;
  virtual void set_memory(std::span<const double> memory) = 0;
  /// The derivatives of those numbers; empty where there are none.
  [[nodiscard]] virtual std::vector<double> memory_slope() const = 0;
  virtual void set_memory_slope(std::span<const double> slope) = 0;

 protected:
  JointPoints(const JointPoints&) = default;
};

/// The points of an interface. For duals, `seed` is the parameter (order of joint_parameters) whose derivative is 1.
std::unique_ptr<JointPoints<double>> make_points(const Joint& joint, Contact contact, const Eigen::VectorXd& areas);
std::unique_ptr<JointPoints<Dual>> make_dual_points(const Joint& joint, Contact contact, const Eigen::VectorXd& areas,
                                                    std::size_t seed);

}  // namespace microslip
