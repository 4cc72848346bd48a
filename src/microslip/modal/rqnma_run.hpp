#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <microslip/modal/gauss_lobatto.hpp>
#include <microslip/modal/modal_loop.hpp>
#include <microslip/modal/round_slope.hpp>
#include <microslip/modal/rqnma.hpp>
#include <microslip/modal/sensitivity.hpp>
#include <microslip/modal/trend.hpp>

namespace microslip::detail {

/// One backbone under way: from the prestressed state to one amplitude after the other, each predicted from the last.
class RqnmaRun {
 public:
  RqnmaRun(const JointedSystem& system, const Joint& joint, int mode, const RqnmaOptions& options);
  void add(double q);
  Rqnma take();

 private:
  using Point = QuasiStatic::Point;

  void start(const Joint& joint);
  [[nodiscard]] bool masing() const { return result_.framework == Framework::masing; }
  [[nodiscard]] bool modal() const { return options_.dissipation == Dissipation::modal; }

  [[nodiscard]] Point predict(double q) const;
  /// ln of the step in amplitude past which another mode's solution may look more like the last one than its own does.
  static constexpr double far_stride = 0.5;
  double assurance(const Eigen::VectorXd& reference, double q);
  double assurance_with_linear(const Point& x, double q);
  bool reach(Point& x, double q, BackbonePoint& point);

  void finish_masing(const Point& top, BackbonePoint& point);
  struct Loop {
    Point bottom, top;
    std::vector<double> memory;  ///< at +q
  };
  bool go_round(Loop& loop, BackbonePoint& point);
  void see_offset(const Loop& loop, double q);
  double force_gap(const Point& a, const Point& b);
  bool guess_closed(const Loop& from, Loop& loop);
  void linearise_round(const Loop& from, const Loop& loop, QuasiStatic::Jacobian kind);
  static Loop between(const Loop& a, const Loop& b, double share);
  bool finish_reversal(Point& top, BackbonePoint& point);
  void describe(const Point& top, double omega, BackbonePoint& point);

  bool integrate_first_loading(double q, BackbonePoint& point);
  /// Whether points under a changing pressure go from end to end on bent ways, which are followed.
  [[nodiscard]] bool bends() const { return interface_.contact == Contact::penalty && !options_.sensitivities; }
  double trace(ModalLoop& path, const GaussLobatto& stations, double negligible, BackbonePoint& point);
  void trace_loop(const Loop& loop, BackbonePoint& point);
  void trace_losses(ModalLoop& path, double negligible, BackbonePoint& point);

  void differentiate_masing(const Point& top, BackbonePoint& point);
  void differentiate_steps(const std::vector<Point>& ends, BackbonePoint& point);
  void differentiate_loop(const Loop& loaded, const Loop& loop, BackbonePoint& point);
  [[nodiscard]] bool stuck_after_slip(const Loop& loaded) const;
  void differentiate_way(const Loop& loaded, const Loop& loop, BackbonePoint& point);
  void set_slopes(double lambda_top, const Eigen::VectorXd& d_top, double lambda_bottom,
                  const Eigen::VectorXd& d_bottom, BackbonePoint& point);

  const std::optional<JointedSystem> in_plane_;  ///< where springs across the joint belong to the structure
  const Condensed condensed_;
  const Interface& interface_;
  const RqnmaOptions options_;
  std::unique_ptr<JointPoints<double>> points_, start_;
  std::vector<double> rest_, force_at_rest_, lost_;
  Eigen::VectorXd normal_springs_;
  LinearPart linear_part_{condensed_};
  std::optional<QuasiStatic> solver_;               ///< of first loading
  std::array<std::optional<QuasiStatic>, 2> ends_;  ///< of -q and +q on the loop
  std::optional<RoundSlope> round_;                 ///< where memory is plain numbers
  std::optional<Sensitivity> sensitivity_;
  NamedValues parameters_;  ///< what derivatives are taken by
  std::optional<GaussLobatto> rule_;
  Condensed::Products products_;
  CondensedMode linear_;
  Trend first_;                       ///< of first loading
  std::array<Trend, 2> first_round_;  ///< of -q and +q in the first round of the loop
  struct {
    double amplitude, share;
  } largest_offset_{0, 0};    ///< of the middle of a loop from the prestressed rest
  double first_loading_ = 0;  ///< int q (lambda - lambda_linear) dq up to the last amplitude
  Rqnma result_;
};

}  // namespace microslip::detail
