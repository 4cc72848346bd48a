#pragma once

#include <string>
#include <vector>

namespace microslip {

/// What a channel measures.
enum class Quantity { unknown, displacement, velocity, acceleration, force, strain };

std::string_view to_string(Quantity quantity);
/// The quantity of that name; refused with a suggestion otherwise.
Quantity quantity_from(std::string_view name);

/// One measured signal.
struct Channel {
  std::string name;
  std::string unit;  ///< as declared; empty where the file has none
  Quantity quantity = Quantity::unknown;
  std::vector<double> samples;
  int node = 0;             ///< where it was measured, as numbered in the file; 0 where it says nothing
  std::string direction{};  ///< "+X", "-Z", "+RY" …; empty where the file says nothing
};

/// Signals sampled together at a constant rate.
struct Record {
  double sampling_rate_hz = 0;
  double start_time = 0;  ///< time of the first sample [s]
  std::vector<Channel> channels;
  std::string source;                 ///< where it was read from
  std::string name{};                 ///< its name in the file, where there are several
  std::vector<std::string> warnings;  ///< what the reader noticed: no units, clipped, odd header

  [[nodiscard]] std::size_t n_samples() const { return channels.empty() ? 0 : channels.front().samples.size(); }
};

}  // namespace microslip
