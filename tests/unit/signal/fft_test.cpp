#include <cmath>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/band_signal.hpp>
#include <microslip/signal/fft.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

std::vector<Complex> slow_transform(const std::vector<Complex>& x, double sign) {
  std::vector<Complex> X(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t n = 0; n < x.size(); ++n)
      X[k] += x[n] *
              std::polar(1.0, sign * 2 * pi * static_cast<double>((k * n) % x.size()) / static_cast<double>(x.size()));
  return X;
}

TEST(Fft, EqualsTheDefinitionForEveryLengthUpToFortyAndSomePrimes) {
  std::vector<std::size_t> lengths{101, 127, 211};
  for (std::size_t n = 1; n <= 40; ++n) lengths.push_back(n);
  for (const std::size_t n : lengths) {
    const auto re = test::white_noise(n, 1, 1), im = test::white_noise(n, 1, 2);
    std::vector<Complex> x(n), X(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = {re[i], im[i]};
    for (const auto direction : {Fft::Direction::forward, Fft::Direction::inverse}) {
      Fft(n, direction).transform(x, X);
      const auto exact = slow_transform(x, direction == Fft::Direction::forward ? -1 : 1);
      for (std::size_t k = 0; k < n; ++k)  // both sums round by about n eps
        EXPECT_NEAR(std::abs(X[k] - exact[k]), 0, 4e-15 * static_cast<double>(n)) << "n = " << n << ", k = " << k;
    }
  }
}

TEST(Fft, RealTransformEqualsTheComplexOne) {
  for (const std::size_t n : {1, 2, 3, 6, 7, 10, 15, 16, 30, 62, 97, 100}) {
    const auto x = test::white_noise(n, 1, 3);
    const std::vector<Complex> z(x.begin(), x.end());
    const auto exact = slow_transform(z, -1);
    const auto X = spectrum(x);
    ASSERT_EQ(X.size(), n / 2 + 1);
    for (std::size_t k = 0; k < X.size(); ++k)
      EXPECT_NEAR(std::abs(X[k] - exact[k]), 0, 4e-15 * static_cast<double>(n)) << n;
  }
}

TEST(BandExtractor, RefusesARateThatIsNone) {
  for (const double fs : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(BandExtractor(64, fs, {std::nullopt}), InvalidInput) << fs;
}

TEST(Fft, LargePrimeLengthKeepsParseval) {
  const std::size_t n = 65537;
  const auto x = test::white_noise(n, 1, 4);
  const auto X = spectrum(x);
  double time = 0, frequency = std::norm(X[0]);
  for (const double v : x) time += v * v;
  for (std::size_t k = 1; k < X.size(); ++k) frequency += 2 * std::norm(X[k]);
  EXPECT_NEAR(frequency / (time * static_cast<double>(n)), 1, 1e-12);
}

TEST(Fft, FastLengthsAreEvenAndSmooth) {
  EXPECT_EQ(fast_length(0), 2U);
  EXPECT_EQ(fast_length(7), 8U);
  EXPECT_EQ(fast_length(131072), 131072U);
  EXPECT_EQ(fast_length(131073), 131220U);  // 2^2 3^8 5
}

TEST(Fft, RefusesLengthZeroAndWrongSizes) {
  EXPECT_THROW(Fft(0), InvalidInput);
  std::vector<Complex> x(4), X(5);
  EXPECT_THROW(Fft(4).transform(x, X), InvalidInput);
}

/// x + i H[x] of a periodic x, term by term: frequencies between 0 and half the rate twice, those below it not at all.
std::vector<Complex> analytic_signal(const std::vector<double>& x, bool mean_and_half_rate = true) {
  const std::size_t n = x.size();
  std::vector<Complex> v(n);
  for (std::size_t k = 0; 2 * k <= n; ++k) {
    const bool once = k == 0 || 2 * k == n;
    if (once && !mean_and_half_rate) continue;
    const auto turn = [&](std::size_t i) { return 2 * pi * static_cast<double>(i * k % n) / static_cast<double>(n); };
    Complex X = 0;
    for (std::size_t i = 0; i < n; ++i) X += x[i] * std::polar(1.0, -turn(i));
    for (std::size_t i = 0; i < n; ++i)
      v[i] += (once ? 1.0 : 2.0) / static_cast<double>(n) * X * std::polar(1.0, turn(i));
  }
  return v;
}

// scipy.signal.hilbert, SciPy 1.10.1, of x = sin(0.37 n + 0.5) exp(-0.01 n) + 0.3 cos(1.9 n) + 0.2 + 0.001 n
TEST(BandExtractor, WithoutBandIsSciPysHilbertTransformOfTheZeroContinuedRecord) {
  std::vector<double> x(50);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto n = static_cast<double>(i);
    x[i] = std::sin(0.37 * n + 0.5) * std::exp(-0.01 * n) + 0.3 * std::cos(1.9 * n) + 0.2 + 0.001 * n;
  }
  const auto even = analytic_signal(x);
  const double even_reference[] = {-0.7801320343226903, -0.2740230123529661, 1.1612804854815262,
                                   0.6132306554994819,  -0.668979771006797,  -1.1869091191129515};
  const std::size_t even_at[] = {0, 1, 7, 25, 48, 49};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(even[even_at[i]].imag(), even_reference[i], 1e-13);
  x.pop_back();
  const auto odd = analytic_signal(x);
  const double odd_reference[] = {-1.1301924302881161, -0.24191963947425651, 1.1752726806793716,
                                  0.6217014200729978,  -0.15741540530092818, -1.0910981352700952};
  const std::size_t odd_at[] = {0, 1, 7, 25, 47, 48};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(odd[odd_at[i]].imag(), odd_reference[i], 1e-13);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(odd[i].real(), x[i], 1e-13);

  // What is SciPy's over a period is the extractor's over a record and the zeros after it, but for what has no sign.
  const double fs = 1000;
  const BandExtractor extractor(x.size(), fs, {std::nullopt});
  const BandSignal v = extractor(x, 0);
  ASSERT_EQ(v.values.size(), 25U);
  EXPECT_NEAR(v.step * fs, 2, 1e-15);  // positive frequencies alone need half the rate
  std::vector<double> continued = x;
  continued.resize(2 * (extractor.n_bins() - 1), 0.0);
  const auto reference = analytic_signal(continued, false);
  for (std::size_t j = 0; j < v.values.size(); ++j)
    EXPECT_NEAR(std::abs(v.values[j] * std::polar(1.0, v.carrier * v.time(j)) - reference[2 * j]), 0, 1e-13) << j;
}

TEST(BandExtractor, EqualsTheForwardBackwardFilterOfTheZeroContinuedRecord) {
  const double fs = 1000;
  const Band band{80, 120};
  const auto noise = test::white_noise(1200, 1, 5);
  const BandExtractor extractor(noise.size(), fs, {band});
  const BandSignal v = extractor(noise, 0);
  // Reference: the record with a second of zeros on both sides, filtered in the time domain.
  std::vector<double> padded(3200, 0.0);
  std::copy(noise.begin(), noise.end(), padded.begin() + 1000);
  const auto y = Butterworth(band, fs).zero_phase(padded, 0);
  const double largest = *std::max_element(y.begin(), y.end());
  // The reference between its samples: its trigonometric interpolation, to which frequencies above 300 Hz give nothing.
  const auto Y = spectrum(y);
  for (std::size_t j = 0; j < v.values.size(); j += 3) {
    double reference = 0;
    for (std::size_t k = 1; k < 960; ++k)
      reference += 2.0 / 3200 *
                   (Y[k] * std::polar(1.0, 2 * pi * static_cast<double>(k) * (v.time(j) * fs + 1000) / 3200)).real();
    const double real = (v.values[j] * std::polar(1.0, v.carrier * v.time(j))).real();
    EXPECT_NEAR(real, reference, 3e-6 * largest) << "t = " << v.time(j);
  }
}

}  // namespace
}  // namespace microslip::signal
