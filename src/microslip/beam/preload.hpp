#pragma once

#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/piecewise_beam.hpp>

namespace microslip::beam {

/// A part of the beam.
struct Interval {
  double from, to;

  [[nodiscard]] bool holds(double x) const { return x > from && x < to; }
};

/// The normal force per length that the preload spreads over the interface.
struct Pressure {
  PiecewisePolynomial density;  ///< q(x) [N/m] on the support
  double from = 0;              ///< the interface touches in [from, to]
  double to = 0;
  bool tied = false;              ///< the normal springs act on the whole support, also where q < 0
  double total = 0;               ///< the force it adds up to [N]
  std::vector<Interval> pressed;  ///< where q > 0: one interval, or several where a tied beam swings about zero
  std::vector<double> lift_off;   ///< lengths without positive pressure at the left and right end

  [[nodiscard]] double at(double x) const { return density.at(x); }
};

/// [Asadi2012, Eqs. 11-13]: EI w'''' + k_n w = p_bolt on the support, q = k_n w. The printed equations tie the beam to
/// its support: the ends pull (`unilateral = false`). A beam that can lift off has EI w'''' = p_bolt where w < 0, and
/// touches in an interval whose ends are part of the solution. The overhang is straight and carries nothing.
Pressure preload_pressure(const Model& model);

}  // namespace microslip::beam
