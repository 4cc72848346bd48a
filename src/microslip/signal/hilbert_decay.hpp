#pragma once

#include <optional>
#include <span>
#include <vector>

#include <microslip/core/outcome.hpp>
#include <microslip/signal/band_signal.hpp>
#include <microslip/signal/decay_window.hpp>
#include <microslip/signal/smooth_decay.hpp>

namespace microslip::signal {

/// A decay as the Hilbert transform sees it, freed from what the filter and the transform do to it.
struct HilbertDecay {
  SmoothDecay smooth;  ///< of the measured quantity; phase counted from time 0 of the record
  double start = 0;    ///< first and last time used [s]
  double end = 0;
  double scatter = 0;       ///< relative residual of the analytic signal about the smooth decay
  double damping_bias = 0;  ///< largest error in damping ratio that filter and transform would have left
  Outcome outcome = Outcome::iteration_limit;
  double correction = 0;  ///< last change of the rates over their size, so of damping ratios; converged below 1e-6
  int iterations = 0;
  LogSamples samples;   ///< what the smooth decay was last fitted to
  BandSignal modelled;  ///< V of the smooth decay through the same filter and transform
};

/// What the estimator knows about the filter before it.
struct HilbertSettings {
  double resolution = 0;      ///< time that the filter blurs [s]: 1/bandwidth, or a period where there is no filter
  double transient = 0;       ///< amplitude in the band of the other modes' onset, which no smooth decay contains
  double transient_rate = 0;  ///< rate at which the filter forgets it [1/s]
  double start_time = 0;      ///< of the first sample on the record's clock, by which a refusal tells times [s]
  SmoothChoice smoothing;
  int iterations = 8;
};

/// Polynomial smoothing of the analytic signal [Deaner2015, Eqs. 17-28], then a correction: the smooth decay is sent
/// through the same filter and transform over the same window, and what comes out differently from what went in (end
/// effects, filter bias) is taken off the measurement,
///   ln V_corrected = ln V - ln V_model + P_model,                                                           (1)
/// until the smooth decay no longer changes. Three quarters of the resolution are left out at both ends. `measured` is
/// V, what the extractor's band gives for the samples.
HilbertDecay hilbert_decay(const BandSignal& measured, std::span<const double> samples, double sampling_rate_hz,
                           const BandExtractor& extractor, std::size_t band, const DecayWindow& window,
                           const HilbertSettings& settings);

/// The smooth decay of another channel of the same record, corrected by the same model and with the same degrees.
SmoothDecay channel_decay(const HilbertDecay& reference, const BandSignal& channel, const DecayWindow& window,
                          const HilbertSettings& settings);

}  // namespace microslip::signal
