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

/// Rows sqrt(w) T_0(u) ... sqrt(w) T_d(u).
MatrixXd chebyshev_rows(const LogSamples& s, const std::vector<Eigen::Index>& rows, const TimeScale& scale,
                        int degree) {
  MatrixXd A(static_cast<Eigen::Index>(rows.size()), degree + 1);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const auto j = static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]);
    const double u = scale.at(s.time[j]).u, w = std::sqrt(s.weight[j]);
    A(i, 0) = w;
    if (degree > 0) A(i, 1) = w * u;
    for (int k = 2; k <= degree; ++k) A(i, k) = 2 * u * A(i, k - 1) - A(i, k - 2);
  }
  return A;
}

VectorXd weighted(const std::vector<double>& y, const LogSamples& s, const std::vector<Eigen::Index>& rows) {
  VectorXd b(static_cast<Eigen::Index>(rows.size()));
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    const auto j = static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]);
    b(i) = std::sqrt(s.weight[j]) * y[j];
  }
  return b;
}

std::vector<Eigen::Index> all_rows(const LogSamples& s) {
  std::vector<Eigen::Index> rows(s.time.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Eigen::Index>(i);
  return rows;
}

/// Weighted squared errors of prediction of every degree, over the blocks left out in turn.
struct PredictionErrors {
  std::vector<double> amplitude, phase;
};

PredictionErrors prediction_errors(const LogSamples& s, const std::vector<std::vector<Eigen::Index>>& left_out,
                                   const std::vector<std::vector<Eigen::Index>>& kept, const TimeScale& scale,
                                   int highest) {
  const auto n = static_cast<std::size_t>(highest) + 1;
  PredictionErrors error{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (std::size_t f = 0; f < kept.size(); ++f) {
    const Eigen::HouseholderQR<MatrixXd> qr(chebyshev_rows(s, kept[f], scale, highest));
    const MatrixXd test = chebyshev_rows(s, left_out[f], scale, highest);
    MatrixXd qty(static_cast<Eigen::Index>(kept[f].size()), 2), truth(test.rows(), 2);
    qty << weighted(s.log_amplitude, s, kept[f]), weighted(s.phase, s, kept[f]);
    truth << weighted(s.log_amplitude, s, left_out[f]), weighted(s.phase, s, left_out[f]);
    qty.applyOnTheLeft(qr.householderQ().adjoint());
    for (Eigen::Index d = 1; d <= highest; ++d) {
      const MatrixXd c =
          qr.matrixQR().topLeftCorner(d + 1, d + 1).triangularView<Eigen::Upper>().solve(qty.topRows(d + 1));
      const MatrixXd miss = test.leftCols(d + 1) * c - truth;
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

double fit_series(const MatrixXd& A, const VectorXd& b, double independent, std::vector<double>& c,
                  std::vector<double>& factor) {
  const Eigen::Index n = A.cols();
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  const VectorXd x = qr.solve(b);
  c.assign(x.data(), x.data() + n);
  const double squares = (A * x - b).squaredNorm();
  const double freedom = std::max(1.0, static_cast<double>(A.rows()) * independent - static_cast<double>(n));
  // Weights hold up to a factor: sigma^2 = squares / rows estimates it. Correlated samples carry less information.
  const double sigma = std::sqrt(squares / static_cast<double>(A.rows()) *
                                 (static_cast<double>(A.rows()) * independent) / freedom / independent);
  const MatrixXd R = qr.matrixQR().topLeftCorner(n, n).triangularView<Eigen::Upper>();
  const MatrixXd inverse = sigma * R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n));
  factor.assign(inverse.data(), inverse.data() + n * n);
  return std::sqrt(squares / A.col(0).squaredNorm());
}

double slope_deviation(const std::vector<double>& factor, const TimeScale::Point& p) {
  const auto n = static_cast<Eigen::Index>(std::llround(std::sqrt(static_cast<double>(factor.size()))));
  if (n < 2) return 0;
  VectorXd slope = VectorXd::Zero(n);  // dT_k/du = k U_{k-1}
  double u1 = 1, u2 = 0;
  for (Eigen::Index k = 1; k < n; ++k) {
    slope(k) = static_cast<double>(k) * u1;
    const double next = 2 * p.u * u1 - u2;
    u2 = u1;
    u1 = next;
  }
  return (Eigen::Map<const MatrixXd>(factor.data(), n, n).transpose() * slope).norm() * p.du;
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

Complex SmoothDecay::value(double t) const {
  const double u = scale_.at(t).u;
  return {clenshaw(amplitude_[0], u), clenshaw(phase_[0], u)};
}

Complex SmoothDecay::rate_deviation(double t) const {
  const auto p = scale_.at(t);
  return {slope_deviation(amplitude_factor_, p), slope_deviation(phase_factor_, p)};
}

SmoothDecay fit_decay(const LogSamples& samples, const TimeScale& scale, int amplitude_degree, int phase_degree) {
  const int highest = std::max(amplitude_degree, phase_degree);
  if (amplitude_degree < 1 || phase_degree < 1 || static_cast<std::size_t>(highest) + 2 > samples.time.size())
    throw InvalidInput(fmt::format("polynomials of degree {} and {} cannot be fitted to {} samples", amplitude_degree,
                                   phase_degree, samples.time.size()));
  const auto rows = all_rows(samples);
  const MatrixXd A = chebyshev_rows(samples, rows, scale, highest);
  std::vector<double> amplitude, phase;
  std::vector<double> amplitude_factor, phase_factor;
  const double amplitude_scatter =
      fit_series(A.leftCols(amplitude_degree + 1), weighted(samples.log_amplitude, samples, rows), samples.independent,
                 amplitude, amplitude_factor);
  const double phase_scatter = fit_series(A.leftCols(phase_degree + 1), weighted(samples.phase, samples, rows),
                                          samples.independent, phase, phase_factor);
  SmoothDecay fit(scale, std::move(amplitude), std::move(phase));
  fit.amplitude_scatter = amplitude_scatter;
  fit.phase_scatter = phase_scatter;
  fit.amplitude_factor_ = std::move(amplitude_factor);
  fit.phase_factor_ = std::move(phase_factor);
  return fit;
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
  std::vector<std::vector<Eigen::Index>> left_out(static_cast<std::size_t>(n_folds)), kept(left_out.size());
  for (Eigen::Index i = 0; i < used; ++i)
    for (Eigen::Index f = 0; f < n_folds; ++f)
      ((i / block) % n_folds == f ? left_out : kept)[static_cast<std::size_t>(f)].push_back(i * stride);
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
    const auto [amplitude, phase] = prediction_errors(samples, left_out, kept, scale, highest);
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
