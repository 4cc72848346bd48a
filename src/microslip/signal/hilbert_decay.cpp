#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/signal/hilbert_decay.hpp>

namespace microslip::signal {

namespace {

/// Every stride-th value from first to last, inclusive.
struct Range {
  std::size_t first, last, stride;

  [[nodiscard]] std::size_t size() const { return last < first ? 0 : (last - first) / stride + 1; }
  [[nodiscard]] std::size_t operator[](std::size_t i) const { return first + i * stride; }
};

/// The values of the band between two times, four or so per resolved interval: more would only repeat each other.
Range range_of(const BandSignal& band, double start, double end, double resolution) {
  const double n = static_cast<double>(band.values.size());
  const auto first = static_cast<std::size_t>(std::clamp(std::ceil(start / band.step - 1e-9), 0.0, n - 1));
  const auto last = static_cast<std::size_t>(std::clamp(std::floor(end / band.step + 1e-9), 0.0, n - 1));
  // Few values are all taken: what they repeat costs nothing.
  const auto fine = static_cast<std::size_t>(std::max(1.0, resolution / (4 * band.step)));
  return {first, last, std::min(fine, std::max<std::size_t>(1, last > first ? (last - first) / 200 : 1))};
}

/// Weights of ln V, 1/variance up to a factor: noise, the other modes' onset, and a floor of 0.3 % for what no
/// polynomial follows.
std::vector<double> weights(const BandSignal& band, const Range& r, const DecayWindow& window,
                            const HilbertSettings& settings) {
  constexpr double floor = 3e-3;
  std::vector<double> w;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double a = modulus(band.values[r[i]]);
    const double x = settings.transient_rate * std::max(0.0, band.time(r[i]) - window.onset);
    const double noise = window.noise / a, onset = settings.transient * (1 + x) * std::exp(-x) / a;
    w.push_back(floor * floor / (floor * floor + noise * noise + onset * onset));
  }
  return w;
}

/// (1): P + ln(V / V_model). Without a model: ln V, its phase with the carrier put back.
LogSamples log_samples(const BandSignal& band, const Range& r, const BandSignal* model, const SmoothDecay* smooth) {
  std::vector<Complex> ratio(band.values.begin() + static_cast<std::ptrdiff_t>(r.first),
                             band.values.begin() + static_cast<std::ptrdiff_t>(r.last) + 1);
  if (model)
    for (std::size_t i = 0; i < ratio.size(); ++i) {
      const Complex m = model->values[r.first + i];
      ratio[i] *= std::conj(m) / std::norm(m);
    }
  const auto phase = unwrapped(ratio, r.stride);
  LogSamples s;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double t = band.time(r[i]);
    const Complex p = smooth ? smooth->value(t) : Complex(0, band.carrier * t);
    s.time.push_back(t);
    s.log_amplitude.push_back(p.real() + 0.5 * std::log(std::norm(ratio[i * r.stride])));
    s.phase.push_back(p.imag() + phase[i]);
  }
  return s;
}

/// The record with the decay inside the window replaced by the smooth one.
std::vector<double> replaced(std::span<const double> samples, double sampling_rate_hz, const SmoothDecay& smooth,
                             const DecayWindow& window) {
  std::vector<double> x(samples.begin(), samples.end());
  const auto first = static_cast<std::size_t>(std::ceil(window.onset * sampling_rate_hz - 1e-9));
  const auto last = std::min(x.size(), static_cast<std::size_t>(std::floor(window.end * sampling_rate_hz + 1e-9)) + 1);
  // exp(P) by its parabola over short blocks, whose values follow each other by products.
  constexpr std::size_t block = 16;
  const double dt = 1 / sampling_rate_hz;
  for (std::size_t i = first; i < last; i += block) {
    const double middle = static_cast<double>(i) + 0.5 * (block - 1);
    const LogDecay p = smooth.at(middle * dt);
    const double back = -0.5 * (block - 1) * dt;
    Complex value = std::exp(p.value + p.rate * back + 0.5 * p.change * (back * back));
    Complex step = std::exp(p.rate * dt + p.change * (back * dt + 0.5 * dt * dt));
    const Complex growth = std::exp(p.change * (dt * dt));
    for (std::size_t k = i; k < std::min(last, i + block); ++k) {
      x[k] = value.real();
      value *= step;
      step *= growth;
    }
  }
  return x;
}

double ratio_of(const LogDecay& p) { return -p.rate.real() / std::abs(p.rate); }

}  // namespace

