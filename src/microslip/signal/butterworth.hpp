#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip::signal {

/// A pass band [Hz].
struct Band {
  double lower_hz = 0;
  double upper_hz = 0;

  [[nodiscard]] double width() const { return upper_hz - lower_hz; }
  friend bool operator==(const Band&, const Band&) = default;
};

/// One second-order section: (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2).
struct Section {
  double b0, b1, b2, a1, a2;
};

/// The prototype's order, if it lies in [1, 20].
int checked_order(int order);

/// Butterworth band-pass of prototype order n (2n poles), from poles and zeros through the bilinear transform, run in
/// second-order sections: transfer-function coefficients leave the unit circle at the ratios met here (order 3 at
/// 80 Hz of 51.2 kHz). `order` is the prototype's, so that 4 is the "fourth-order" filter of the papers.
///   |H(f)|^2 = 1 / (1 + q^2n),  q = (W^2 - W1 W2) / (W (W2 - W1)),  W = tan(pi f / fs)          (1)
class Butterworth {
 public:
  /// Refused where the edges do not satisfy 0 < lower < upper < sampling rate / 2.
  Butterworth(const Band& band, double sampling_rate_hz, int order = 4);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<std::complex<double>>& poles() const { return poles_; }

  /// |H(f)|^2 of (1): the gain of the zero-phase filter, run forward and backward.
  [[nodiscard]] double zero_phase_gain(double frequency_hz) const;
  /// The frequencies between which the zero-phase gain exceeds `gain`.
  [[nodiscard]] Band support(double gain) const;
  /// Samples after which the slowest transient has decayed to the given fraction.
  [[nodiscard]] std::size_t settling_samples(double fraction) const;

  /// One pass, from rest.
  [[nodiscard]] std::vector<double> filter(std::span<const double> x) const;
  /// Forward and backward over the signal extended by `padding` samples, odd about its end points, each pass started
  /// in the steady state of its first sample (SciPy's sosfiltfilt). The default padding is three settling times
  /// to 1/e, at most the signal's length less one.
  [[nodiscard]] std::vector<double> zero_phase(std::span<const double> x) const;
  [[nodiscard]] std::vector<double> zero_phase(std::span<const double> x, std::size_t padding) const;

 private:
  Band band_;
  double sampling_rate_hz_;
  int order_;
  std::vector<std::complex<double>> poles_;
  std::vector<Section> sections_;
};

}  // namespace microslip::signal
