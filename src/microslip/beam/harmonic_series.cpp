#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/QR>

#include <microslip/beam/harmonic_series.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

}  // namespace

double HarmonicSeries::amplitude(std::size_t m) const { return std::hypot(sine.at(m - 1), cosine.at(m - 1)); }

double HarmonicSeries::at(double time) const {
  double sum = mean;
  for (std::size_t m = 1; m <= sine.size(); ++m) {
    const double angle = two_pi * frequency_hz * static_cast<double>(m) * time;
    sum += sine[m - 1] * std::sin(angle) + cosine[m - 1] * std::cos(angle);
  }
  return sum;
}

HarmonicSeries fit_harmonic_series(const std::vector<double>& samples, double sampling_rate_hz, double frequency_hz,
                                   int n_harmonics) {
  positive("sampling_rate_hz", sampling_rate_hz);
  positive("frequency_hz", frequency_hz);
  if (n_harmonics < 1) throw InvalidInput(fmt::format("n_harmonics must be >= 1, got {}", n_harmonics));
  if (frequency_hz * n_harmonics >= sampling_rate_hz / 2)
    throw InvalidInput(fmt::format("harmonic {} of {} Hz lies at or above half the sampling rate, {} Hz", n_harmonics,
                                   frequency_hz, sampling_rate_hz / 2));
  const auto n = static_cast<Eigen::Index>(samples.size());
  const double periods = static_cast<double>(n) * frequency_hz / sampling_rate_hz;
  if (periods < 1)
    throw InvalidInput(
        fmt::format("the record holds {} periods of {} Hz, at least 1 is needed", periods, frequency_hz));
  Eigen::MatrixXd basis(n, 2 * n_harmonics + 1);
  Eigen::VectorXd right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    right[i] = finite("sample", samples[static_cast<std::size_t>(i)]);
    basis(i, 0) = 1;
    for (int m = 1; m <= n_harmonics; ++m) {
      const double angle = two_pi * m * frequency_hz * static_cast<double>(i) / sampling_rate_hz;
      basis(i, 2 * m - 1) = std::sin(angle);
      basis(i, 2 * m) = std::cos(angle);
    }
  }
  const Eigen::VectorXd c = basis.colPivHouseholderQr().solve(right);
  HarmonicSeries series{.frequency_hz = frequency_hz, .mean = c[0], .sine = {}, .cosine = {}, .residual = 0};
  for (int m = 1; m <= n_harmonics; ++m) {
    series.sine.push_back(c[2 * m - 1]);
    series.cosine.push_back(c[2 * m]);
  }
  series.residual = (basis * c - right).norm() / std::sqrt(static_cast<double>(n));
  return series;
}

HarmonicSeries integrated_twice(const HarmonicSeries& acceleration) {
  HarmonicSeries w = acceleration;
  w.mean = 0;
  w.residual = 0;
  for (std::size_t i = 0; i < w.sine.size(); ++i) {
    const double omega = two_pi * w.frequency_hz * static_cast<double>(i + 1);
    w.sine[i] /= -omega * omega;
    w.cosine[i] /= -omega * omega;
  }
  return w;
}

LoopCurve loop_of(const HarmonicSeries& force, const HarmonicSeries& displacement, int n) {
  if (force.frequency_hz != displacement.frequency_hz)
    throw InvalidInput(fmt::format("force ({} Hz) and displacement ({} Hz) must share their frequency",
                                   force.frequency_hz, displacement.frequency_hz));
  if (n < 3) throw InvalidInput(fmt::format("a loop needs at least 3 points, got {}", n));
  LoopCurve loop;
  for (int i = 0; i <= n; ++i) {
    const double time = i / (n * force.frequency_hz);
    loop.force.push_back(force.at(time));
    loop.displacement.push_back(displacement.at(time));
  }
  for (std::size_t i = 0; i < std::min(force.sine.size(), displacement.sine.size()); ++i)
    loop.dissipation += std::numbers::pi * static_cast<double>(i + 1) *
                        (force.cosine[i] * displacement.sine[i] - force.sine[i] * displacement.cosine[i]);
  return loop;
}

}  // namespace microslip::beam
