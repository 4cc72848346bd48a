#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/identify/modal_problem.hpp>
#include <microslip/optimize/least_squares.hpp>
#include <microslip/optimize/minimise.hpp>
#include <microslip/signal/dissipation.hpp>

namespace microslip {

namespace {

using std::numbers::pi;
constexpr double most_share = 0.999;  ///< of the stiffness that the joint may carry
constexpr std::size_t few = 40;       ///< points that DIRECT looks at

/// Slope and intercept of y over x.
std::array<double, 2> line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
  const double slope = xx > 0 ? xy / xx : 0;
  return {slope, my - slope * mx};
}

/// beta from [Deaner2015, Eq. 34] with K_T + K_inf in place of K_inf; `intercept` is ln of the line's A_r.
double graphical_beta(double slip_force, double kt, double k0, double chi, double intercept) {
  const auto mismatch = [&](double beta) {
    const double b = beta + (chi + 1) / (chi + 2);
    return std::log(4 * (chi + 1) / ((2 + chi) * (3 + chi))) + (chi + 2) * std::log(kt) + (chi + 1) * std::log(b) -
           intercept - (3 + chi) * std::log(k0) - (chi + 2) * std::log(1 + beta) - (chi + 1) * std::log(slip_force);
  };
  double low = 1e-3, high = 1e3;
  const bool rises = mismatch(high) > mismatch(low);
  for (int i = 0; i < 60; ++i) {
    const double mid = std::sqrt(low * high);
    ((mismatch(mid) < 0) == rises ? low : high) = mid;
  }
  return std::sqrt(low * high);
}

}  // namespace

ModalProblem::ModalProblem(ModalPoints points, const Options& options)
    : points_(std::move(points)), options_(options), lower_(n_variables), upper_(n_variables) {
  const auto& f = points_.frequency_hz;
  const auto [f_min, f_max] = std::minmax_element(f.begin(), f.end());
  const double zeta = *std::max_element(points_.damping_ratio.begin(), points_.damping_ratio.end());
  a_max_ = *std::max_element(points_.amplitude.begin(), points_.amplitude.end());
  k_ref_ = std::pow(2 * pi * *f_max, 2);
  drop_ = std::max(1 - std::pow(*f_min / *f_max, 2), 1e-7);
  c_ref_ = 2 * zeta * std::sqrt(k_ref_);
  lower_ << -0.5 * drop_ - 1e-6, std::log(1e-9), -0.98, 0, std::log(0.02), 0;
  upper_ << 4 * drop_ + 1e-3, std::log(0.98 * most_share), 2, 1.5, 0, 1;
  frequency_scale_ = std::max(*f_max - *f_min, 1e-9 * *f_max);
  for (std::size_t i = 0; i < points_.size(); ++i)
    dissipation_.push_back(signal::dissipation(points_.amplitude[i], points_.damping_ratio[i],
                                               signal::linear_energy_slope(points_.amplitude[i], f[i])));
  dissipation_scale_ = *std::max_element(dissipation_.begin(), dissipation_.end());
}

ModalIwan ModalProblem::model(const Variables& x) const {
  const double k0 = k_ref_ * std::exp(x[ln_stiffness]), share = std::exp(x[ln_share]), chi = x[exponent];
  const double beta = std::pow(most_share / share, x[jump]) - 1;
  const double kt = (1 + beta) * share * k0, phi_max = a_max_ * std::exp(x[ln_reach]);
  return {kt * phi_max * (beta + (chi + 1) / (chi + 2)) / (1 + beta), kt, chi, beta, k0 - kt, x[damping] * c_ref_};
}

ModalProblem::Variables ModalProblem::variables(const ModalIwan& m) const {
  const double k0 = m.stiffness + m.linear_stiffness, share = m.stiffness / (1 + m.beta) / k0;
  const double past = std::log(m.phi_max() / a_max_);
  Variables x(n_variables);
  x << std::log(k0 / k_ref_), std::log(share), m.chi, m.damping / c_ref_, past,
      std::log1p(m.beta) / std::log(most_share / share);
  if (past > 0) x = without_macro_slip(x);
  return x.cwiseMax(lower_).cwiseMin(upper_);
}

