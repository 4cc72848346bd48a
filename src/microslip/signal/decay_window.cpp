#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/core/text.hpp>
#include <microslip/signal/decay_window.hpp>
#include <microslip/signal/moving_mean.hpp>

namespace microslip::signal {

namespace {

/// Mean of |V| over `width` values about each.
std::vector<double> envelope(const std::vector<Complex>& values, std::size_t width) {
  std::vector<double> size(values.size());
  std::transform(values.begin(), values.end(), size.begin(), [](const Complex& value) { return modulus(value); });
  return moving_mean(size, width / 2);
}

/// The first sample near `time` that exceeds 5 % of the largest there.
double raw_onset(std::span<const double> x, double sampling_rate_hz, double time, double reach) {
  const auto index = [&](double t) {
    return static_cast<std::size_t>(std::clamp(t * sampling_rate_hz, 0.0, static_cast<double>(x.size() - 1)));
  };
  const std::size_t lower = index(time - reach), upper = index(time + reach);
  double largest = 0;
  for (std::size_t i = lower; i <= upper; ++i) largest = std::max(largest, std::abs(x[i]));
  for (std::size_t i = lower; i <= upper; ++i)
    if (std::abs(x[i]) > 0.05 * largest) return static_cast<double>(i) / sampling_rate_hz;
  return time;
}

/// A steady level in the band before the hit, as the amplitude of a noise: a tone there is none to `noise_amplitude`.
/// 0 where the stretch is short or the level is not the same throughout: an earlier decay goes on falling after the
/// hit, and what the filter, which runs backwards too, brings of the hit rises towards it.
double steady_level_before(const BandSignal& band, double onset, double resolution) {
  std::vector<double> size;
  for (std::size_t i = 0; i < band.values.size() && band.time(i) < onset - 10 * resolution; ++i)
    size.push_back(modulus(band.values[i]));
  if (static_cast<double>(size.size()) * band.step < 6 * resolution) return 0;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    const auto at = [&](std::size_t k) { return size.begin() + static_cast<std::ptrdiff_t>(k * size.size() / 3); };
    const double middle = median({at(part), at(part + 1)});
    low = std::min(low, middle), high = std::max(high, middle);
  }
  return high <= 1.2 * low ? 0.5 * (low + high) / std::sqrt(std::log(2.0)) : 0;
}

}  // namespace

double noise_amplitude(std::span<const Complex> values, std::size_t lag) {
  const std::size_t n = values.size();
  lag = std::max<std::size_t>(lag, 1);
  if (n < 2 * lag + 4) return 0;
  const std::size_t first = n - 2 * lag > 12 * lag ? (n - 2 * lag) * 2 / 3 : 0;
  // |m - s|^2 for s = sqrt(a b), of the two roots the nearer: |m - s|^2 + |m + s|^2 = 2 (|m|^2 + |a b|), and their
  // product is |m^2 - a b|^2.
  std::vector<double> scatter;
  scatter.reserve(n - first - 2 * lag);
  for (std::size_t i = first; i + 2 * lag < n; ++i) {
    const Complex m = values[i + lag], ab = values[i] * values[i + 2 * lag];
    const double product = std::norm(m * m - ab), half_sum = std::norm(m) + modulus(ab);
    const double root = half_sum + std::sqrt(std::max(0.0, half_sum * half_sum - product));
    scatter.push_back(root > 0 ? product / root : 0);
  }
  const auto median = scatter.begin() + static_cast<std::ptrdiff_t>(scatter.size() / 2);
  std::nth_element(scatter.begin(), median, scatter.end());
  // For complex noise of variance s^2 the difference has 1.5 s^2; the median of its modulus is sqrt(1.5 ln 2) s.
  return std::sqrt(*median / (1.5 * std::log(2.0)));
}

DecayWindow find_decay(const BandSignal& band, std::span<const double> samples, double sampling_rate_hz,
                       double resolution, double noise_factor, double start_time) {
  const std::size_t n = band.values.size();
  const std::size_t lag = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(resolution / band.step)));
  if (n < 4 * lag)
    throw InvalidInput(
        fmt::format("the record lasts {:.4g} s, too short for a band that needs {:.4g} s to settle: "
                    "widen the band or record longer",
                    band.time(n), 4 * resolution));
  const auto a = envelope(band.values, lag);
  DecayWindow w;
  const auto top = static_cast<std::size_t>(std::max_element(a.begin(), a.end()) - a.begin());
  w.peak = a[top];
  if (!(w.peak > 0)) throw InvalidInput("the signal is zero in this band");

  // A plateau before the decay, long against the first half neper of it, means a steady excitation that was released.
  std::size_t high = 0, first_high = n, fallen = n;
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] >= 0.9 * w.peak) first_high = std::min(first_high, i);
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] >= 0.95 * w.peak) high = i;
  for (std::size_t i = n; i-- > high;)
    if (a[i] <= 0.6 * w.peak) fallen = i;
  const auto below = static_cast<std::size_t>(std::count_if(a.begin() + static_cast<std::ptrdiff_t>(first_high),
                                                            a.begin() + static_cast<std::ptrdiff_t>(high) + 1,
                                                            [&](double value) { return value < 0.85 * w.peak; }));
  const bool plateau = fallen < n && high - first_high > 8 * lag && 10 * below < high - first_high &&
                       2 * (high - first_high) > fallen - high;
  std::size_t start = top;
  if (plateau) {
    w.kind = DecayWindow::Start::release;
    w.onset = band.time(high);
    start = high;
  } else {
    w.onset = raw_onset(samples, sampling_rate_hz, band.time(top), 2 * resolution);
  }

  const std::span<const Complex> after(band.values.data() + start, n - start);
  constexpr double range = 1e-9;  // 180 dB: no recorder has more, and simulations end in their tolerance
  w.noise = std::max(noise_amplitude(after, lag), range * w.peak);
  const double before = plateau ? 0 : steady_level_before(band, w.onset, resolution);
  if (before > 2 * w.noise) {  // of noise it knows less, from a short stretch
    w.noise = before;
    w.notes.push_back(fmt::format(
        "before the hit the band moves by {:.2g} of the largest amplitude: that counts as noise", before / w.peak));
  }
  w.end = static_cast<double>(samples.size() - 1) / sampling_rate_hz;
  double least = a[start];
  std::size_t least_at = start;
  for (std::size_t i = start; i < n; ++i) {
    if (a[i] < noise_factor * w.noise) {
      w.end = band.time(i);
      w.notes.push_back(fmt::format("the decay is used up to {} s, where it is {:g} times its noise",
                                    time_text(w.end + start_time), noise_factor));
      break;
    }
    if (a[i] < least || band.time(i) < w.onset + 4 * resolution) {  // the filter is still ringing from the hit
      least = a[i];
      least_at = i;
    } else if (band.time(i) > w.onset + 4 * resolution && a[i] > 1.3 * least + noise_factor * w.noise) {
      w.end = band.time(least_at);
      w.notes.push_back(fmt::format("the envelope rises again after {} s: a second hit, or two modes in the band",
                                    time_text(w.end + start_time)));
      break;
    }
  }
  return w;
}

}  // namespace microslip::signal
