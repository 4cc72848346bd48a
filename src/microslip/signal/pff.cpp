#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/core/text.hpp>
#include <microslip/signal/pff.hpp>

namespace microslip::signal {

namespace {

constexpr double pi = std::numbers::pi;

/// Indices of the largest |y| of each half-cycle, ripples shorter than a third of a half-period passed over.
std::vector<std::size_t> extrema(std::span<const double> y, std::size_t first, std::size_t last, double half_period) {
  std::vector<std::size_t> found;
  std::size_t begin = first;
  const auto close = [&](std::size_t end) {  // the half-cycle [begin, end)
    if (static_cast<double>(end - begin) < half_period / 3) return;
    std::size_t best = begin;
    for (std::size_t i = begin; i < end; ++i)
      if (std::abs(y[i]) > std::abs(y[best])) best = i;
    if (best > begin && best + 1 < end) found.push_back(best);  // an extremum, not the cut end of a half-cycle
  };
  for (std::size_t i = first + 1; i <= last; ++i)
    if ((y[i] < 0) != (y[i - 1] < 0)) {
      close(i);
      begin = i;
    }
  close(last + 1);
  return found;
}

/// exp(w) - 1 without cancellation for small w.
Complex expm1(const Complex& w) {
  const double half = std::sin(0.5 * w.imag());
  return {std::expm1(w.real()) * std::cos(w.imag()) - 2 * half * half, std::exp(w.real()) * std::sin(w.imag())};
}

/// sum of exp(w k), k = 0 ... n-1
Complex geometric_sum(const Complex& w, double n) { return w == 0.0 ? Complex(n) : expm1(w * n) / expm1(w); }

/// sum of y and of y exp(w k), in four interleaved strands that do not wait for one another
std::pair<double, Complex> projections(std::span<const double> y, const Complex& w) {
  constexpr std::size_t strands = 4;
  std::array<double, strands> sum{}, real{}, imag{}, c{}, s{};
  for (std::size_t l = 0; l < strands; ++l) {
    const Complex turn = std::exp(w * static_cast<double>(l));
    c[l] = turn.real();
    s[l] = turn.imag();
  }
  const Complex step = std::exp(w * static_cast<double>(strands));  // one period of products loses no digits
  const double step_c = step.real(), step_s = step.imag();
  std::size_t i = 0;
  for (; i + strands <= y.size(); i += strands)
    for (std::size_t l = 0; l < strands; ++l) {
      const double value = y[i + l], turned = c[l] * step_c - s[l] * step_s;
      sum[l] += value;
      real[l] += value * c[l];
      imag[l] += value * s[l];
      s[l] = c[l] * step_s + s[l] * step_c;
      c[l] = turned;
    }
  for (std::size_t l = 0; i < y.size(); ++i, ++l) {
    sum[l] += y[i];
    real[l] += y[i] * c[l];
    imag[l] += y[i] * s[l];
  }
  return {sum[0] + sum[1] + sum[2] + sum[3],
          {real[0] + real[1] + real[2] + real[3], imag[0] + imag[1] + imag[2] + imag[3]}};
}

/// (1) by linear least squares for given w and a; the peak it describes.
Peak fit_peak(std::span<const double> y, std::size_t first, std::size_t last, std::size_t centre, double dt,
              double omega, double decay) {
  const double samples_per_period = 2 * pi / (omega * dt);
  const auto half = static_cast<std::size_t>(std::max(4.0, std::round(0.5 * samples_per_period)));
  // The window slides inwards at the ends, so that it always spans a period.
  std::size_t lower = centre > first + half ? centre - half : first;
  const std::size_t upper = std::min(last, lower + 2 * half);
  lower = upper > first + 2 * half ? upper - 2 * half : first;

  // Rows (1, Re z_k, Im z_k) with z_k = z_0 exp(w k): the sums of their products are geometric.
  const Complex w = Complex(-decay, omega) * dt;
  const Complex z_0 = std::exp(w * (static_cast<double>(lower) - static_cast<double>(centre)));
  const double n = static_cast<double>(upper - lower + 1);
  const Complex linear = z_0 * geometric_sum(w, n), square = z_0 * z_0 * geometric_sum(2.0 * w, n);
  const double modulus = std::norm(z_0) * geometric_sum(2 * w.real(), n).real();
  const auto [sum, turned] = projections(y.subspan(lower, upper - lower + 1), w);
  const Complex product = z_0 * turned;
  Eigen::Matrix3d normal;
  normal << n, linear.real(), linear.imag(),                                //
      linear.real(), 0.5 * (modulus + square.real()), 0.5 * square.imag(),  //
      linear.imag(), 0.5 * square.imag(), 0.5 * (modulus - square.real());
  const Eigen::Vector3d x = normal.ldlt().solve(Eigen::Vector3d(sum, product.real(), product.imag()));
  const double phase = std::atan2(-x(2), x(1));  // of a cos(w tau + phase)
  const double nearest = pi * std::round(phase / pi), tau = (nearest - phase) / omega;
  return {static_cast<double>(centre) * dt + tau, std::log(std::hypot(x(1), x(2))) - decay * tau, 0};
}

}  // namespace

PffDecay::PffDecay(std::span<const double> y, double sampling_rate_hz, double frequency_hz, double start, double end,
                   double start_time) {
  const double dt = 1 / positive("sampling rate", sampling_rate_hz),
               omega = 2 * pi * positive("frequency", frequency_hz);
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(start / dt - 1e-9)));
  const auto last = std::min(y.size() - 1, static_cast<std::size_t>(std::max(0.0, std::floor(end / dt + 1e-9))));
  const auto indices = last > first ? extrema(y, first, last, 0.5 / (frequency_hz * dt)) : std::vector<std::size_t>{};
  if (indices.size() < 6)
    throw InvalidInput(
        fmt::format("peak fitting found {} extrema between {} and {} s, expected at least 6: method hilbert needs none",
                    indices.size(), time_text(start + start_time), time_text(end + start_time)));

  for (; passes_ < 10 && change_ > 1e-7; ++passes_) {  // frequency and decay for (1) from the pass before
    const auto rates = passes_ == 0 ? std::vector<Complex>(indices.size(), Complex(0, omega)) : peak_rates();
    std::vector<Peak> found;
    for (std::size_t k = 0; k < indices.size(); ++k)
      found.push_back(fit_peak(y, first, last, indices[k], dt, rates[k].imag(), -rates[k].real()));
    for (std::size_t k = 1; k < found.size(); ++k) {
      const double half_cycles = (found[k].time - found[k - 1].time) * omega / pi;
      found[k].phase = found[k - 1].phase + pi * std::max(1.0, std::round(half_cycles));
    }
    change_ = passes_ == 0 ? 1 : 0;
    for (std::size_t k = 0; passes_ > 0 && k < found.size(); ++k)
      change_ = std::max({change_, std::abs(found[k].time - peaks_[k].time) * omega,
                          std::abs(found[k].log_amplitude - peaks_[k].log_amplitude)});
    peaks_ = std::move(found);
  }
  if (change_ <= 1e-5) outcome_ = Outcome::converged;
}

