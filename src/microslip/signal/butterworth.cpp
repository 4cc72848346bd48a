#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/signal/butterworth.hpp>

namespace microslip::signal {

namespace {

constexpr double pi = std::numbers::pi;
using C = std::complex<double>;

struct Memory {
  double s1 = 0, s2 = 0;  // transposed direct form II
};

/// The memory of each section in the steady state of a constant input 1.
std::vector<Memory> steady_state(const std::vector<Section>& sections) {
  std::vector<Memory> memory;
  double level = 1;
  for (const Section& s : sections) {
    const double gain = (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2);
    // y = b0 x + s1, s1 = b1 x - a1 y + s2, s2 = b2 x - a2 y with x and y constant
    const double s2 = (s.b2 - s.a2 * gain) * level;
    memory.push_back({(s.b1 - s.a1 * gain) * level + s2, s2});
    level *= gain;
  }
  return memory;
}

void run(const std::vector<Section>& sections, std::vector<Memory> memory, std::span<double> x) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto [b0, b1, b2, a1, a2] = sections[i];
    auto [s1, s2] = memory[i];
    for (double& value : x) {
      const double y = b0 * value + s1;
      s1 = b1 * value - a1 * y + s2;
      s2 = b2 * value - a2 * y;
      value = y;
    }
  }
}

std::vector<Memory> scaled(std::vector<Memory> memory, double factor) {
  for (Memory& m : memory) m = {m.s1 * factor, m.s2 * factor};
  return memory;
}

}  // namespace

int checked_order(int order) {
  if (order < 1 || order > 20) throw InvalidInput(fmt::format("filter order must lie in [1, 20], got {}", order));
  return order;
}

Butterworth::Butterworth(const Band& band, double sampling_rate_hz, int order)
    : band_(band), sampling_rate_hz_(positive("sampling rate", sampling_rate_hz)), order_(order) {
  if (!(band.lower_hz > 0 && band.upper_hz > band.lower_hz && band.upper_hz < sampling_rate_hz / 2))
    throw InvalidInput(fmt::format("band {} to {} Hz: expected 0 < lower < upper < {} Hz, half the sampling rate",
                                   band.lower_hz, band.upper_hz, sampling_rate_hz / 2));
  checked_order(order);

  // Bilinear transform z = (1 + s)/(1 - s), W = tan(pi f / fs). Low-pass prototype poles p on the unit circle become
  // the band-pass pairs s = p B/2 +- sqrt((p B/2)^2 - W0^2).
  const double w1 = std::tan(pi * band.lower_hz / sampling_rate_hz);
  const double w2 = std::tan(pi * band.upper_hz / sampling_rate_hz);
  const double B = w2 - w1, w0_squared = w1 * w2;
  std::vector<C> analog;
  for (int k = 0; k < order; ++k) {
    const C p = std::polar(1.0, pi * (2 * k + order + 1) / (2.0 * order));
    if (p.imag() < -1e-9) continue;  // its conjugate makes the conjugate sections
    const C half = 0.5 * B * p, root = std::sqrt(half * half - w0_squared);
    const C first = (half * std::conj(root)).real() < 0 ? half - root : half + root;  // the larger of the pair
    // A real prototype pole gives one conjugate pair, or two real poles: one section either way.
    if (std::abs(p.imag()) <= 1e-9) {
      if (std::abs(root.imag()) > std::abs(root.real())) {
        analog.push_back(first);
      } else {
        const double far = half.real() - std::abs(root.real()), near = w0_squared / far;  // no cancellation
        const C z1 = (1 + far) / (1 - far), z2 = (1 + near) / (1 - near);
        poles_.push_back(z1);
        poles_.push_back(z2);
        sections_.push_back({1, 0, -1, -(z1 + z2).real(), (z1 * z2).real()});
      }
      continue;
    }
    analog.push_back(first);
    analog.push_back(w0_squared / first);  // the product of the pair is W0^2: no cancellation
  }
  for (const C& s : analog) {
    const C z = (1.0 + s) / (1.0 - s);
    poles_.push_back(z);
    poles_.push_back(std::conj(z));
    sections_.push_back({1, 0, -1, -2 * z.real(), std::norm(z)});
  }
  // Each section has a zero at 0 Hz and one at half the sampling rate. Scale each to gain 1 at the centre, where |H|
  // = 1.
  const double centre = 2 * std::atan(std::sqrt(w0_squared));
  const C z_inverse = std::polar(1.0, -centre);
  for (Section& s : sections_) {
    const C h = (s.b0 + z_inverse * (s.b1 + z_inverse * s.b2)) / (1.0 + z_inverse * (s.a1 + z_inverse * s.a2));
    const double gain = 1 / std::abs(h);
    s.b0 *= gain;
    s.b2 *= gain;
  }
}

