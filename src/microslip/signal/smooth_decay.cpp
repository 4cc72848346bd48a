#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/signal/smooth_decay.hpp>

namespace microslip::signal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> derivative(const std::vector<double>& c) {
  // c'_{k-1} = c'_{k+1} + 2 k c_k, the first halved
  const std::size_t n = c.size();
  if (n < 2) return {0.0};
  std::vector<double> d(n + 1, 0.0);
  for (std::size_t k = n - 1; k >= 1; --k) d[k - 1] = d[k + 1] + 2 * static_cast<double>(k) * c[k];
  d[0] *= 0.5;
  d.resize(n - 1);
  return d;
}

double clenshaw(const std::vector<double>& c, double u) {
  double b1 = 0, b2 = 0;
  for (std::size_t k = c.size(); k-- > 1;) {
    const double b = 2 * u * b1 - b2 + c[k];
    b2 = b1;
    b1 = b;
  }
  return u * b1 - b2 + (c.empty() ? 0.0 : c[0]);
}

void differentiate(std::vector<double> (&series)[3], std::vector<double> c) {
  series[0] = std::move(c);
  series[1] = derivative(series[0]);
  series[2] = derivative(series[1]);
}

/// Rows sqrt(w) T_0(u) ... sqrt(w) T_d(u), for every stride-th sample.
MatrixXd chebyshev_rows(const LogSamples& s, std::size_t stride, const TimeScale& scale, int degree) {
  const auto n = static_cast<Eigen::Index>((s.time.size() + stride - 1) / stride);
  Eigen::ArrayXd u(n);
  MatrixXd A(n, degree + 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i) * stride;
    u(i) = scale.at(s.time[k]).u;
    A(i, 0) = std::sqrt(s.weight[k]);
  }
  if (degree > 0) A.col(1) = A.col(0).array() * u;
  for (int k = 2; k <= degree; ++k) A.col(k) = 2 * u * A.col(k - 1).array() - A.col(k - 2).array();
  return A;
}

/// Columns sqrt(w) ln A and sqrt(w) phase; `roots` are the sqrt(w).
Eigen::MatrixX2d weighted(const LogSamples& s, std::size_t stride, const Eigen::Ref<const VectorXd>& roots) {
  Eigen::MatrixX2d b(roots.size(), 2);
  for (Eigen::Index i = 0; i < roots.size(); ++i) {
    const auto k = static_cast<std::size_t>(i) * stride;
    b.row(i) = roots(i) * Eigen::RowVector2d(s.log_amplitude[k], s.phase[k]);
  }
  return b;
}

/// Least squares by Cholesky's factor of the normal matrix and one refinement, which gives back the digits that the
/// squared condition costs: several times faster than orthogonal factors for a few columns of many rows.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& L, const MatrixXd& b) {
  const auto solve = [&](const MatrixXd& right) {
    MatrixXd x = L.triangularView<Eigen::Lower>().solve(right);
    L.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    return x;
  };
  MatrixXd x = solve(A.transpose() * b);
  x += solve(A.transpose() * (b - A * x));
  return x;
}

MatrixXd normal_matrix(const Eigen::Ref<const MatrixXd>& A) {
  MatrixXd N = MatrixXd::Zero(A.cols(), A.cols());
  N.selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
  return N;
}

/// Weighted squared errors of prediction of every degree, over the blocks left out in turn.
struct PredictionErrors {
  std::vector<double> amplitude, phase;
};

