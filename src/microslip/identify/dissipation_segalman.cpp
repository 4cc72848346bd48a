// The automated method of Segalman's appendix. What it minimises is kept to the letter; how is not: its Nelder-Mead
// from one start falls into poor minima once a stiffness is given (the stiffness term switches on at beta = 1).
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <microslip/core/check.hpp>
#include <microslip/identify/dissipation_problem.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/optimize/minimise.hpp>

namespace microslip {

namespace {

/// The appendix's objective with its third variable, q = log10(R phi_max^(chi+3)), eliminated.
class SegalmanObjective {
 public:
  SegalmanObjective(const DissipationData& data, double slip_force, std::optional<double> stiffness)
      : data_(data), fs_(slip_force), stiffness_(stiffness) {}

  [[nodiscard]] double operator()(double chi, double beta) const {
    if (!(chi > -1) || chi > 2 || !(beta > 0)) return std::numeric_limits<double>::infinity();
    const Iwan4Shape<double> shape{chi, beta};
    // log10 of D over R phi_max^(chi+3), from y = 4 R_p3c r^(chi+3)/((chi+2)(chi+3))
    std::vector<double> q;
    q.reserve(data_.force.size());
    double mean = 0;
    for (std::size_t i = 0; i < data_.force.size(); ++i) {
      const double r = shape.amplitude(data_.force[i] / fs_);
      q.push_back(std::log10(data_.dissipation[i] * (chi + 2) * (chi + 3) / (4 * std::pow(r, chi + 3))));
      mean += q.back() / static_cast<double>(data_.force.size());
    }
    double scatter = 0;
    for (const double x : q) scatter += (x - mean) * (x - mean);
    double error = scatter;
    if (stiffness_ && beta > 1) error += stiffness_term(chi, beta, mean);
    error += 5e-3 * chi * chi;
    if (beta > 10) error += 1e3 * (beta - 10) * (beta - 10);
    if (beta < 0.001) error += 1e6 * (beta - 0.001) * (beta - 0.001);
    if (chi < -0.999) error += 1e6 * (chi + 0.999) * (chi + 0.999);
    return error;
  }

 private:
  /// min over q of N (q - mean)^2 + (1 - K_T(q)/K)^2, K_T = F_S^2 (chi+1)(1+beta)/(10^q b^2): a line search from the
  /// two ends that the terms ask for.
  [[nodiscard]] double stiffness_term(double chi, double beta, double mean) const {
    const double b = beta + (chi + 1) / (chi + 2);
    const double wanted = std::log10(fs_ * fs_ * (chi + 1) * (1 + beta) / (b * b * *stiffness_));
    const auto n = static_cast<double>(data_.force.size());
    const auto cost = [&](double q) {
      return n * (q - mean) * (q - mean) + std::pow(1 - std::pow(10.0, wanted - q), 2);
    };
    // Both terms fall towards the interval between their own minima, so the minimum lies inside it.
    double low = std::min(mean, wanted), high = std::max(mean, wanted), best = std::min(cost(low), cost(high));
    constexpr int cells = 16;
    for (int level = 0; level < 12; ++level) {
      const double step = (high - low) / cells;
      double at = low;
      for (int i = 0; i <= cells; ++i) {
        const double q = low + i * step, c = cost(q);
        if (c <= best) {
          best = c;
          at = q;
        }
      }
      low = std::max(low, at - step);
      high = std::min(high, at + step);
    }
    return best;
  }

  const DissipationData& data_;
  double fs_;
  std::optional<double> stiffness_;
};

struct Point {
  double chi, beta, value;
};

/// The global minimum on one side of the jump at beta = 1: a grid, then Nelder-Mead from its best cells.
Point search(const SegalmanObjective& objective, double beta_low, double beta_high) {
  std::vector<Point> grid;
  for (int i = 0; i < 16; ++i) {
    const double chi = -0.98 + 2.4 * i / 15;
    for (int j = 0; j < 8; ++j) {
      const double beta = beta_low * std::pow(beta_high / beta_low, (j + 0.5) / 8);
      grid.push_back({chi, beta, objective(chi, beta)});
    }
  }
  std::sort(grid.begin(), grid.end(), [](const Point& a, const Point& b) { return a.value < b.value; });
  MinimiseOptions options;
  options.lower = Eigen::Vector2d(-0.9999, std::log(beta_low));
  options.upper = Eigen::Vector2d(2, std::log(beta_high));
  options.x_tolerance = 1e-9;
  options.f_tolerance = 1e-13;
  options.max_evaluations = 200;
  Point best = grid.front();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto cost = [&](const Eigen::VectorXd& x) { return objective(x[0], std::exp(x[1])); };
    Eigen::VectorXd start = Eigen::Vector2d(grid[k].chi, std::log(grid[k].beta));
    for (int again = 0; again < 2; ++again) {  // a fresh simplex leaves a collapsed one
      const MinimiseResult found = minimise(cost, start, options);
      if (found.value < best.value) best = {found.x[0], std::exp(found.x[1]), found.value};
      // Off the bounds, where a simplex has no room.
      const Eigen::VectorXd room = 0.01 * (options.upper - options.lower);
      start = found.x.cwiseMax(options.lower + room).cwiseMin(options.upper - room);
    }
  }
  return best;
}

}  // namespace

DissipationFit fit_dissipation_segalman(const DissipationData& data, double slip_force,
                                        std::optional<double> stiffness) {
  check(data);
  check_slip_force(data, slip_force);
  if (stiffness) positive("stiffness", *stiffness);

  const SegalmanObjective objective(data, slip_force, stiffness);
  Point best = search(objective, 1.0 + 1e-12, 10.5);
  const Point below = search(objective, 0.0005, 1.0);
  if (below.value < best.value) best = below;

  const Iwan4Shape<double> shape{best.chi, best.beta};
  double phi_max = 0;  // the mean over the points of Eq. 40
  for (std::size_t i = 0; i < data.force.size(); ++i)
    phi_max += data.dissipation[i] / (slip_force * shape.dissipation(shape.amplitude(data.force[i] / slip_force)));
  phi_max /= static_cast<double>(data.force.size());

  DissipationFit fit = fit_of(from_phi_max(slip_force, phi_max, best.chi, best.beta), data);
  if (best.beta > 9.99)
    fit.notes.emplace_back(
        "beta is at its bound 10: the data follow a power law, and cannot tell beta from anything above");
  if (stiffness && best.beta <= 1)
    fit.notes.push_back(
        fmt::format("method segalman: the stiffness {:g} is without effect, its condition acts for beta > 1 only and "
                    "beta = {:.3g} fits better",
                    *stiffness, best.beta));
  fit.notes.emplace_back("method segalman: chi is pulled towards 0 by 0.005 chi^2, and there are no intervals");
  return fit;
}

}  // namespace microslip
