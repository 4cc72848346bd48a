#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <microslip/signal/fft.hpp>

namespace microslip::signal {

/// ln of the analytic signal of a decay at one time, with its derivatives: P = ln A + i phase.
struct LogDecay {
  Complex value;   ///< P
  Complex rate;    ///< dP/dt = -zeta omega_n + i omega_d [1/s]                    [Deaner2015, Eqs. 21-23]
  Complex change;  ///< d2P/dt2 = d(-zeta omega_n)/dt + i d(omega_d)/dt, the residual of [Deaner2015, Eq. 27]
};

/// How uncertain a rate is, standard deviations of -zeta omega_n and, imaginary, of omega_d [1/s].
struct RateDeviation {
  Complex noise;       ///< by the residuals where they lie
  Complex even_noise;  ///< by all residuals alike
  Complex left_out;    ///< what smoothing may leave out

  [[nodiscard]] Complex whole() const {
    return {std::hypot(noise.real(), left_out.real()), std::hypot(noise.imag(), left_out.imag())};
  }
};

/// Time scaled to [-1, 1], linearly or by a logarithm that spends more of the scale on the start of the decay, where
/// slipping joints change fastest:  u = 2 ln(1 + (t - t0)/s) / ln(1 + T/s) - 1,  s = infinity: linear.    (1)
struct TimeScale {
  double start = 0;
  double end = 1;
  double bend = 0;  ///< T/s, 0: linear

  /// u and its first two derivatives with respect to time.
  struct Point {
    double u, du, ddu;
  };
  [[nodiscard]] Point at(double t) const;
};

/// Samples of ln A and phase to smooth, with weights 1/variance up to one common factor.
struct LogSamples {
  std::vector<double> time, log_amplitude, phase, weight;
  double independent = 1;  ///< share of the samples that carry independent noise
};

/// Polynomials, in Chebyshev form over scaled time, of ln amplitude and phase [Deaner2015, Eq. 28].
class SmoothDecay {
 public:
  SmoothDecay() = default;
  SmoothDecay(const TimeScale& scale, std::vector<double> log_amplitude, std::vector<double> phase);

  [[nodiscard]] LogDecay at(double t) const;
  [[nodiscard]] Complex value(double t) const;  ///< at(t).value alone
  [[nodiscard]] Complex rate(double t) const;   ///< at(t).rate alone
  [[nodiscard]] const TimeScale& scale() const { return scale_; }
  [[nodiscard]] int amplitude_degree() const { return static_cast<int>(amplitude_[0].size()) - 1; }
  [[nodiscard]] int phase_degree() const { return static_cast<int>(phase_[0].size()) - 1; }

 private:
  TimeScale scale_;
  std::vector<double> amplitude_[3], phase_[3];  // series and its derivatives with respect to u
};

struct SmoothChoice {
  std::optional<int> amplitude_degree;  ///< by cross-validation where empty
  std::optional<int> phase_degree;
  int highest_degree = 14;
  bool bend = true;  ///< may time be bent as in (1)?
};

/// Weighted least squares with given degrees.
SmoothDecay fit_decay(const LogSamples& samples, const TimeScale& scale, int amplitude_degree, int phase_degree);
/// The same with degrees and bend of time by cross-validation over contiguous blocks: the lowest degree whose error
/// of prediction is within 5 % of the least.
SmoothDecay smooth_decay(const LogSamples& samples, const SmoothChoice& choice = {});
/// Standard deviations of the rates of a fit to the samples. Noise by the residuals where they lie (the sandwich
/// formula); left out, the squares of what the next three degrees would each add: their zeros interlace, so that none
/// feigns certainty.
std::vector<RateDeviation> rate_deviations(const LogSamples& samples, const SmoothDecay& fit,
                                           std::span<const double> times);

/// Phases of every stride-th value made continuous over all of them: each step is taken to be less than pi.
std::vector<double> unwrapped(std::span<const Complex> values, std::size_t stride = 1);

}  // namespace microslip::signal
