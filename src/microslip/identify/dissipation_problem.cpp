#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include <microslip/identify/dissipation_problem.hpp>
#include <microslip/joints/iwan4_shape.hpp>
#include <microslip/optimize/least_squares.hpp>

namespace microslip {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double log_floor = 1e-12;  ///< noise below which ln D is not known anyway: rounding of data and powers

using Shape = Iwan4Shape<DualN<2>>;

/// chi and beta as independent variables 0 and 1.
Shape dual_shape(double chi, double beta) { return {DualN<2>::variable(chi, 0), DualN<2>::variable(beta, 1)}; }

/// Golden sections between two places until they are `width` apart: the lowest of `best` and what `at` gives there.
template <class At>
DissipationProblem::Minimum close_in(const At& at, double from, double to, double width,
                                     DissipationProblem::Minimum best) {
  constexpr double golden = 0.3819660112501051;
  while (to - from > width) {
    const double left = from + golden * (to - from), right = to - golden * (to - from);
    const DissipationProblem::Minimum at_left = at(left, best), at_right = at(right, best);
    const bool go_left = at_left.sum_of_squares < at_right.sum_of_squares;
    (go_left ? to : from) = go_left ? right : left;
    const DissipationProblem::Minimum& better = go_left ? at_left : at_right;
    if (better.sum_of_squares < best.sum_of_squares) best = better;
  }
  return best;
}

}  // namespace

DissipationProblem::DissipationProblem(const DissipationData& data, const DissipationFitOptions& options,
                                       bool power_law)
    : data_(data), options_(options), power_law_(power_law) {
  if (data_.weight.empty()) data_.weight.assign(data_.force.size(), 1.0);
  // Weights are relative: a mean of 1 keeps the noise, where it is given, that of a point.
  const double sum = std::accumulate(data_.weight.begin(), data_.weight.end(), 0.0);
  for (double& weight : data_.weight) weight *= static_cast<double>(data_.weight.size()) / sum;
}

DissipationProblem::Held DissipationProblem::with_given(Held held) const {
  if (options_.stiffness) held.stiffness = options_.stiffness;
  if (power_law_) held.beta = options_.beta[1];
  return held;
}

Iwan4<double> DissipationProblem::law(const Minimum& minimum) const {
  return from_phi_max(options_.slip_force, minimum.phi_max, minimum.chi, minimum.beta);
}

/// The best phi_max for given chi and beta: ln phi_max enters ln D linearly.
DissipationProblem::Minimum DissipationProblem::project(double chi, double beta, const Held& held) const {
  const Iwan4Shape<double> shape{chi, beta};
  const double fs = options_.slip_force;
  double sum = 0, weights = 0;
  std::vector<double> offset;
  for (std::size_t i = 0; i < data_.force.size(); ++i) {
    offset.push_back(std::log(data_.dissipation[i] / (fs * shape.dissipation(shape.amplitude(data_.force[i] / fs)))));
    sum += data_.weight[i] * offset.back();
    weights += data_.weight[i];
  }
  const double phi_max = held.phi_max     ? *held.phi_max
                         : held.stiffness ? fs * shape.stiffness() / *held.stiffness
                                          : std::exp(sum / weights);
  double squares = 0;
  for (std::size_t i = 0; i < offset.size(); ++i)
    squares += data_.weight[i] * std::pow(offset[i] - std::log(phi_max), 2);
  return {chi, beta, phi_max, squares};
}

