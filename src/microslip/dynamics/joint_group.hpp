#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include <microslip/joints/any_law.hpp>
#include <microslip/structure/interface.hpp>

namespace microslip {

/// Joints that share a law, on rows of the relative displacements w; force = area times what the law says.
struct JointGroup {
  AnyLaw law;
  std::vector<Eigen::Index> rows;
  std::vector<double> areas;  ///< one per row; empty: 1
};

/// Normal contact on rows of w, positive in compression: a spring, or one that opens.
struct NormalGroup {
  double stiffness = 0;
  Contact contact = Contact::spring;
  std::vector<Eigen::Index> rows;
  std::vector<double> areas;  ///< one per row; empty: 1
};

/// Elements of one kind with their memory. The law is known inside: one call per group, none per element.
class Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  virtual ~Elements() = default;
  /// Forces and tangents on the group's rows, history untouched.
  virtual void evaluate(const Eigen::VectorXd& w, Eigen::VectorXd& force, Eigen::VectorXd& tangent) const = 0;
  /// Moves the history to w; returns the energy lost on the way.
  virtual double advance(const Eigen::VectorXd& w) = 0;
  [[nodiscard]] virtual double stored(const Eigen::VectorXd& w) const = 0;
};

std::unique_ptr<Elements> make_elements(const JointGroup& group);
std::unique_ptr<Elements> make_elements(const NormalGroup& group);

}  // namespace microslip
