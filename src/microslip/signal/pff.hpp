#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include <microslip/core/outcome.hpp>
#include <microslip/signal/smooth_decay.hpp>

namespace microslip::signal {

/// One extremum of a decaying oscillation.
struct Peak {
  double time = 0;           ///< where the phase is a multiple of pi [s]
  double log_amplitude = 0;  ///< ln of the envelope there
  double phase = 0;          ///< that multiple of pi [rad]
};

/// Peak finding and fitting [Jin2020]: every extremum is located by least squares of
///   y = m + exp(-a (t - t_k)) (c cos w (t - t_k) + s sin w (t - t_k))                                      (1)
/// over one period about it (the local mean m takes a static offset out), and frequency and decay come from local
/// parabolas through the peaks' phases and amplitudes. No transform, no global polynomial: independent of `hilbert`.
class PffDecay {
 public:
  /// Peaks of `y` between two times; `frequency_hz` is a guess good to some 20 %. `start_time`
  /// is the first sample's on the record's clock, by which a refusal tells times.
  PffDecay(std::span<const double> y, double sampling_rate_hz, double frequency_hz, double start, double end,
           double start_time = 0);

  /// ln A + i phase and derivatives from the parabola at t.
  [[nodiscard]] LogDecay at(double t) const;
  /// Standard deviations of the rates. Noise as the wider parabolas leave it, the same all along the signal; left out
  /// is what a cubic in place of the parabola would change. `resolution` is the time that the filter blurs, or a
  /// period.
  [[nodiscard]] std::vector<RateDeviation> rate_deviations(std::span<const double> times, double resolution) const;
  [[nodiscard]] double start() const { return peaks_.front().time; }
  [[nodiscard]] double end() const { return peaks_.back().time; }
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  /// Times that all peaks were fitted; at most 10, fewer once `change` is at most 1e-7.
  [[nodiscard]] int passes() const { return passes_; }
  /// Largest move of a peak in the last pass: of its phase [rad] or its ln A. Converged at 1e-5 or less, which over the
  /// ten half-periods of the shortest parabola moves a damping ratio by less than 1e-6.
  [[nodiscard]] double change() const { return change_; }

 private:
  struct Window {  // of the peaks about a time
    std::size_t first, width;
    double reach;
  };
  struct Local {  // a polynomial through them
    Eigen::VectorXd weight, amplitude;
    Eigen::MatrixX2d residual;  // of ln A and phase
    Eigen::VectorXd slope;      // weights of the values in the rate
    Eigen::RowVector2d rate;
  };
  [[nodiscard]] Window window(double t) const;
  [[nodiscard]] Local local(double t, int degree) const;
  [[nodiscard]] std::size_t half_width(std::size_t peak) const;  // peaks on either side that its parabola uses
  [[nodiscard]] std::vector<Complex> peak_rates() const;

  std::vector<Peak> peaks_;
  int passes_ = 0;
  double change_ = 1;
  Outcome outcome_ = Outcome::iteration_limit;
};

}  // namespace microslip::signal
