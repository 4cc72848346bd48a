#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <microslip/core/outcome.hpp>
#include <microslip/modal/condensed.hpp>
#include <microslip/modal/joint_points.hpp>

namespace microslip {

struct NewtonOptions {
  int max_iterations = 60;
  double tolerance = 1e-11;  ///< of the residual, relative; iteration stops here
  double accepted = 1e-9;    ///< a residual that rounding keeps above the tolerance is good up to here
};

struct NewtonReport {
  Outcome outcome = Outcome::iteration_limit;
  int iterations = 0;
  double residual = 0;  ///< |Eq. 33a| / |lambda M (u - u_s)|

  [[nodiscard]] bool converged() const { return outcome == Outcome::converged; }
};

/// A(lambda) near the lambda of a mode, along its tangent there: what that leaves out is of second order, and small in
/// far modes. Formed anew only where lambda has gone far; the solvers of one run share it.
class LinearPart {
 public:
  explicit LinearPart(const Condensed& condensed) : condensed_(condensed) {}
  void form(double lambda, Eigen::Ref<Eigen::MatrixXd> A);

 private:
  const Condensed& condensed_;
  Eigen::MatrixXd A_, N_;  ///< A and -dA/dlambda where they were last formed
  double lambda_ = 0;
};

/// RQNMA's equations [Porter2022, Eq. 33] for the displacement y from a rest position and lambda:
///   A(lambda) y + f(w_0 + w(y)) - f(w_0) = 0,   y^T N(lambda) y = q^2                                          (1)
/// by Newton's method with the laws' own tangents, shortened where a corner of a law throws it too far. The joint's
/// memory is the caller's: a solve is a trial. Where the joint is large, an old factorisation serves GMRES as long as
/// it is good enough.
class QuasiStatic {
 public:
  struct Point {
    Eigen::VectorXd y;
    double lambda = 0;
  };

  /// `rest` are relative displacements at y = 0, force_at_rest the joint's forces there.
  QuasiStatic(const Condensed& condensed, LinearPart& linear, const JointPoints<double>& joint,
              std::vector<double> rest, std::vector<double> force_at_rest, const NewtonOptions& options);

  /// From a guess to the solution of amplitude |q|. A guess of the opposite sign leads to the other side of the loop.
  NewtonReport solve(Point& x, double q);

  /// Relative displacements at y, absolute.
  [[nodiscard]] const std::vector<double>& displacements_at(const Eigen::VectorXd& y);
  /// Bordered Jacobian of (1) at x, factorised; the second equation is halved. Derivatives want it `exact`; where it is
  /// to show the way only, A(lambda) along a tangent is good enough.
  enum class Jacobian { near, exact };
  const Eigen::PartialPivLU<Eigen::MatrixXd>& factorised(const Point& x, Jacobian kind);
  /// Forces at the point last solved, without those at rest: x, y and n of each point of the interface.
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> point_forces() const {
    return {response_.force.data(), static_cast<Eigen::Index>(response_.force.size())};
  }
  [[nodiscard]] const Eigen::VectorXd& mass_times_y() const { return products_.N_y; }

 private:
  struct Misfit {
    double residual, amplitude;
    [[nodiscard]] double size() const { return residual + amplitude; }
  };
  Misfit measure(const Point& x, double q);
  void factorise(const Point& x, Jacobian kind);
  [[nodiscard]] double forcing(double misfit) const;
  void find_step(const Point& x, double misfit);
  bool step_by_gmres(const Point& x, double forcing);
  Misfit try_step(const Point& x, double part, double q);
  Misfit take_step(const Point& x, double q, const Misfit& misfit);
  Misfit shorten_step(const Point& x, double q, const Misfit& misfit);
  void follow(double lambda);
  void apply_jacobian(const Eigen::VectorXd& in, Eigen::VectorXd& out);

  const Condensed& condensed_;
  LinearPart& linear_;
  const JointPoints<double>& joint_;
  std::vector<double> rest_, force_at_rest_, w_;
  NewtonOptions options_;
  InterfaceResponse<double> response_;
  Condensed::Products products_;
  Eigen::VectorXd force_, residual_, step_, rhs_;
  Eigen::MatrixXd J_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  bool has_factor_ = false;
  double misfit_before_ = 0;  ///< of the last iteration; 0: there was none
  int stalled_ = 0;           ///< steps on end after which the residual was no smaller
  Eigen::MatrixXd A_;         ///< A(lambda_now_), where the joint is large
  double lambda_now_ = 0;
  Point trial_;
  Eigen::VectorXd y_along_, force_along_;
};

}  // namespace microslip
