#pragma once

#include <span>

#include <microslip/signal/butterworth.hpp>

namespace microslip::signal {

/// The frequency of the spectral peak nearest in height and place to `mode_hz` (within 8 %), and a band around it: as
/// wide as its neighbours allow, since a wide band settles fast. Each neighbouring peak, seen through the zero-phase
/// filter of order n, is to fall below 0.1 % of the mode's: r / (1 + (d/w)^2n) < 1e-3 at distance d and relative
/// height r; and the band spans at most 0.65 to 1.5 times the mode.
struct ModeBand {
  double peak_hz = 0;
  Band band;
};

/// `power[k]` is the power at k bin_hz, summed over channels. Refused where nothing stands out near `mode_hz`.
ModeBand choose_band(std::span<const double> power, double bin_hz, double mode_hz, int order = 4);

}  // namespace microslip::signal
