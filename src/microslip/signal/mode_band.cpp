#include <algorithm>
#include <cmath>
#include <vector>

#include <microslip/core/check.hpp>
#include <microslip/signal/mode_band.hpp>
#include <microslip/signal/moving_mean.hpp>
#include <microslip/signal/spectral_peaks.hpp>

namespace microslip::signal {

namespace {

/// How far the band may reach from the peak towards `end`, from the peaks met on the way.
double reach(const std::vector<double>& power, double bin_hz, std::size_t peak, std::size_t end, double cap,
             int order) {
  double width = cap, valley = power[peak];
  const bool up = end > peak;
  for (std::size_t k = peak; k != end; up ? ++k : --k) {
    valley = std::min(valley, power[k]);
    const std::size_t span = std::max<std::size_t>(2, k / 100);  // a peak is the largest within 1 %
    const std::size_t lower = k > span ? k - span : 0, upper = std::min(power.size() - 1, k + span);
    if (power[k] < 4 * valley || power[k] < *std::max_element(power.begin() + static_cast<std::ptrdiff_t>(lower),
                                                              power.begin() + static_cast<std::ptrdiff_t>(upper) + 1))
      continue;
    const double height = std::sqrt(power[k] / power[peak]);
    const double distance = bin_hz * std::abs(static_cast<double>(k) - static_cast<double>(peak));
    if (height > 1e-3) width = std::min(width, distance * std::pow(1e-3 / height, 0.5 / order));
  }
  return width;
}

}  // namespace

ModeBand choose_band(std::span<const double> raw, double bin_hz, double mode_hz, int order) {
  positive("mode", mode_hz);
  const double nyquist = bin_hz * static_cast<double>(raw.size() - 1);
  if (mode_hz > 0.9 * nyquist || mode_hz < 4 * bin_hz)
    throw InvalidInput(
        fmt::format("mode at {} Hz: expected between {:.4g} Hz (four cycles in the record) and {:.4g} Hz "
                    "(0.45 of the sampling rate)",
                    mode_hz, 4 * bin_hz, 0.9 * nyquist));
  const auto bin = [&](double f) {
    return std::min(raw.size() - 1, static_cast<std::size_t>(std::lround(f / bin_hz)));
  };
  const auto power = moving_mean(raw, std::max<std::size_t>(1, bin(0.002 * mode_hz)));
  std::size_t peak = bin(0.92 * mode_hz);
  for (std::size_t k = peak; k <= bin(1.08 * mode_hz); ++k)
    if (power[k] > power[peak]) peak = k;

  std::vector<double> around(power.begin() + static_cast<std::ptrdiff_t>(bin(0.7 * mode_hz)),
                             power.begin() + static_cast<std::ptrdiff_t>(bin(1.3 * mode_hz)) + 1);
  const auto median = around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2);
  std::nth_element(around.begin(), median, around.end());
  if (!(power[peak] > 6 * *median)) {
    const std::vector<double> peaks = spectral_peaks(raw, bin_hz);
    const auto meant = [&](double f) { return std::abs(f - mode_hz) <= 0.08 * mode_hz; };
    if (std::any_of(peaks.begin(), peaks.end(), meant))
      throw InvalidInput(
          fmt::format("mode at {} Hz: its peak stands out too little to choose a band by: give a --band, or record "
                      "longer",
                      mode_hz));
    throw InvalidInput(
        fmt::format("no peak stands out of the spectrum within 8 % of {} Hz: give --mode near a peak{}, or a --band",
                    mode_hz, peaks.empty() ? "" : fmt::format(" ({})", frequencies_text(peaks))));
  }

  const double f = bin_hz * static_cast<double>(peak);
  const double below = reach(power, bin_hz, peak, 1, 0.35 * f, order);
  const double above = reach(power, bin_hz, peak, bin(std::min(0.95 * nyquist, 6 * f)), 0.5 * f, order);
  return {f, {f - below, std::min(f + above, 0.96 * nyquist)}};
}

}  // namespace microslip::signal