HilbertDecay hilbert_decay(const BandSignal& measured, std::span<const double> samples, double sampling_rate_hz,
                           const BandExtractor& extractor, std::size_t band, const DecayWindow& window,
                           const HilbertSettings& settings) {
  HilbertDecay d;
  d.start = window.onset + 0.75 * settings.resolution;
  d.end = window.end - 0.75 * settings.resolution;
  const double resolved = (d.end - d.start) / settings.resolution;  // independent values of the band
  const Range r = range_of(measured, d.start, d.end, settings.resolution);
  if (resolved < 4 || r.size() < 8)
    throw InvalidInput(
        fmt::format("between {:.6g} and {:.6g} s the filter resolves {:.1f} intervals of {:.3g} s, expected "
                    "at least 4: widen the band or record longer",
                    window.onset + settings.start_time, window.end + settings.start_time, std::max(0.0, resolved),
                    settings.resolution));

  const auto variance_weights = weights(measured, r, window, settings);
  const double independent = std::min(1.0, measured.step * static_cast<double>(r.stride) / settings.resolution);
  const auto prepared = [&](LogSamples s) {
    s.weight = variance_weights;
    s.independent = independent;
    return s;
  };
  // The first guess is a linear decay weighted by power: the strong part is right even where the ends are not.
  const LogSamples raw = prepared(log_samples(measured, r, nullptr, nullptr));
  LogSamples powered = raw;
  for (std::size_t i = 0; i < powered.weight.size(); ++i)
    powered.weight[i] *= std::exp(2 * (raw.log_amplitude[i] - raw.log_amplitude[0]));
  d.smooth = fit_decay(powered, {raw.time.front(), raw.time.back(), 0}, 1, 1);

  SmoothChoice choice = settings.smoothing;
  choice.highest_degree = std::clamp(static_cast<int>(resolved / 4), 1, choice.highest_degree);
  LogSamples& s = d.samples;
  while (d.iterations < settings.iterations) {
    ++d.iterations;
    d.modelled = extractor(replaced(samples, sampling_rate_hz, d.smooth, window), band);
    s = prepared(log_samples(measured, r, &d.modelled, &d.smooth));
    const SmoothDecay before = d.smooth;
    // Twice with low degrees, so that end effects are gone before cross-validation could take them for signal.
    if (d.iterations <= 2) {
      const int low = std::min(2, choice.highest_degree);
      d.smooth = fit_decay(s, before.scale(), low, low);
    } else if (d.iterations <= 4) {
      d.smooth = smooth_decay(s, choice);
    } else {
      d.smooth = fit_decay(s, before.scale(), before.amplitude_degree(), before.phase_degree());
    }
    d.correction = 0;
    for (const double t : s.time) {
      const Complex was = before.rate(t);
      d.correction = std::max(d.correction, modulus(d.smooth.rate(t) - was) / modulus(was));
    }
    if (d.iterations >= 4 && d.correction < 1e-6) {
      d.outcome = Outcome::converged;
      break;
    }
  }

  double squares = 0, sum = 0;
  for (std::size_t i = 0; i < s.time.size(); ++i) {
    const Complex p = d.smooth.value(s.time[i]);
    squares += std::norm(Complex(s.log_amplitude[i], s.phase[i]) - p) * s.weight[i];
    sum += s.weight[i];
  }
  d.scatter = std::sqrt(squares / sum);

  const SmoothDecay uncorrected =
      fit_decay(raw, d.smooth.scale(), d.smooth.amplitude_degree(), d.smooth.phase_degree());
  for (const double t : s.time)
    d.damping_bias = std::max(d.damping_bias, std::abs(ratio_of(uncorrected.at(t)) - ratio_of(d.smooth.at(t))));
  return d;
}

SmoothDecay channel_decay(const HilbertDecay& reference, const BandSignal& channel, const DecayWindow& window,
                          const HilbertSettings& settings) {
  const Range r = range_of(channel, reference.start, reference.end, settings.resolution);
  LogSamples s = log_samples(channel, r, &reference.modelled, &reference.smooth);
  s.weight = weights(channel, r, window, settings);
  s.independent = std::min(1.0, channel.step * static_cast<double>(r.stride) / settings.resolution);
  return fit_decay(s, reference.smooth.scale(), reference.smooth.amplitude_degree(), reference.smooth.phase_degree());
}

}  // namespace microslip::signal
