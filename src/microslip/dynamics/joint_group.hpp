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

/// Points of an interface that share a law: friction along x and y and normal contact, on three rows of w each. A
/// contact that opens carries nothing and frees the friction; elastic dry friction takes its normal force from one.
struct ContactGroup {
  AnyLaw law;
  double normal_stiffness = 0;
  Contact contact = Contact::spring;
  std::vector<Eigen::Index> first_rows = {};  ///< of x; y and n follow
  std::vector<double> areas = {};             ///< one per point; empty: 1
};

/// Forces on the rows of w and their derivatives.
struct JointForces {
  struct Coupling {
    Eigen::Index row, column;
    double tangent;  ///< d force(row) / d w(column)
  };
  Eigen::VectorXd force, tangent;  ///< tangent: each row with its own displacement
  std::vector<Coupling> couplings;

  void reset(Eigen::Index n_rows) {
    force.setZero(n_rows);
    tangent.setZero(n_rows);
    couplings.clear();
  }
};

/// Elements of one kind with their memory. The law is known inside: one call per group, none per element.
class Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  virtual ~Elements() = default;
  /// Adds forces and tangents on the group's rows, history untouched.
  virtual void evaluate(const Eigen::VectorXd& w, JointForces& forces) const = 0;
  /// Moves the history to w; returns the energy lost on the way.
  virtual double advance(const Eigen::VectorXd& w) = 0;
  [[nodiscard]] virtual double stored(const Eigen::VectorXd& w) const = 0;
  /// Adds the tangents of contacts that are closed and stick: those of vanishing amplitude.
  virtual void add_stuck(Eigen::VectorXd& tangent) const = 0;
};

std::unique_ptr<Elements> make_elements(const JointGroup& group);
std::unique_ptr<Elements> make_elements(const ContactGroup& group);

}  // namespace microslip