double Butterworth::zero_phase_gain(double frequency_hz) const {
  if (frequency_hz <= 0 || frequency_hz >= sampling_rate_hz_ / 2) return 0;
  const double w1 = std::tan(pi * band_.lower_hz / sampling_rate_hz_);
  const double w2 = std::tan(pi * band_.upper_hz / sampling_rate_hz_);
  const double w = std::tan(pi * frequency_hz / sampling_rate_hz_);
  const double q = (w * w - w1 * w2) / (w * (w2 - w1));
  return 1 / (1 + std::pow(q * q, order_));
}

Band Butterworth::support(double gain) const {
  const double w1 = std::tan(pi * band_.lower_hz / sampling_rate_hz_);
  const double w2 = std::tan(pi * band_.upper_hz / sampling_rate_hz_);
  const double q = std::pow(1 / gain - 1, 0.5 / order_);
  // w^2 -+ q B w - W0^2 = 0
  const double b = 0.5 * q * (w2 - w1), root = std::sqrt(b * b + w1 * w2);
  const double upper = b + root, lower = w1 * w2 / upper;
  return {std::atan(lower) * sampling_rate_hz_ / pi, std::atan(upper) * sampling_rate_hz_ / pi};
}

std::size_t Butterworth::settling_samples(double fraction) const {
  double radius = 0;
  for (const C& p : poles_) radius = std::max(radius, std::abs(p));
  return static_cast<std::size_t>(std::ceil(std::log(fraction) / std::log(radius)));
}

std::vector<double> Butterworth::filter(std::span<const double> x) const {
  std::vector<double> y(x.begin(), x.end());
  run(sections_, std::vector<Memory>(sections_.size()), y);
  return y;
}

std::vector<double> Butterworth::zero_phase(std::span<const double> x) const {
  const std::size_t wanted = 3 * settling_samples(std::exp(-1.0));
  return zero_phase(x, x.empty() ? 0 : std::min(wanted, x.size() - 1));
}

std::vector<double> Butterworth::zero_phase(std::span<const double> x, std::size_t padding) const {
  if (x.size() <= padding)
    throw InvalidInput(fmt::format("a zero-phase filter with {} samples of padding needs more than {} samples, got {}",
                                   padding, padding, x.size()));
  const std::size_t n = x.size();
  std::vector<double> y(n + 2 * padding);
  for (std::size_t i = 0; i < padding; ++i) {
    y[i] = 2 * x[0] - x[padding - i];
    y[padding + n + i] = 2 * x[n - 1] - x[n - 2 - i];
  }
  std::copy(x.begin(), x.end(), y.begin() + static_cast<std::ptrdiff_t>(padding));
  const auto rest = steady_state(sections_);
  for (int pass = 0; pass < 2; ++pass) {
    run(sections_, scaled(rest, y.front()), y);
    std::reverse(y.begin(), y.end());
  }
  return {y.begin() + static_cast<std::ptrdiff_t>(padding), y.begin() + static_cast<std::ptrdiff_t>(padding + n)};
}

}  // namespace microslip::signal
