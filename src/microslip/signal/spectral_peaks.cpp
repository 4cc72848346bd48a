#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <microslip/core/median.hpp>
#include <microslip/signal/fft.hpp>
#include <microslip/signal/spectral_peaks.hpp>

namespace microslip::signal {

namespace {

constexpr double apart = 0.04, around = 0.3, stands_out = 36, dynamic_range = 1e6;  // the last two of power

/// Values of `x` from the bin at `low` to that at `high` times bin k.
std::vector<double> near(std::span<const double> x, std::size_t k, double low, double high) {
  const auto from = static_cast<std::size_t>(std::floor(low * static_cast<double>(k)));
  const auto to = std::min(x.size() - 1, static_cast<std::size_t>(std::ceil(high * static_cast<double>(k))));
  const std::span<const double> part = x.subspan(from, to - from + 1);
  return {part.begin(), part.end()};
}

}  // namespace

std::vector<double> spectral_peaks(std::span<const double> power, double bin_hz, std::size_t most) {
  if (power.size() < 16) return {};
  const auto last = static_cast<std::size_t>(0.9 * static_cast<double>(power.size() - 1));
  std::vector<std::size_t> found;
  double highest = 0;
  for (std::size_t k = 4; k <= last; ++k) {
    if (!(power[k] > power[k - 1]) || power[k] < power[k + 1]) continue;
    const auto neighbours = near(power, k, 1 - apart, 1 + apart);
    if (power[k] < *std::max_element(neighbours.begin(), neighbours.end())) continue;
    if (!(power[k] > stands_out * median(near(power, k, 1 - around, 1 + around)))) continue;
    found.push_back(k);
    highest = std::max(highest, power[k]);
  }
  std::erase_if(found, [&](std::size_t k) { return power[k] * dynamic_range < highest; });
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return power[a] > power[b]; });
  found.resize(std::min(most, found.size()));
  std::sort(found.begin(), found.end());
  std::vector<double> frequencies;
  for (const std::size_t k : found) frequencies.push_back(bin_hz * static_cast<double>(k));
  return frequencies;
}

std::vector<double> spectral_peaks(const Record& record, std::size_t most) {
  std::vector<const Channel*> moving;
  for (const Channel& channel : record.channels)
    if (channel.quantity != Quantity::force) moving.push_back(&channel);
  const std::size_t n = record.n_samples(), stride = (moving.size() + 7) / 8;
  if (moving.empty() || n < 64 || !(record.sampling_rate_hz > 0)) return {};
  const RealFft fft(fast_length(n));
  std::vector<double> total(fft.n_bins(), 0.0), x(fft.size());
  std::vector<Complex> bins(fft.n_bins());
  for (std::size_t j = 0; j < moving.size(); j += stride) {
    const std::vector<double>& samples = moving[j]->samples;
    const double mean = std::reduce(samples.begin(), samples.end()) / static_cast<double>(n);
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) x[i] = samples[i] - mean;
    fft.transform(x, bins);
    double power = 0;
    for (const Complex& bin : bins) power += std::norm(bin);
    if (!std::isfinite(power) || !(power > 0)) continue;
    for (std::size_t k = 0; k < bins.size(); ++k) total[k] += std::norm(bins[k]) / power;
  }
  return spectral_peaks(total, record.sampling_rate_hz / static_cast<double>(fft.size()), most);
}

std::string frequencies_text(std::span<const double> frequencies_hz) {
  std::string text;
  for (const double f : frequencies_hz) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", f);
  return text + " Hz";
}

}  // namespace microslip::signal
