#pragma once

#include <string_view>
#include <vector>

#include <microslip/joints/friction_law.hpp>
#include <microslip/joints/iwan4.hpp>

namespace microslip {

/// Segalman's discretisation of the four-parameter Iwan model [Segalman2002, Eqs. 47-53]: N sliders at the midpoints
/// of intervals that grow by the factor alpha, and one for the delta function (Eq. 53 is printed with a phi_max too
/// many). The paper's reference and the yardstick of the benchmarks; `Iwan4` is the exact law.
struct IwanSliders {
  using Scalar = double;
  static constexpr std::string_view name = "iwan_sliders";

  std::vector<double> strength;    ///< phi_m [m]: midpoints, then phi_max
  std::vector<double> stiffness;   ///< of each slider while it sticks [N/m], Eq. 52
  std::vector<double> slip_force;  ///< of each slider while it slips [N], Eq. 52

  struct State {
    std::vector<double> x;  ///< slider positions; empty: all at zero
  };

  [[nodiscard]] Response<double> evaluate(const State& s, double u) const;
  Response<double> advance(State& s, double u) const;
};
static_assert(FrictionLaw<IwanSliders>);

/// `count` >= 1 intervals growing by `ratio` >= 1 (the paper's alpha; 1 is a uniform mesh).
IwanSliders discretise(const Iwan4<double>& law, int count, double ratio);

/// The paper's two conditions for enough sliders, as ratios that should be well below one.
struct SliderConditions {
  double largest_stiffness_step;  ///< Eq. 54: largest stiffness lost with an interval, over K_T; not always the last
                                  ///< interval's, as Eq. 55 has it: the first's where chi < 0 and intervals are alike
  double weakest_slider_force;    ///< Eqs. 56-57: force of the first interval, over F_S
};
SliderConditions slider_conditions(const Iwan4<double>& law, int count, double ratio);

}  // namespace microslip
