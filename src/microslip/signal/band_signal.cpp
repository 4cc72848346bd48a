#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/signal/band_signal.hpp>

namespace microslip::signal {

namespace {

constexpr double negligible = 1e-6;  // gain below which a frequency is left out

}  // namespace

std::size_t BandExtractor::padded(std::size_t n_samples, double sampling_rate_hz,
                                  const std::vector<std::optional<Band>>& bands, int order) {
  if (n_samples < 8) throw InvalidInput(fmt::format("a record needs at least 8 samples, got {}", n_samples));
  std::size_t extra = 0;
  for (const auto& band : bands)
    extra =
        std::max(extra, band ? Butterworth(*band, sampling_rate_hz, order).settling_samples(negligible) : n_samples);
  return fast_length(n_samples + extra);
}

BandExtractor::BandExtractor(std::size_t n_samples, double sampling_rate_hz,
                             const std::vector<std::optional<Band>>& bands, int order)
    : n_samples_(n_samples),
      sampling_rate_hz_(positive("sampling rate", sampling_rate_hz)),
      fft_(padded(n_samples, sampling_rate_hz, bands, order)) {
  const std::size_t n = fft_.size(), last_bin = n / 2 - 1;
  for (const auto& band : bands) {
    const auto filter = band ? std::optional(Butterworth(*band, sampling_rate_hz, order)) : std::nullopt;
    std::size_t first = 1, last = last_bin;
    if (filter) {
      const Band kept = filter->support(negligible);
      first = std::clamp<std::size_t>(static_cast<std::size_t>(std::floor(kept.lower_hz / bin_hz())), 1, last_bin);
      last = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(kept.upper_hz / bin_hz())), first, last_bin);
    }
    const std::size_t count = fast_length(last - first + 1);
    Slot slot{first, (first + last) / 2, last - first + 1, {}, Fft(count, Fft::Direction::inverse)};
    slot.gain.resize(slot.count);
    for (std::size_t k = 0; k < slot.count; ++k) {
      const double f = static_cast<double>(first + k) * bin_hz();
      slot.gain[k] = 2.0 / static_cast<double>(n) * (filter ? filter->zero_phase_gain(f) : 1.0);
    }
    bands_.push_back(std::move(slot));
  }
}

double BandExtractor::bin_hz() const { return sampling_rate_hz_ / static_cast<double>(fft_.size()); }

void BandExtractor::transform(std::span<const double> samples, double offset, Spectrum& spectrum) const {
  if (samples.size() != n_samples_)
    throw InvalidInput(fmt::format("a signal of {} samples among signals of {}", samples.size(), n_samples_));
  spectrum.padded.resize(fft_.size());
  std::transform(samples.begin(), samples.end(), spectrum.padded.begin(), [offset](double x) { return x - offset; });
  std::fill(spectrum.padded.begin() + static_cast<std::ptrdiff_t>(samples.size()), spectrum.padded.end(), 0.0);
  spectrum.bins.resize(fft_.n_bins());
  fft_.transform(spectrum.padded, spectrum.bins);
}

BandSignal BandExtractor::extract(std::span<const Complex> bins, std::size_t band) const {
  const Slot& slot = bands_.at(band);
  const std::size_t m = slot.inverse.size();
  std::vector<Complex> shifted(m), values(m);
  for (std::size_t k = 0; k < slot.count; ++k) {
    const std::size_t bin = slot.first + k;
    shifted[bin >= slot.centre ? bin - slot.centre : m + bin - slot.centre] = slot.gain[k] * bins[bin];
  }
  slot.inverse.transform(shifted, values);
  const double step = static_cast<double>(fft_.size()) / (static_cast<double>(m) * sampling_rate_hz_);
  const double last_time = static_cast<double>(n_samples_ - 1) / sampling_rate_hz_;
  values.resize(std::min(m, static_cast<std::size_t>(last_time / step * (1 + 1e-12)) + 1));
  return {step, 2 * std::numbers::pi * bin_hz() * static_cast<double>(slot.centre), std::move(values)};
}

BandSignal BandExtractor::operator()(std::span<const double> samples, std::size_t band) const {
  Spectrum spectrum;
  transform(samples, 0, spectrum);
  return extract(spectrum.bins, band);
}

}  // namespace microslip::signal