/// Levenberg-Marquardt from a start, over those of chi and ln beta that are free. A free phi_max is projected out: it
/// shifts every ln D alike, so residuals and derivatives lose their weighted means.
DissipationProblem::Minimum DissipationProblem::refine(const Minimum& start, const Held& held) const {
  const double fs = options_.slip_force;
  const bool phi_free = !held.phi_max && !held.stiffness;
  const std::array<bool, 2> free{!held.chi, !held.beta};
  const std::array<double, 2> at{start.chi, std::log(start.beta)};
  const std::array<double, 2> low{options_.chi[0], std::log(options_.beta[0])};
  const std::array<double, 2> high{options_.chi[1], std::log(options_.beta[1])};
  const auto n_free = static_cast<Index>(std::count(free.begin(), free.end(), true));
  if (n_free == 0) return start;

  LeastSquaresOptions options;
  options.tolerance = 1e-9;  // of the sum of squares: far below what an interval can tell apart
  options.lower.resize(n_free);
  options.upper.resize(n_free);
  VectorXd x(n_free);
  Index next = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!free[i]) continue;
    x[next] = at[i];
    options.lower[next] = low[i];
    options.upper[next++] = high[i];
  }
  const auto unpack = [&](const VectorXd& v) {
    std::array<double, 2> all = at;
    Index j = 0;
    for (std::size_t i = 0; i < 2; ++i)
      if (free[i]) all[i] = v[j++];
    return all;
  };
  const auto n_data = static_cast<Index>(data_.force.size());
  VectorXd root(n_data);
  for (Index i = 0; i < n_data; ++i) root[i] = std::sqrt(data_.weight[static_cast<std::size_t>(i)]);
  const auto residuals = [&](const VectorXd& v, MatrixXd* jacobian) {
    const std::array<double, 2> all = unpack(v);
    const double beta = std::exp(all[1]);
    const Shape shape = dual_shape(all[0], beta);
    const DualN<2> ln_phi = held.stiffness ? log(shape.stiffness()) + DualN<2>(std::log(fs / *held.stiffness))
                                           : DualN<2>(held.phi_max ? std::log(*held.phi_max) : 0.0);
    MatrixXd columns(n_data, 3);  // ln D and its derivatives by chi and ln beta
    for (Index i = 0; i < n_data; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const DualN<2> ratio(data_.force[k] / fs);
      const DualN<2> model = log(shape.dissipation(shape.amplitude(ratio))) + ln_phi;
      columns.row(i) << model.value + std::log(fs / data_.dissipation[k]), model.grad[0], model.grad[1] * beta;
    }
    if (phi_free) {
      const Eigen::RowVectorXd mean = root.cwiseAbs2().transpose() * columns / root.squaredNorm();
      columns.rowwise() -= mean;
    }
    columns = root.asDiagonal() * columns;
    if (jacobian != nullptr) {
      jacobian->resize(n_data, n_free);
      Index j = 0;
      if (free[0]) jacobian->col(j++) = columns.col(1);
      if (free[1]) jacobian->col(j++) = columns.col(2);
    }
    return VectorXd(columns.col(0));
  };
  const LeastSquaresFit fit = least_squares(residuals, x, options);
  const std::array<double, 2> all = unpack(fit.x);
  const double beta = std::clamp(std::exp(all[1]), options_.beta[0], options_.beta[1]);
  Minimum refined = project(all[0], held.beta.value_or(beta), held);
  refined.settled = fit.outcome != Outcome::iteration_limit;
  return refined;
}

DissipationProblem::Minimum DissipationProblem::minimise(const Held& given, const std::optional<Minimum>& near) const {
  const Held held = with_given(given);
  if (held.phi_max && held.stiffness) return on_stiffness(held);
  if (near) return refine(project(held.chi.value_or(near->chi), held.beta.value_or(near->beta), held), held);
  if (held.beta) return best_chi(*held.beta, held, {});
  return refine(search_beta(held), held);
}

/// The best chi for a given beta, from a neighbour's where there is one.
DissipationProblem::Minimum DissipationProblem::best_chi(double beta, Held held,
                                                         const std::optional<Minimum>& near) const {
  held.beta = beta;
  if (near) return refine(project(held.chi.value_or(near->chi), beta, held), held);
  Minimum best = project(held.chi.value_or(-0.5), beta, held);
  for (int i = 0; i < 8 && !held.chi; ++i) {
    const double chi = options_.chi[0] + (options_.chi[1] - options_.chi[0]) * (i + 0.5) / 8;
    const Minimum there = project(chi, beta, held);
    if (there.sum_of_squares < best.sum_of_squares) best = there;
  }
  return refine(best, held);
}