/// Block i / block belongs to fold (i / block) mod n_folds.
PredictionErrors prediction_errors(const LogSamples& s, std::size_t stride, Eigen::Index block, Eigen::Index n_folds,
                                   const TimeScale& scale, int highest) {
  const auto n = static_cast<std::size_t>(highest) + 1;
  PredictionErrors error{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  const MatrixXd A = chebyshev_rows(s, stride, scale, highest);
  // Every degree from 1 on follows a straight line exactly: taken off first, it does not drown what is left.
  Eigen::MatrixX2d b = weighted(s, stride, A.col(0));
  const MatrixXd line = A.leftCols(2);
  b -= line * least_squares(line, normal_matrix(line).llt().matrixL(), b);
  std::vector<std::vector<Eigen::Index>> left_out(static_cast<std::size_t>(n_folds));
  for (Eigen::Index i = 0; i < A.rows(); ++i) left_out[static_cast<std::size_t>((i / block) % n_folds)].push_back(i);
  const MatrixXd whole = normal_matrix(A), projected = A.transpose() * b;
  for (const auto& rows : left_out) {
    const MatrixXd test = A(rows, Eigen::all);
    const Eigen::MatrixX2d truth = b(rows, Eigen::all);
    const Eigen::LLT<MatrixXd> llt(whole - normal_matrix(test));
    if (llt.info() != Eigen::Success) {  // too few samples kept for the highest degrees: none of them is good
      std::fill(error.amplitude.begin(), error.amplitude.end(), std::numeric_limits<double>::infinity());
      error.phase = error.amplitude;
      return error;
    }
    const MatrixXd L = llt.matrixL();
    const MatrixXd y = L.triangularView<Eigen::Lower>().solve(projected - test.transpose() * truth);
    for (Eigen::Index d = 1; d <= highest; ++d) {
      const MatrixXd c =
          L.topLeftCorner(d + 1, d + 1).triangularView<Eigen::Lower>().transpose().solve(y.topRows(d + 1));
      const Eigen::MatrixX2d miss = test.leftCols(d + 1) * c - truth;
      error.amplitude[static_cast<std::size_t>(d)] += miss.col(0).squaredNorm();
      error.phase[static_cast<std::size_t>(d)] += miss.col(1).squaredNorm();
    }
  }
  return error;
}

int lowest_good_degree(const std::vector<double>& error, double floor) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t d = 1; d < error.size(); ++d) least = std::min(least, error[d]);
  for (std::size_t d = 1; d < error.size(); ++d)
    if (error[d] <= 1.05 * least + floor) return static_cast<int>(d);
  return 1;
}

std::vector<double> fit_series(const MatrixXd& A, const MatrixXd& normal, const VectorXd& b) {
  const Eigen::Index n = A.cols();
  const Eigen::LLT<MatrixXd> llt(normal.topLeftCorner(n, n));
  if (llt.info() != Eigen::Success)
    throw InvalidInput(fmt::format("the samples do not determine a polynomial of degree {}", n - 1));
  const VectorXd x = least_squares(A, llt.matrixL(), b);
  return {x.data(), x.data() + n};
}

/// Column per time: the slopes of T_0 ... T_degree with respect to time.
MatrixXd chebyshev_slopes(std::span<const double> times, const TimeScale& scale, int degree) {
  MatrixXd slopes = MatrixXd::Zero(degree + 1, static_cast<Eigen::Index>(times.size()));
  for (Eigen::Index i = 0; i < slopes.cols(); ++i) {
    const TimeScale::Point p = scale.at(times[static_cast<std::size_t>(i)]);
    double u1 = 1, u2 = 0;  // dT_k/du = k U_{k-1}
    for (Eigen::Index k = 1; k <= degree; ++k) {
      slopes(k, i) = static_cast<double>(k) * u1 * p.du;
      const double next = 2 * p.u * u1 - u2;
      u2 = u1;
      u1 = next;
    }
  }
  return slopes;
}

}  // namespace

TimeScale::Point TimeScale::at(double t) const {
  const double T = end - start;
  if (bend <= 0) return {2 * (t - start) / T - 1, 2 / T, 0};
  const double s = T / bend, norm = 2 / std::log1p(bend);
  // Before the start the logarithm is continued by its tangent parabola, which has no pole.
  const double x = (t - start) / s;
  if (x < 0) return {norm * (x - 0.5 * x * x) - 1, norm * (1 - x) / s, -norm / (s * s)};
  return {norm * std::log1p(x) - 1, norm / (s * (1 + x)), -norm / (s * s * (1 + x) * (1 + x))};
}

