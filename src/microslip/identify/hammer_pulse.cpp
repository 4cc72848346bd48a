#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/median.hpp>
#include <microslip/identify/hammer_pulse.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip {

std::vector<double> without_rest(std::vector<double> force) {
  const double rest = median(force);
  for (double& f : force) f -= rest;
  return force;
}

std::pair<std::size_t, std::size_t> pulse_of(const std::vector<double>& force) {
  const std::size_t n = force.size();
  const auto top = static_cast<std::size_t>(
      std::max_element(force.begin(), force.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      force.begin());
  std::vector<double> tail;
  for (std::size_t i = n / 2; i < n; ++i) tail.push_back(std::abs(force[i]));
  const double noise = median(std::move(tail)) / 0.6745;  // median of |x| of a Gaussian
  const double threshold = std::max(5 * noise, 1e-6 * std::abs(force[top]));
  std::size_t from = top, to = top;
  while (from > 0 && std::abs(force[from - 1]) > threshold) --from;
  while (to + 1 < n && std::abs(force[to + 1]) > threshold) ++to;
  const std::size_t feet = (to - from) + 8;
  return {from > feet ? from - feet : 0, std::min(n - 1, to + feet)};
}

SampledLoad band_limited(const std::vector<double>& force, std::size_t from, std::size_t to, double rate) {
  constexpr std::size_t finer = 16, around = 16;
  const std::size_t first = from > around ? from - around : 0, last = std::min(force.size() - 1, to + around);
  const std::size_t n_out = last - first + 1, n_in = to - from + 1, n = signal::fast_length(n_out + n_in);
  // The sum at x = first + j + p/finer is, for each p, a convolution of the samples with sinc(x - k): of transforms of
  // one length, long enough that nothing wraps around.
  using signal::Complex;
  const signal::Fft forward(n), inverse(n, signal::Fft::Direction::inverse);
  std::vector<Complex> samples(n), kernel(n), pulse(n), product(n);
  std::copy_n(force.begin() + static_cast<std::ptrdiff_t>(from), n_in, samples.begin());
  forward.transform(samples, pulse);
  SampledLoad load;
  load.value.resize(finer * (n_out - 1) + 1);
  for (std::size_t i = 0; i < load.value.size(); ++i)
    load.time.push_back((static_cast<double>(first) + static_cast<double>(i) / finer) / rate);
  for (std::size_t p = 0; p < finer; ++p) {
    const double shift = static_cast<double>(p) / finer, sine = std::sin(std::numbers::pi * shift) / std::numbers::pi;
    for (std::size_t m = 0; m < n_out + n_in - 1; ++m) {
      // x - k from its least: output first against input to
      const double whole = static_cast<double>(first + m) - static_cast<double>(to), away = whole + shift;
      kernel[m] = away == 0 ? 1 : p == 0 ? 0 : (std::fmod(whole, 2) == 0 ? sine : -sine) / away;
    }
    std::fill(kernel.begin() + static_cast<std::ptrdiff_t>(n_out + n_in - 1), kernel.end(), 0);
    forward.transform(kernel, product);
    for (std::size_t i = 0; i < n; ++i) product[i] *= pulse[i];
    inverse.transform(product, samples);
    for (std::size_t j = 0; j < n_out && finer * j + p < load.value.size(); ++j)
      load.value[finer * j + p] = samples[j + n_in - 1].real() / static_cast<double>(n);
  }
  load.value.front() = load.value.back() = 0;
  return load;
}

}  // namespace microslip