/// chi and beta trade off along a curved valley that a descent follows slowly: scan ln beta over its whole range with
/// chi at its best, then close in on the lowest by golden sections.
DissipationProblem::Minimum DissipationProblem::search_beta(const Held& held) const {
  const double low = std::log(options_.beta[0]), high = std::log(options_.beta[1]);
  constexpr int cells = 14;
  std::vector<Minimum> scan;
  for (int i = 0; i <= cells; ++i) {
    const double beta = i == cells ? options_.beta[1] : std::exp(low + (high - low) * i / cells);
    scan.push_back(best_chi(beta, held, scan.empty() ? std::nullopt : std::optional<Minimum>(scan.back())));
  }
  const auto lowest = std::min_element(
      scan.begin(), scan.end(), [](const Minimum& a, const Minimum& b) { return a.sum_of_squares < b.sum_of_squares; });
  const auto i = static_cast<int>(lowest - scan.begin());
  const double from = low + (high - low) * std::max(i - 1, 0) / cells,
               to = low + (high - low) * std::min(i + 1, cells) / cells;
  return close_in([&](double ln_beta, const Minimum& near) { return best_chi(std::exp(ln_beta), held, near); }, from,
                  to, 1e-2, *lowest);
}

/// The best chi where phi_max and the stiffness are both held: with k = K phi_max/F_S and a = (chi+1)/(chi+2), Eq. 29
/// is k = (1+beta)/(beta+a), so beta = (1 - k a)/(k - 1) falls as chi rises. Infinite where no chi keeps beta within
/// its bounds.
DissipationProblem::Minimum DissipationProblem::on_stiffness(const Held& held) const {
  const double k = *held.stiffness * *held.phi_max / options_.slip_force;
  const Minimum nowhere{options_.chi[0], options_.beta[0], *held.phi_max, std::numeric_limits<double>::infinity()};
  if (!(k > 1)) return nowhere;  // every joint is stiffer than F_S/phi_max
  const auto chi_of = [k](double beta) {
    const double a = (1 - beta * (k - 1)) / k;
    return (2 * a - 1) / (1 - a);
  };
  const double low = std::max(chi_of(options_.beta[1]), options_.chi[0]);
  const double high = std::min(chi_of(options_.beta[0]), options_.chi[1]);
  if (low > high) return nowhere;
  const auto at = [&](double chi, const Minimum& /*near*/) {
    const double a = (chi + 1) / (chi + 2), beta = (1 - k * a) / (k - 1);
    return project(chi, std::clamp(beta, options_.beta[0], options_.beta[1]), held);
  };
  constexpr int cells = 32;
  Minimum best = at(low, {});
  int lowest = 0;
  for (int i = 1; i <= cells; ++i) {
    const Minimum there = at(i == cells ? high : low + (high - low) * i / cells, best);
    if (there.sum_of_squares < best.sum_of_squares) best = there, lowest = i;
  }
  const double cell = (high - low) / cells;
  // The sum of squares is flat at its least: closer than 1e-7 of chi it changes by rounding alone.
  return close_in(at, low + cell * std::max(lowest - 1, 0), low + cell * std::min(lowest + 1, cells), 1e-7, best);
}

std::optional<double> DissipationProblem::threshold(const Minimum& best) const {
  const auto n = static_cast<double>(data_.force.size());
  const int free = 3 - (options_.stiffness ? 1 : 0) - (power_law_ ? 1 : 0);
  if (options_.noise) return std::pow(1.959963984540054 * *options_.noise, 2);
  const double degrees = n - free;
  if (degrees < 1) return std::nullopt;
  const double variance = std::max(best.sum_of_squares / degrees, log_floor * log_floor);
  const double t = boost::math::quantile(boost::math::students_t(degrees), 0.975);
  return t * t * variance;
}

