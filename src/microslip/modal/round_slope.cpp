#include <algorithm>
#include <cmath>
#include <utility>

#include <microslip/modal/round_slope.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::VectorXd;

namespace {
constexpr std::size_t no_parameter = static_cast<std::size_t>(-2);  // none is varied
}

RoundSlope::RoundSlope(const Condensed& condensed, const Joint& joint) : condensed_(condensed) {
  const Interface& interface = condensed.system().interface();
  points_ = make_dual_points(joint, interface.contact, interface.areas, no_parameter);
  n_points_ = static_cast<std::size_t>(interface.n_points());
  w_.resize(3 * n_points_);
  lost_.resize(n_points_);
}

void RoundSlope::set(Leg down, Leg up) {
  legs_ = {std::move(down), std::move(up)};
  kinds_ = legs_[0].memory.size() / n_points_;
  for (std::size_t i = 0; i < 2; ++i) differentiate(legs_[i], derivatives_[i]);
}

/// Points do not feel each other at given displacements: one pass in dual numbers per kind of number, all at once.
void RoundSlope::differentiate(const Leg& leg, Derivatives& derivatives) {
  derivatives.force_by_memory.resize(n_points_ * 3 * kinds_);
  derivatives.memory_by_memory.resize(n_points_ * kinds_ * kinds_);
  derivatives.memory_by_w.resize(n_points_ * kinds_ * 3);
  std::vector<double> seed(n_points_ * kinds_, 0.0);
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = {leg.w[j], 0.0};
  for (std::size_t k = 0; k < kinds_ + 3; ++k) {
    const bool by_memory = k < kinds_;
    for (std::size_t p = 0; p < n_points_; ++p) {
      if (by_memory) seed[p * kinds_ + k] = 1;
      if (!by_memory) w_[3 * p + k - kinds_].grad = 1;
    }
    points_->set_memory(leg.memory);
    points_->set_memory_slope(seed);
    points_->advance(w_, lost_, response_);
    const std::vector<double> slope = points_->memory_slope();
    for (std::size_t p = 0; p < n_points_; ++p) {
      for (std::size_t i = 0; i < 3 && by_memory; ++i)
        derivatives.force_by_memory[(p * 3 + i) * kinds_ + k] = response_.force[3 * p + i].grad;
      for (std::size_t i = 0; i < kinds_; ++i)
        (by_memory ? derivatives.memory_by_memory[(p * kinds_ + i) * kinds_ + k]
                   : derivatives.memory_by_w[(p * kinds_ + i) * 3 + k - kinds_]) = slope[p * kinds_ + i];
      if (by_memory) seed[p * kinds_ + k] = 0;
      if (!by_memory) w_[3 * p + k - kinds_].grad = 0;
    }
  }
}

void RoundSlope::apply(const VectorXd& slope, VectorXd& led) {
  const Index m = condensed_.size();
  VectorXd now = slope;
  led.resize(slope.size());
  force_.resize(3 * n_points_);
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const Derivatives& d = derivatives_[leg];
    for (std::size_t p = 0; p < n_points_; ++p)
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < kinds_; ++k)
          sum -= d.force_by_memory[(p * 3 + i) * kinds_ + k] * now(static_cast<Index>(p * kinds_ + k));
        force_[3 * p + i] = sum;
      }
    on_y_.setZero(m);
    condensed_.add_forces(force_, on_y_);
    rhs_.resize(m + 1);
    rhs_ << on_y_, 0;
    changes_[leg] = legs_[leg].jacobian->solve(rhs_);
    condensed_.displace(changes_[leg].head(m), d_w_);
    for (std::size_t p = 0; p < n_points_; ++p)
      for (std::size_t i = 0; i < kinds_; ++i) {
        const std::size_t row = p * kinds_ + i;
        double sum = 0;
        for (std::size_t k = 0; k < kinds_; ++k)
          sum += d.memory_by_memory[row * kinds_ + k] * now(static_cast<Index>(p * kinds_ + k));
        for (std::size_t k = 0; k < 3; ++k) sum += d.memory_by_w[row * 3 + k] * d_w_[3 * p + k];
        led(static_cast<Index>(row)) = sum;
      }
    now = led;
  }
}

GmresReport RoundSlope::solve(const VectorXd& r, std::span<const double> led, VectorXd& s,
                              const GmresOptions& options) {
  const Index n = r.size();
  std::vector<double> range(kinds_, 0.0);
  for (std::size_t i = 0; i < led.size(); ++i)
    range[i % kinds_] = std::max(range[i % kinds_], std::abs(led[i] - legs_[1].memory[i]));
  VectorXd scale(n), weight(n);
  for (Index i = 0; i < n; ++i) {
    scale(i) = range[static_cast<std::size_t>(i) % kinds_];
    weight(i) = scale(i) > 0 ? 1 / scale(i) : 0.0;
  }
  VectorXd change, result;
  const auto defect = [&](const VectorXd& v, VectorXd& out) {
    change = scale.cwiseProduct(v);
    apply(change, result);
    out = weight.cwiseProduct(change - result);
  };
  const GmresReport report = gmres(defect, weight.cwiseProduct(r), s, options);
  s = scale.cwiseProduct(s);
  return report;
}

}  // namespace microslip