ModalProblem::Variables ModalProblem::without_macro_slip(Variables x, double ln_reach_after) {
  x[ln_share] -= (1 + x[exponent]) * (x[ln_reach] - ln_reach_after);  // the same micro-slip
  x[ln_reach] = ln_reach_after;
  x[jump] = 0;
  return x;
}

Eigen::VectorXd ModalProblem::residuals(const Variables& x) const {
  const auto n = static_cast<Eigen::Index>(points_.size());
  const ModalIwanLaw law(model(x), options_.forms);
  Eigen::VectorXd r(2 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const ModalAt at = law(points_.amplitude[i]);
    if (options_.objective == ModalObjective::log) {
      // ln D_E - ln D_M with the E' of the law at hand on both sides is ln of the damping ratios' ratio.
      r[k] = (points_.frequency_hz[i] / at.frequency_hz - 1) / points_.frequency_deviation[i];
      r[n + k] = std::log(points_.damping_ratio[i] / at.damping_ratio) / points_.damping_deviation[i];
    } else {
      r[k] = (points_.frequency_hz[i] - at.frequency_hz) / frequency_scale_;
      r[n + k] = (dissipation_[i] - at.dissipation) / dissipation_scale_;
    }
    if (!points_.weight.empty()) r[k] *= points_.weight[i], r[n + k] *= points_.weight[i];
    if (options_.power != 2) {
      r[k] = std::copysign(std::pow(std::abs(r[k]), 0.5 * options_.power), r[k]);
      r[n + k] = std::copysign(std::pow(std::abs(r[n + k]), 0.5 * options_.power), r[n + k]);
    }
  }
  return r;
}

double ModalProblem::value(const Variables& x) const { return residuals(x).squaredNorm(); }

ModalIwan ModalProblem::first_guess() const {
  std::vector<std::size_t> order(points_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return points_.amplitude[a] < points_.amplitude[b]; });
  // Acceleration is force where mass is 1. The lower half of the forces, by logarithm, gives the line.
  std::vector<double> ln_force, ln_loss;
  const auto force = [&](std::size_t i) {
    return std::pow(2 * pi * points_.frequency_hz[i], 2) * points_.amplitude[i];
  };
  const double middle = std::sqrt(force(order.front()) * force(order.back()));
  for (const std::size_t i : order) {
    if (ln_force.size() > 4 && force(i) > middle) break;
    if (!(dissipation_[i] > 0)) continue;
    ln_force.push_back(std::log(force(i)));
    ln_loss.push_back(std::log(dissipation_[i]));
  }
  const auto [slope, intercept] = line(ln_force, ln_loss);
  ModalIwan guess;
  guess.chi = std::clamp(slope - 3, -0.95, 1.0);  // Eq. 32
  const double f_0 = *std::max_element(points_.frequency_hz.begin(), points_.frequency_hz.end());
  const double f_least = *std::min_element(points_.frequency_hz.begin(), points_.frequency_hz.end());
  const double f_inf = f_least - 0.1 * std::max(f_0 - f_least, 1e-6 * f_0);  // slightly below the lowest measured
  const double k0 = std::pow(2 * pi * f_0, 2);
  guess.linear_stiffness = std::pow(2 * pi * f_inf, 2);
  guess.stiffness = k0 - guess.linear_stiffness;  // Eq. 33
  // The force at which frequency has begun to drop: by a tenth of its range.
  guess.slip_force = force(order.back()) * guess.stiffness / k0;
  for (const std::size_t i : order)
    if (points_.frequency_hz[i] < f_0 - 0.1 * (f_0 - f_least)) {
      guess.slip_force = force(i) * guess.stiffness / k0;
      break;
    }
  guess.beta = graphical_beta(guess.slip_force, guess.stiffness, k0, guess.chi, intercept);  // Eq. 34
  const double least = *std::min_element(points_.damping_ratio.begin(), points_.damping_ratio.end());
  guess.damping = options_.viscous ? 2 * std::max(least, 0.0) * std::sqrt(k0) : 0;
  return guess;
}