SmoothDecay::SmoothDecay(const TimeScale& scale, std::vector<double> log_amplitude, std::vector<double> phase)
    : scale_(scale) {
  differentiate(amplitude_, std::move(log_amplitude));
  differentiate(phase_, std::move(phase));
}

LogDecay SmoothDecay::at(double t) const {
  const auto [u, du, ddu] = scale_.at(t);
  const Complex p(clenshaw(amplitude_[0], u), clenshaw(phase_[0], u));
  const Complex p1(clenshaw(amplitude_[1], u), clenshaw(phase_[1], u));
  const Complex p2(clenshaw(amplitude_[2], u), clenshaw(phase_[2], u));
  return {p, p1 * du, p2 * (du * du) + p1 * ddu};
}

Complex SmoothDecay::rate(double t) const {
  const auto [u, du, ddu] = scale_.at(t);
  return Complex(clenshaw(amplitude_[1], u), clenshaw(phase_[1], u)) * du;
}

Complex SmoothDecay::value(double t) const {
  const double u = scale_.at(t).u;
  return {clenshaw(amplitude_[0], u), clenshaw(phase_[0], u)};
}

SmoothDecay fit_decay(const LogSamples& samples, const TimeScale& scale, int amplitude_degree, int phase_degree) {
  const int highest = std::max(amplitude_degree, phase_degree);
  if (amplitude_degree < 1 || phase_degree < 1 || static_cast<std::size_t>(highest) + 2 > samples.time.size())
    throw InvalidInput(fmt::format("polynomials of degree {} and {} cannot be fitted to {} samples", amplitude_degree,
                                   phase_degree, samples.time.size()));
  const MatrixXd A = chebyshev_rows(samples, 1, scale, highest), normal = normal_matrix(A);
  const Eigen::MatrixX2d b = weighted(samples, 1, A.col(0));
  return {scale, fit_series(A.leftCols(amplitude_degree + 1), normal, b.col(0)),
          fit_series(A.leftCols(phase_degree + 1), normal, b.col(1))};
}

SmoothDecay smooth_decay(const LogSamples& samples, const SmoothChoice& choice) {
  const auto n = static_cast<Eigen::Index>(samples.time.size());
  if (n < 6) throw InvalidInput(fmt::format("a decay needs at least 6 samples in its band, got {}", n));
  const TimeScale linear{samples.time.front(), samples.time.back(), 0};
  if (choice.amplitude_degree && choice.phase_degree)
    return fit_decay(samples, linear, *choice.amplitude_degree, *choice.phase_degree);

  // Contiguous blocks dealt out to the folds in turn, on at most 400 samples.
  const Eigen::Index stride = std::max<Eigen::Index>(1, n / 400), used = (n + stride - 1) / stride;
  const Eigen::Index n_folds = std::min<Eigen::Index>(6, used / 3),
                     block = std::max<Eigen::Index>(1, used / (n_folds * 6));
  const int highest = static_cast<int>(
      std::clamp<Eigen::Index>(choice.highest_degree, 1, std::max<Eigen::Index>(1, (used - used / n_folds) / 3)));

  double floor = 0;  // 1e-7 nepers or radians: below it nothing is measured
  for (Eigen::Index i = 0; i < used; ++i) floor += samples.weight[static_cast<std::size_t>(i * stride)] * 1e-14;

  TimeScale best_scale = linear;
  int amplitude_degree = 1, phase_degree = 1;
  double best = std::numeric_limits<double>::infinity();
  for (const double bend : {0.0, 3.0, 10.0, 30.0, 100.0}) {
    if (bend > 0 && !choice.bend) break;
    const TimeScale scale{linear.start, linear.end, bend};
    const auto [amplitude, phase] =
        prediction_errors(samples, static_cast<std::size_t>(stride), block, n_folds, scale, highest);
    const int a = choice.amplitude_degree.value_or(lowest_good_degree(amplitude, floor));
    const int p = choice.phase_degree.value_or(lowest_good_degree(phase, floor));
    const double score = (amplitude[static_cast<std::size_t>(std::min(a, highest))] + floor) *
                         (phase[static_cast<std::size_t>(std::min(p, highest))] + floor);
    if (score < 0.9 * best) {  // time is bent only where that helps
      best = score;
      best_scale = scale;
      amplitude_degree = a;
      phase_degree = p;
    }
  }
  return fit_decay(samples, best_scale, amplitude_degree, phase_degree);
}

