#pragma once

#include <span>
#include <vector>

namespace microslip::signal {

/// Zeroed early-time spectra [Allen2010]: the signal set to zero up to its first zero crossing at or after each time,
/// then |FFT| / sampling rate at 0 ... sampling rate / 2. What moves from one to the next is nonlinear.
struct Zefft {
  std::vector<double> frequency_hz;
  std::vector<double> zeroed_until;          ///< per time: the crossing taken [s]
  std::vector<std::vector<double>> spectra;  ///< [time][frequency], the signal's unit times second
};

/// `times` count from the first sample [s]; `start_time` is that sample's on the record's clock, by which a refusal
/// tells them.
Zefft zefft(std::span<const double> samples, double sampling_rate_hz, std::span<const double> times,
            double start_time = 0);

/// The spectrum of the whole signal, then those zeroed after each time, of which there may be none.
Zefft whole_and_zeroed(std::span<const double> samples, double sampling_rate_hz, std::span<const double> times,
                       double start_time = 0);

/// When a signal crosses zero last, in samples; negative where it never does.
double last_crossing(std::span<const double> x);

}  // namespace microslip::signal