std::size_t PffDecay::half_width(std::size_t peak) const {
  // Joints settle as a decay goes on, and noise gains: the parabola widens with the peaks passed.
  return std::clamp<std::size_t>(5 + peak / 6, 5, std::max<std::size_t>(5, peaks_.size() / 8));
}

std::vector<Complex> PffDecay::peak_rates() const {
  // Parabolas at an eighth of their half-width from one another, straight lines between: else long decays cost n^2.
  std::vector<Complex> rates(peaks_.size());
  std::size_t before = 0;
  rates[0] = at(peaks_[0].time).rate;
  while (before + 1 < peaks_.size()) {
    const std::size_t next = std::min(peaks_.size() - 1, before + std::max<std::size_t>(1, half_width(before) / 8));
    rates[next] = at(peaks_[next].time).rate;
    for (std::size_t k = before + 1; k < next; ++k)
      rates[k] = rates[before] +
                 (rates[next] - rates[before]) * (static_cast<double>(k - before) / static_cast<double>(next - before));
    before = next;
  }
  return rates;
}

PffDecay::Window PffDecay::window(double t) const {
  const std::size_t n = peaks_.size();
  const auto after =
      std::lower_bound(peaks_.begin(), peaks_.end(), t, [](const Peak& p, double x) { return p.time < x; });
  const auto nearest = static_cast<std::size_t>(after - peaks_.begin());
  const std::size_t half = half_width(nearest), width = std::min(n, 2 * half + 1);
  const std::size_t first = std::min(n - width, nearest > half ? nearest - half : 0);
  return {first, width,
          1.001 * std::max(std::abs(peaks_[first].time - t), std::abs(peaks_[first + width - 1].time - t))};
}

