#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip::signal {

enum class FrfEstimator {
  h1,  ///< noise on the responses: S_xf / S_ff
  h2   ///< noise on the force: S_xx / S_fx
};

struct FrfOptions {
  FrfEstimator estimator = FrfEstimator::h1;
  std::string force_channel;  ///< by name; empty: the only channel that is a force
  double window_decay = 0;    ///< rate of an exponential window exp(-rate t) on the responses [1/s]; 0: none
};

/// Frequency response functions of hammer hits, averaged.
struct Frf {
  std::vector<double> frequency_hz;
  std::vector<std::string> channels;
  std::vector<Quantity> quantities;            ///< what each channel measures
  std::vector<std::vector<Complex>> response;  ///< [channel][frequency], the channel's unit per unit of force
  std::vector<std::vector<double>> coherence;  ///< [channel][frequency]; 1 throughout for a single hit
  double window_decay = 0;                     ///< to be taken off the identified decay rates
};

/// All records hold the same channels and samples; one of them is a force. Other forces, and channels that do not say
/// what they measure, are left out; strain is taken as proportional to displacement.
Frf estimate_frf(std::span<const Record> hits, const FrfOptions& options = {});

}  // namespace microslip::signal