std::vector<int> ModalProblem::free(bool macro_slip) const {
  std::vector<int> list{ln_stiffness, ln_share, exponent};
  if (options_.viscous) list.push_back(damping);
  if (macro_slip) list.insert(list.end(), {ln_reach, jump});
  return list;
}

ModalProblem::Minimum ModalProblem::local(const Variables& start, bool macro_slip, int max_iterations) const {
  Variables base = start;
  if (!options_.viscous) base[damping] = 0;
  if (!macro_slip) base = without_macro_slip(base);
  base = base.cwiseMax(lower_).cwiseMin(upper_);
  const std::vector<int> list = free(macro_slip);
  const auto n = static_cast<Eigen::Index>(list.size());
  const auto with = [&](const Eigen::VectorXd& y) {
    Variables x = base;
    for (Eigen::Index j = 0; j < n; ++j) x[list[static_cast<std::size_t>(j)]] = y[j];
    return x;
  };
  const Residuals function = [&](const Eigen::VectorXd& y, Eigen::MatrixXd* jacobian) {
    Eigen::VectorXd r = residuals(with(y));
    if (jacobian != nullptr) {
      jacobian->resize(r.size(), n);
      for (Eigen::Index j = 0; j < n; ++j) {
        const double h = list[static_cast<std::size_t>(j)] == ln_stiffness ? 1e-7 : 1e-5;
        Eigen::VectorXd up = y, down = y;
        up[j] += h;
        down[j] -= h;
        jacobian->col(j) = (residuals(with(up)) - residuals(with(down))) / (2 * h);
      }
    }
    return r;
  };
  LeastSquaresOptions options;
  options.max_iterations = max_iterations;
  options.tolerance = 1e-9;
  options.lower.resize(n);
  options.upper.resize(n);
  Eigen::VectorXd y(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const int i = list[static_cast<std::size_t>(j)];
    y[j] = base[i], options.lower[j] = lower_[i], options.upper[j] = upper_[i];
  }
  const LeastSquaresFit fit = least_squares(function, y, options);
  return {with(fit.x), fit.sum_of_squares, fit.outcome != Outcome::iteration_limit};
}