std::optional<DissipationProblem::End> DissipationProblem::profile_end(IwanParameter parameter, double at_best,
                                                                       const Minimum& best, double rise,
                                                                       int direction) const {
  const bool linear = parameter == IwanParameter::chi;
  const auto value = [&](double t) { return linear ? at_best + direction * t : at_best * std::exp(direction * t); };
  const auto hold = [&](double x) {
    Held held;
    if (parameter == IwanParameter::chi) held.chi = x;
    if (parameter == IwanParameter::beta) held.beta = x;
    if (parameter == IwanParameter::phi_max) held.phi_max = x;
    if (parameter == IwanParameter::stiffness) held.stiffness = x;
    return held;
  };
  // How far it may go: to its bound, or a factor of e^10 for the scales.
  double furthest = 10;
  if (linear) furthest = direction > 0 ? options_.chi[1] - at_best : at_best - options_.chi[0];
  if (parameter == IwanParameter::beta)
    furthest = direction > 0 ? std::log(options_.beta[1] / at_best) : std::log(at_best / options_.beta[0]);
  if (!(furthest > 1e-12)) return std::nullopt;

  // The root of the rise is nearly linear in the distance: secants on it, with a bisection where they are slow.
  const double limit = std::sqrt(rise);
  const auto height = [&](const Minimum& m) {
    return std::sqrt(std::max(0.0, m.sum_of_squares - best.sum_of_squares)) - limit;
  };
  // Followed from its neighbour the valley of chi and beta may be lost: before a rise counts, all of it is searched.
  const auto at = [&](double x, const Minimum& near) {
    const Minimum followed = minimise(hold(x), near);
    if (!(height(followed) > 0)) return followed;
    const Minimum anew = minimise(hold(x));
    return anew.sum_of_squares < followed.sum_of_squares ? anew : followed;
  };
  double inside = 0, outside = std::min(1e-4, furthest), low = -limit, high = 0;
  Minimum near = best;
  while (true) {
    const Minimum there = at(value(outside), near);
    high = height(there);
    if (high > 0) break;
    near = there;
    inside = outside;
    low = high;
    if (outside >= furthest) return std::nullopt;
    const double ahead = limit * outside / std::max(limit + high, 0.25 * limit);
    outside = std::min(std::clamp(1.02 * ahead, 1.5 * outside, 8 * outside), furthest);
  }
  for (int i = 0; i < 60 && outside - inside > 1e-4 * outside; ++i) {
    double middle = inside + (outside - inside) * low / (low - high);
    if (i % 3 == 2 || std::isinf(high)) middle = 0.5 * (inside + outside);
    const Minimum there = at(value(middle), near);
    const double at_middle = height(there);
    if (at_middle > 0) {
      outside = middle;
      high = at_middle;
    } else {
      inside = middle;
      low = at_middle;
      near = there;
    }
    if (std::abs(at_middle) < 1e-4 * limit) return End{value(middle), there};
  }
  return End{value(inside), near};
}

/// Whether an end of an interval moves when the bounds of chi and beta that it leans on are widened.
bool DissipationProblem::set_by_bounds(const End& end, IwanParameter parameter, double at_best, const Minimum& best,
                                       double rise, int direction) const {
  const double beta = end.minimum.beta, chi = end.minimum.chi;
  const bool beta_leans = !power_law_ && parameter != IwanParameter::beta &&
                          (beta <= options_.beta[0] * (1 + 1e-6) || beta >= options_.beta[1] * (1 - 1e-6));
  const bool chi_leans =
      parameter != IwanParameter::chi && (chi <= options_.chi[0] + 1e-9 || chi >= options_.chi[1] - 1e-9);
  if (!beta_leans && !chi_leans) return false;
  DissipationProblem wider = *this;
  if (beta_leans) wider.options_.beta = {options_.beta[0] / 30, options_.beta[1] * 30};
  if (chi_leans) wider.options_.chi = {-1 + 0.1 * (options_.chi[0] + 1), 2};
  const std::optional<End> moved = wider.profile_end(parameter, at_best, best, rise, direction);
  if (!moved) return true;
  const auto distance = [&](double x) {
    return parameter == IwanParameter::chi ? std::abs(x - at_best) : std::abs(std::log(x / at_best));
  };
  return std::abs(distance(moved->value) - distance(end.value)) > 0.1 * distance(end.value);
}

DissipationProblem::Ends DissipationProblem::profile(IwanParameter parameter, double at_best, const Minimum& best,
                                                     double rise) const {
  Ends ends;
  for (const int direction : {-1, 1}) {
    std::optional<End> end = profile_end(parameter, at_best, best, rise, direction);
    if (!end) continue;
    ends.laws.push_back(law(end->minimum));
    if (set_by_bounds(*end, parameter, at_best, best, rise, direction)) continue;
    (direction < 0 ? ends.interval.lower : ends.interval.upper) = end->value;
  }
  return ends;
}

ParameterInterval DissipationProblem::chi_interval_at(const Minimum& chosen, double rise) const {
  DissipationProblem known = *this;
  known.options_.beta[1] = chosen.beta;
  known.power_law_ = true;
  return known.profile(IwanParameter::chi, chosen.chi, chosen, rise).interval;
}

}  // namespace microslip
