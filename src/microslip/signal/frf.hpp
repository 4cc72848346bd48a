#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip::signal {

/// Frequency response functions of hammer hits, averaged: H1 = S_xf / S_ff, for noise on the responses.
struct Frf {
  std::vector<double> frequency_hz;
  std::vector<std::string> channels;
  std::vector<Quantity> quantities;            ///< what each channel measures
  std::vector<std::vector<Complex>> response;  ///< [channel][frequency], the channel's unit per unit of force
  std::vector<std::vector<double>> coherence;  ///< [channel][frequency]; 1 throughout for a single hit
};

/// All records hold the same channels and samples; the force is chosen by `force_channel`. Other forces, and channels
/// that do not say what they measure, are left out; strain is taken as proportional to displacement.
Frf estimate_frf(std::span<const Record> hits, const std::string& force_name = {});

}  // namespace microslip::signal