LogDecay PffDecay::at(double t) const {
  const auto [first, width, reach] = window(t);
  std::array<double, 5> moments{};  // sums of w x^k
  Eigen::Matrix<double, 3, 2> right = Eigen::Matrix<double, 3, 2>::Zero();
  const double phase_0 = peaks_[first].phase;
  for (std::size_t k = first; k < first + width; ++k) {
    const double x = (peaks_[k].time - t) / reach, cube = 1 - std::abs(x * x * x), w = cube * cube * cube;
    const double wx = w * x, wxx = wx * x, a = peaks_[k].log_amplitude, phase = peaks_[k].phase - phase_0;
    moments[0] += w;
    moments[1] += wx;
    moments[2] += wxx;
    moments[3] += wxx * x;
    moments[4] += wxx * x * x;
    right(0, 0) += w * a;
    right(1, 0) += wx * a;
    right(2, 0) += wxx * a;
    right(0, 1) += w * phase;
    right(1, 1) += wx * phase;
    right(2, 1) += wxx * phase;
  }
  Eigen::Matrix3d normal;
  normal << moments[0], moments[1], moments[2],  //
      moments[1], moments[2], moments[3],        //
      moments[2], moments[3], moments[4];
  const Eigen::Matrix<double, 3, 2> c = normal.ldlt().solve(right);
  return {{c(0, 0), c(0, 1) + phase_0},
          {c(1, 0) / reach, c(1, 1) / reach},
          {2 * c(2, 0) / (reach * reach), 2 * c(2, 1) / (reach * reach)}};
}

PffDecay::Local PffDecay::local(double t, int degree) const {
  const auto [first, width, reach] = window(t);
  const auto n = static_cast<Eigen::Index>(width);
  Local fit{Eigen::VectorXd(n), Eigen::VectorXd(n), {}, {}, {}};
  Eigen::MatrixXd X(n, degree + 1);
  Eigen::MatrixX2d y(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Peak& p = peaks_[first + static_cast<std::size_t>(i)];
    const double x = (p.time - t) / reach, cube = 1 - std::abs(x * x * x);
    fit.weight(i) = cube * cube * cube;
    fit.amplitude(i) = std::exp(p.log_amplitude);
    for (int k = 0; k <= degree; ++k) X(i, k) = std::pow(x, k);
    y.row(i) << p.log_amplitude, p.phase - peaks_[first].phase;
  }
  const Eigen::MatrixXd weighted = (fit.weight.asDiagonal() * X).transpose();
  const Eigen::MatrixXd solution = (weighted * X).ldlt().solve(weighted);
  fit.residual = y - X * (solution * y);
  fit.slope = solution.row(1) / reach;
  fit.rate = fit.slope.transpose() * y;
  return fit;
}

std::vector<RateDeviation> PffDecay::rate_deviations(std::span<const double> times, double resolution) const {
  // Peaks closer than the band resolves repeat each other's noise.
  const double spacing = (end() - start()) / static_cast<double>(peaks_.size() - 1);
  const double repeats = std::max(1.0, resolution / spacing);
  // Noise of the signal from the wider parabolas, as the narrow ones of the start follow most of it; their median, as
  // the filter distorts the ends.
  std::vector<double> powers[2];
  const std::size_t widest = half_width(peaks_.size() - 1);
  for (std::size_t k = 0; k < peaks_.size(); k += std::max<std::size_t>(1, half_width(k) / 4)) {
    if (2 * half_width(k) < widest) continue;
    const Local fit = local(peaks_[k].time, 2);
    const double independent = fit.weight.sum() / repeats, freedom = std::max(independent - 3, 0.25 * independent);
    const Eigen::VectorXd squares = fit.weight.cwiseProduct(fit.amplitude.cwiseAbs2()) / (repeats * freedom);
    for (const int part : {0, 1}) powers[part].push_back(squares.dot(fit.residual.col(part).cwiseAbs2()));
  }
  const Eigen::RowVector2d power(median(powers[0]), median(powers[1]));
  std::vector<RateDeviation> deviations;
  for (const double t : times) {
    const Local fit = local(t, 2);
    const Eigen::RowVector2d noise =
        (repeats * fit.slope.cwiseQuotient(fit.amplitude).squaredNorm() * power).cwiseSqrt();
    Eigen::RowVector2d squares = Eigen::RowVector2d::Zero();
    const double aside = 0.5 * window(t).reach;
    for (const double near : {t - aside, t, t + aside}) {  // the mean of three does not vanish where one does
      const double at = std::clamp(near, start(), end());
      squares += (local(at, 3).rate - local(at, 2).rate).cwiseAbs2() / 3;
    }
    deviations.push_back({{noise(0), noise(1)}, {noise(0), noise(1)}, {std::sqrt(squares(0)), std::sqrt(squares(1))}});
  }
  return deviations;
}

}  // namespace microslip::signal
