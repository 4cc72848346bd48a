#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <microslip/modal/anderson.hpp>
#include <microslip/modal/gauss_lobatto.hpp>
#include <microslip/modal/rqnma.hpp>
#include <microslip/modal/sensitivity.hpp>

namespace microslip::detail {

/// One backbone under way: from the prestressed state to one amplitude after the other, each predicted from the last.
class RqnmaRun {
 public:
  RqnmaRun(const JointedSystem& system, const Joint& joint, int mode, const RqnmaOptions& options);
  void add(double q);
  Rqnma take() { return std::move(result_); }

 private:
  using Point = QuasiStatic::Point;
  struct Known {
    double q;
    Point x;
  };

  void start(const Joint& joint);
  [[nodiscard]] bool masing() const { return result_.framework == Framework::masing; }
  [[nodiscard]] bool modal() const { return options_.dissipation == Dissipation::modal; }

  [[nodiscard]] Point predict(double q) const;
  void remember(double q, const Point& x);
  double assurance(const Eigen::VectorXd& reference, double q);
  bool reach(Point& x, double q, BackbonePoint& point);

  void finish_masing(const Point& top, BackbonePoint& point);
  bool go_round(Point& bottom, Point& top, BackbonePoint& point);
  bool finish_reversal(Point& top, BackbonePoint& point);
  void describe(const Point& top, double omega, BackbonePoint& point);

  bool integrate_first_loading(double q, BackbonePoint& point);
  void trace_modal_loop(const Point& top, BackbonePoint& point);
  double modal_work(QuasiStatic& solver, Point& x, double from, double to, BackbonePoint& point);
  bool step_along(QuasiStatic& solver, Point& x, double& q_now, double q_next, int depth, BackbonePoint& point);

  void differentiate_masing(const Point& top, BackbonePoint& point);
  void differentiate_steps(const std::vector<Point>& ends, BackbonePoint& point);
  void differentiate_loop(const Point& first, const Point& bottom, const Point& top, BackbonePoint& point);
  void set_slopes(double lambda_top, const Eigen::VectorXd& d_top, double lambda_bottom,
                  const Eigen::VectorXd& d_bottom, BackbonePoint& point);

  const Condensed condensed_;
  const Interface& interface_;
  const RqnmaOptions options_;
  std::unique_ptr<JointPoints<double>> points_, start_;
  std::vector<double> rest_, force_at_rest_, lost_;
  std::optional<QuasiStatic> solver_;
  std::optional<Sensitivity> sensitivity_;
  std::optional<GaussLobatto> rule_;
  Condensed::Products products_;
  CondensedMode linear_;
  std::vector<Known> known_;
  double first_loading_ = 0;  ///< int q (lambda - lambda_linear) dq up to the last amplitude
  Rqnma result_;
};

}  // namespace microslip::detail
