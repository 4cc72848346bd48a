#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
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

/// (1) by linear least squares for given w and a; the peak it describes.
Peak fit_peak(std::span<const double> y, std::size_t first, std::size_t last, std::size_t centre, double dt,
              double omega, double decay) {
  const double samples_per_period = 2 * pi / (omega * dt);
  const auto half = static_cast<std::size_t>(std::max(4.0, std::round(0.5 * samples_per_period)));
  // The window slides inwards at the ends, so that it always spans a period.
  std::size_t lower = centre > first + half ? centre - half : first;
  const std::size_t upper = std::min(last, lower + 2 * half);
  lower = upper > first + 2 * half ? upper - 2 * half : first;

  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  Complex turn = std::exp(Complex(-decay, omega) * (static_cast<double>(lower) - static_cast<double>(centre)) * dt);
  const Complex step = std::exp(Complex(-decay, omega) * dt);  // one period of products loses no digits
  for (std::size_t i = lower; i <= upper; ++i, turn *= step) {
    const Eigen::Vector3d row(1, turn.real(), turn.imag());
    normal += row * row.transpose();
    right += y[i] * row;
  }
  const Eigen::Vector3d x = normal.ldlt().solve(right);
  const double phase = std::atan2(-x(2), x(1));  // of a cos(w tau + phase)
  const double nearest = pi * std::round(phase / pi), tau = (nearest - phase) / omega;
  return {static_cast<double>(centre) * dt + tau, std::log(std::hypot(x(1), x(2))) - decay * tau, 0};
}

}  // namespace

PffDecay::PffDecay(std::span<const double> y, double sampling_rate_hz, double frequency_hz, double start, double end) {
  const double dt = 1 / positive("sampling rate", sampling_rate_hz),
               omega = 2 * pi * positive("frequency", frequency_hz);
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(start / dt - 1e-9)));
  const auto last = std::min(y.size() - 1, static_cast<std::size_t>(std::max(0.0, std::floor(end / dt + 1e-9))));
  const auto indices = last > first ? extrema(y, first, last, 0.5 / (frequency_hz * dt)) : std::vector<std::size_t>{};
  if (indices.size() < 6)
    throw InvalidInput(fmt::format("peak fitting found {} extrema between {:.4g} and {:.4g} s, expected at least 6",
                                   indices.size(), start, end));

  double change = 1;
  for (int pass = 0; pass < 10 && change > 1e-7; ++pass) {  // frequency and decay for (1) from the pass before
    const auto rates = pass == 0 ? std::vector<Complex>(indices.size(), Complex(0, omega)) : peak_rates();
    std::vector<Peak> found;
    for (std::size_t k = 0; k < indices.size(); ++k)
      found.push_back(fit_peak(y, first, last, indices[k], dt, rates[k].imag(), -rates[k].real()));
    for (std::size_t k = 1; k < found.size(); ++k) {
      const double half_cycles = (found[k].time - found[k - 1].time) * omega / pi;
      found[k].phase = found[k - 1].phase + pi * std::max(1.0, std::round(half_cycles));
    }
    change = pass == 0 ? 1 : 0;
    for (std::size_t k = 0; pass > 0 && k < found.size(); ++k)
      change = std::max({change, std::abs(found[k].time - peaks_[k].time) * omega,
                         std::abs(found[k].log_amplitude - peaks_[k].log_amplitude)});
    peaks_ = std::move(found);
  }
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

LogDecay PffDecay::at(double t) const {
  const std::size_t n = peaks_.size();
  const auto after =
      std::lower_bound(peaks_.begin(), peaks_.end(), t, [](const Peak& p, double x) { return p.time < x; });
  const auto nearest = static_cast<std::size_t>(after - peaks_.begin());
  const std::size_t half = half_width(nearest), width = std::min(n, 2 * half + 1);
  const std::size_t first = std::min(n - width, nearest > half ? nearest - half : 0);

  const double reach = 1.001 * std::max(std::abs(peaks_[first].time - t), std::abs(peaks_[first + width - 1].time - t));
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Matrix<double, 3, 2> right = Eigen::Matrix<double, 3, 2>::Zero();
  const double phase_0 = peaks_[first].phase;
  for (std::size_t k = first; k < first + width; ++k) {
    const double x = (peaks_[k].time - t) / reach, cube = 1 - std::abs(x * x * x), w = cube * cube * cube;
    const Eigen::Vector3d row(1, x, x * x);
    normal += w * row * row.transpose();
    right += w * row * Eigen::RowVector2d(peaks_[k].log_amplitude, peaks_[k].phase - phase_0);
  }
  const Eigen::Matrix<double, 3, 2> c = normal.ldlt().solve(right);
  return {{c(0, 0), c(0, 1) + phase_0},
          {c(1, 0) / reach, c(1, 1) / reach},
          {2 * c(2, 0) / (reach * reach), 2 * c(2, 1) / (reach * reach)}};
}

}  // namespace microslip::signal