ModalProblem::Minimum ModalProblem::best_of(const std::vector<Variables>& starts, bool macro_slip) const {
  // A few steps from everywhere, then all the way from the two best.
  std::vector<Minimum> found;
  for (const Variables& start : starts)
    if (std::isfinite(value(start.cwiseMax(lower_).cwiseMin(upper_)))) found.push_back(local(start, macro_slip, 6));
  if (found.empty()) throw NotConverged("fit modal: no start of the search gives finite residuals");
  std::sort(found.begin(), found.end(), [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  Minimum best = local(found.front().x, macro_slip);
  if (found.size() > 1) {
    const Minimum second = local(found[1].x, macro_slip);
    if (second.value < best.value) best = second;
  }
  return best;
}

ModalProblem::Minimum ModalProblem::global(bool macro_slip) const {
  const Variables guess = variables(first_guess());
  // DIRECT looks at some of the points, over the variables that are free, around the first guess.
  ModalPoints some;
  const std::size_t stride = std::max<std::size_t>(1, points_.size() / few);
  for (std::size_t i = 0; i < points_.size(); i += stride) {
    some.amplitude.push_back(points_.amplitude[i]);
    some.frequency_hz.push_back(points_.frequency_hz[i]);
    some.damping_ratio.push_back(points_.damping_ratio[i]);
    some.frequency_deviation.push_back(points_.frequency_deviation[i]);
    some.damping_deviation.push_back(points_.damping_deviation[i]);
    if (!points_.weight.empty()) some.weight.push_back(points_.weight[i]);
  }
  ModalProblem coarse = *this;
  coarse.points_ = some;
  coarse.dissipation_.clear();
  for (std::size_t i = 0; i < points_.size(); i += stride) coarse.dissipation_.push_back(dissipation_[i]);
  const std::vector<int> list = free(macro_slip);
  const auto n = static_cast<Eigen::Index>(list.size());
  MinimiseOptions options;
  options.method = MinimiseMethod::direct;
  options.max_evaluations = 1500;
  options.lower.resize(n);
  options.upper.resize(n);
  const Eigen::VectorXd narrow_low =
      (Eigen::VectorXd(n_variables) << -0.2 * drop_, std::log(0.01 * drop_), -0.95, 0, std::log(0.03), 0).finished();
  const Eigen::VectorXd narrow_high =
      (Eigen::VectorXd(n_variables) << drop_ + 1e-6, std::log(std::min(0.9, 30 * drop_)), 1.0, 1.0, 0, 1).finished();
  Eigen::VectorXd start(n);
  const auto full = [&](const Eigen::VectorXd& y) {
    Variables x = guess;
    if (!options_.viscous) x[damping] = 0;
    if (!macro_slip) x[ln_reach] = x[jump] = 0;
    for (Eigen::Index j = 0; j < n; ++j) x[list[static_cast<std::size_t>(j)]] = y[j];
    return x;
  };
  for (Eigen::Index j = 0; j < n; ++j) {
    const int i = list[static_cast<std::size_t>(j)];
    options.lower[j] = std::max(narrow_low[i], lower_[i]);
    options.upper[j] = std::min(narrow_high[i], upper_[i]);
    start[j] = std::clamp(guess[i], options.lower[j], options.upper[j]);
  }
  // The logarithm keeps DIRECT's rectangles comparable over many decades of the objective.
  const MinimiseResult direct = minimise(
      [&](const Eigen::VectorXd& y) {
        const double value = coarse.value(full(y));
        return std::isfinite(value) ? std::log(value + 1e-12) : 700.0;
      },
      start, options);
  std::vector<Variables> starts{full(direct.x), full(start)};
  if (macro_slip) {
    const Minimum below = local(full(direct.x), false);
    for (const double ratio : {0.95, 0.8, 0.6, 0.4, 0.2})
      for (const double s : {0.02, 0.3, 0.7}) {
        Variables x = below.x;
        x[ln_share] += (1 + x[exponent]) * std::log(ratio);  // the same micro-slip at small amplitude
        x[ln_reach] = std::log(ratio);
        x[jump] = s;
        starts.push_back(x);
      }
  } else {
    for (const double chi : {-0.7, -0.3, 0.1}) {
      Variables x = full(direct.x);
      x[exponent] = chi;
      starts.push_back(x);
    }
  }
  return best_of(starts, macro_slip);
}

ModalProblem ModalProblem::with(std::vector<double> frequency_hz, std::vector<double> damping_ratio) const {
  ModalProblem other = *this;
  other.points_.frequency_hz = std::move(frequency_hz);
  other.points_.damping_ratio = std::move(damping_ratio);
  for (std::size_t i = 0; i < other.points_.size(); ++i)
    other.dissipation_[i] *= other.points_.damping_ratio[i] / points_.damping_ratio[i];
  return other;
}

bool ModalProblem::at_bound(const Variables& x, int variable) const {
  return x[variable] <= lower_[variable] + 1e-6 || x[variable] >= upper_[variable] - 1e-6;
}

void ModalProblem::convert_with(const ModalIwan& model) {
  const ModalIwanLaw law(model, options_.forms);
  dissipation_ =
      signal::dissipation(points_.amplitude, points_.damping_ratio, [&](double a) { return law(a).energy_slope; });
  dissipation_scale_ = *std::max_element(dissipation_.begin(), dissipation_.end());
}

}  // namespace microslip
