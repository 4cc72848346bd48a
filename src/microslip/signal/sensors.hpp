#pragma once

#include <span>
#include <string>
#include <vector>

namespace microslip::signal {

/// Mode shapes at the sensors: value[mode][sensor], mass-normalised where `mass_normalised` says so.
struct Shapes {
  std::vector<std::string> sensors;  ///< names of channels, or empty: the channels in their order
  std::vector<double> frequency_hz;  ///< per mode, to match shapes to modes; may be empty for one mode
  std::vector<std::vector<double>> value;
  bool mass_normalised = true;
};

/// How several sensors become one modal coordinate.
struct AveragingRule {
  double trimmed_share = 0.11;    ///< left out on each side of the mean of the sensors' amplitudes ...
  std::size_t trimmed_from = 10;  ///< ... where there are this many sensors; below, their median is taken
  double kept_within = 0.5;       ///< kept where the amplitude differs by less than this share from that mean
  double least_shape = 0.05;      ///< sensors nearer to a node than this share of the largest shape are left out
};

/// Weights w so that q(t) = sum_j w_j x_j(t).
struct SensorWeights {
  std::vector<double> weight;
  std::vector<std::string> reason;  ///< per sensor: empty where used, else why not
};

/// Each sensor divided by its shape, then averaged [Deaner2015, Eq. 38 and section 5.4]. `amplitude[j]` is the
/// largest amplitude of sensor j in the mode's band.
SensorWeights average_weights(std::span<const double> shape, std::span<const double> amplitude,
                              const AveragingRule& rule = {});

/// The row of the shapes' pseudo-inverse that picks `mode`: sensors not given by the shapes' span are ignored.
SensorWeights modal_filter_weights(const std::vector<std::vector<double>>& shapes, std::size_t mode);

/// Mean without the `share` largest and smallest.
double trimmed_mean(std::vector<double> values, double share);

}  // namespace microslip::signal
