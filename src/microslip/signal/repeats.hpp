#pragma once

#include <span>
#include <vector>

#include <microslip/core/backbone.hpp>

namespace microslip::signal {

/// One curve with bands from several measurements of the same mode (levels, repeats).
struct BackboneBands {
  std::vector<double> amplitude;  ///< spaced logarithmically over what the measurements cover
  std::vector<double> frequency_hz, damping_ratio;
  std::vector<double> frequency_band, damping_band;  ///< half-widths that hold about 95 % of the points
};

/// Gaussian-process regression over ln amplitude of the points that carry no flag.
BackboneBands backbone_bands(std::span<const Backbone> repeats, std::size_t n_points = 100);

}  // namespace microslip::signal
