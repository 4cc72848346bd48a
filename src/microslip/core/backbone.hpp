#pragma once

#include <string>
#include <vector>

namespace microslip {

/// Frequency and damping of one mode against amplitude: what `signal` measures and `modal` computes, so that
/// comparing the two is a subtraction. Definitions: amplitude is half the peak-to-peak displacement, frequency is
/// undamped, damping is the fraction of critical, dissipation is energy per cycle.
struct Backbone {
  std::string coordinate;  ///< what amplitude is measured in: "modal" (sqrt(kg) m) or the sensor's name
  std::vector<double> amplitude;
  std::vector<double> frequency_hz;
  std::vector<double> damping_ratio;
  std::vector<double> dissipation;
  std::vector<std::string> flag;  ///< per point: empty, or why the point is not to be trusted

  [[nodiscard]] std::size_t size() const { return amplitude.size(); }
};

}  // namespace microslip
