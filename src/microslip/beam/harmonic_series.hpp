#pragma once

#include <vector>

#include <microslip/beam/partial_slip.hpp>

namespace microslip::beam {

/// A periodic signal: mean + sum over m = 1..M of sine[m-1] sin(m omega t) + cosine[m-1] cos(m omega t)
/// [Asadi2012, Eq. 23].
struct HarmonicSeries {
  double frequency_hz = 0;
  double mean = 0;
  std::vector<double> sine;
  std::vector<double> cosine;
  double residual = 0;  ///< root mean square of what the series leaves of the signal

  [[nodiscard]] double amplitude(std::size_t m) const;  ///< of harmonic m, from 1
  [[nodiscard]] double at(double time) const;
};

/// The least-squares series of a sampled signal. The record need not hold whole periods.
HarmonicSeries fit_harmonic_series(const std::vector<double>& samples, double sampling_rate_hz, double frequency_hz,
                                   int n_harmonics);

/// An acceleration, integrated twice term by term [Asadi2012, Eq. 24]; its mean is a sensor's offset and is dropped.
HarmonicSeries integrated_twice(const HarmonicSeries& acceleration);

/// The loop of a force over a displacement of the same frequency, on n points, and the energy it encloses:
/// D = sum over m of pi m (F_cos W_sin - F_sin W_cos), exact for the series.
LoopCurve loop_of(const HarmonicSeries& force, const HarmonicSeries& displacement, int n);

}  // namespace microslip::beam
