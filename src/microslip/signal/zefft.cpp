#include <algorithm>
#include <cmath>
#include <iterator>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/signal/fft.hpp>
#include <microslip/signal/zefft.hpp>

namespace microslip::signal {

namespace {

/// The first sample after the signal's first zero crossing at or after `from` (in samples, crossings interpolated
/// linearly; a sample that is zero is one); the number of samples where there is none.
std::size_t first_crossing(std::span<const double> x, double from) {
  for (auto i = static_cast<std::size_t>(std::floor(from)); i < x.size(); ++i) {
    if (x[i] == 0 && static_cast<double>(i) >= from) return i;
    if (i + 1 == x.size() || x[i] == 0 || x[i + 1] == 0 || (x[i] > 0) == (x[i + 1] > 0)) continue;
    if (static_cast<double>(i) + x[i] / (x[i] - x[i + 1]) >= from) return i + 1;
  }
  return x.size();
}

}  // namespace

Zefft zefft(std::span<const double> samples, double sampling_rate_hz, std::span<const double> times,
            double start_time) {
  positive("sampling rate", sampling_rate_hz);
  const std::size_t n = samples.size();
  if (n < 2) throw InvalidInput(fmt::format("a spectrum needs at least 2 samples, got {}", n));
  if (times.empty()) throw InvalidInput("zefft: no times given");
  const double duration = static_cast<double>(n) / sampling_rate_hz;
  const RealFft fft(n);
  Zefft result;
  for (std::size_t k = 0; k < fft.n_bins(); ++k)
    result.frequency_hz.push_back(static_cast<double>(k) * sampling_rate_hz / static_cast<double>(n));
  std::vector<Complex> bins(fft.n_bins());
  for (const double time : times) {
    if (!(time >= 0 && time < duration))
      throw InvalidInput(fmt::format("zefft: time {} s, expected within the record, {} to {} s",
                                     time_text(time + start_time), time_text(start_time),
                                     time_text(start_time + duration)));
    const std::size_t i = first_crossing(samples, time * sampling_rate_hz);
    if (i >= n)
      throw InvalidInput(
          fmt::format("zefft: the signal has no zero crossing after {} s: take an earlier time, or "
                      "take its offset off first where it has one",
                      time_text(time + start_time)));
    std::vector<double> x(samples.begin(), samples.end());
    std::fill(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(i), 0.0);
    fft.transform(x, bins);
    std::vector<double> magnitude;
    for (const Complex& bin : bins) magnitude.push_back(std::abs(bin) / sampling_rate_hz);
    result.spectra.push_back(std::move(magnitude));
    result.zeroed_until.push_back(static_cast<double>(i) / sampling_rate_hz);
  }
  return result;
}

Zefft whole_and_zeroed(std::span<const double> samples, double sampling_rate_hz, std::span<const double> times,
                       double start_time) {
  positive("sampling rate", sampling_rate_hz);
  Zefft spectra{{}, {0}, {{}}};
  const std::vector<Complex> bins = spectrum(samples);
  for (std::size_t k = 0; k < bins.size(); ++k) {
    spectra.frequency_hz.push_back(static_cast<double>(k) * sampling_rate_hz / static_cast<double>(samples.size()));
    spectra.spectra.front().push_back(std::abs(bins[k]) / sampling_rate_hz);
  }
  if (times.empty()) return spectra;
  Zefft zeroed = zefft(samples, sampling_rate_hz, times, start_time);
  spectra.zeroed_until.insert(spectra.zeroed_until.end(), zeroed.zeroed_until.begin(), zeroed.zeroed_until.end());
  std::move(zeroed.spectra.begin(), zeroed.spectra.end(), std::back_inserter(spectra.spectra));
  return spectra;
}

double last_crossing(std::span<const double> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    const auto at = static_cast<double>(i);
    if (x[i] == 0) return at;
    if (i + 1 < x.size() && x[i + 1] != 0 && (x[i] > 0) != (x[i + 1] > 0)) return at + x[i] / (x[i] - x[i + 1]);
  }
  return -1;
}

}  // namespace microslip::signal