std::vector<RateDeviation> rate_deviations(const LogSamples& samples, const SmoothDecay& fit,
                                           std::span<const double> times) {
  constexpr int beyond = 3;
  const int chosen[] = {fit.amplitude_degree(), fit.phase_degree()}, greater = std::max(chosen[0], chosen[1]);
  int highest = std::min(static_cast<int>(samples.time.size()) - 2, greater + beyond);
  MatrixXd Q = chebyshev_rows(samples, 1, fit.scale(), highest);
  const Eigen::MatrixX2d b = weighted(samples, 1, Q.col(0));
  const MatrixXd normal = normal_matrix(Q);
  Eigen::LLT<MatrixXd> llt(normal);
  for (; llt.info() != Eigen::Success && highest > greater; --highest)
    llt.compute(normal.topLeftCorner(highest, highest));
  // Polynomials orthonormal over the weighted samples, and their slopes: what a degree adds is one of them.
  const MatrixXd L = llt.matrixL();
  Q = L.triangularView<Eigen::Lower>().solve(Q.leftCols(highest + 1).transpose()).transpose();
  const MatrixXd slopes = L.triangularView<Eigen::Lower>().solve(chebyshev_slopes(times, fit.scale(), highest));
  std::vector<RateDeviation> deviations(times.size());
  for (const int part : {0, 1}) {
    const int n = chosen[part] + 1, all = std::min(highest, chosen[part] + beyond) + 1;
    const auto basis = Q.leftCols(all);
    VectorXd c = basis.transpose() * b.col(part), r = b.col(part) - basis * c;
    const VectorXd lost = basis.transpose() * r;  // digits that the large coefficients of line and phase cost
    c += lost;
    r -= basis * lost;
    const double rows = static_cast<double>(Q.rows()), independent = rows * samples.independent;
    const double freedom = std::max(1.0, independent - all);
    const double even = std::sqrt((r.squaredNorm() + c.tail(all - n).squaredNorm()) / std::max(1.0, independent - n));
    const MatrixXd scores = r.asDiagonal() * Q.leftCols(n);
    const MatrixXd covariance = scores.transpose() * scores * (rows / freedom);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const VectorXd slope = slopes.col(static_cast<Eigen::Index>(i)).head(all);
      const double noise = std::sqrt(slope.head(n).dot(covariance * slope.head(n)));
      const double even_noise = even * slope.head(n).norm();
      const double left_out = c.tail(all - n).cwiseProduct(slope.tail(all - n)).norm();
      deviations[i].noise += part == 0 ? Complex(noise, 0) : Complex(0, noise);
      deviations[i].even_noise += part == 0 ? Complex(even_noise, 0) : Complex(0, even_noise);
      deviations[i].left_out += part == 0 ? Complex(left_out, 0) : Complex(0, left_out);
    }
  }
  return deviations;
}

std::vector<double> unwrapped(std::span<const Complex> values, std::size_t stride) {
  std::vector<double> phase;
  phase.reserve(values.size() / stride + 1);
  int turns = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // The short way from one value to the next crosses the cut along the negative axis, upwards or downwards.
    if (i > 0 && std::signbit(values[i].imag()) != std::signbit(values[i - 1].imag())) {
      const double cross = (std::conj(values[i - 1]) * values[i]).imag();
      const bool to_below = std::signbit(values[i].imag());
      if (to_below && cross > 0) ++turns;
      if (!to_below && cross < 0) --turns;
    }
    if (i % stride == 0) phase.push_back(std::arg(values[i]) + 2 * std::numbers::pi * turns);
  }
  return phase;
}

}  // namespace microslip::signal
