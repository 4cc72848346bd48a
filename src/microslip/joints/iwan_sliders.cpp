#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/joints/iwan_sliders.hpp>

namespace microslip {

namespace {

/// Interval boundaries 0 = b_0 < ... < b_N = phi_max in geometric progression, Eqs. 47-50.
std::vector<double> boundaries(double phi_max, int count, double ratio) {
  if (count < 1) throw InvalidInput(fmt::format("the number of sliders must be at least 1, got {}", count));
  if (!(ratio >= 1)) throw InvalidInput(fmt::format("the ratio of neighbouring intervals must be >= 1, got {}", ratio));
  std::vector<double> b(static_cast<std::size_t>(count) + 1);
  for (int m = 0; m <= count; ++m) {
    const double fraction = ratio == 1 ? static_cast<double>(m) / count
                                       : std::expm1(m * std::log(ratio)) / std::expm1(count * std::log(ratio));
    b[static_cast<std::size_t>(m)] = phi_max * fraction;
  }
  return b;
}

}  // namespace

IwanSliders discretise(const Iwan4<double>& law, int count, double ratio) {
  const SliderDensity<double> density = slider_density(law);
  const std::vector<double> b = boundaries(density.phi_max, count, ratio);
  IwanSliders sliders;
  for (std::size_t m = 1; m < b.size(); ++m) {
    const auto moment = [&](double p) { return density.R * (std::pow(b[m], p) - std::pow(b[m - 1], p)) / p; };
    sliders.strength.push_back(0.5 * (b[m - 1] + b[m]));
    sliders.stiffness.push_back(moment(1 + law.chi));
    sliders.slip_force.push_back(moment(2 + law.chi));
  }
  sliders.strength.push_back(density.phi_max);
  sliders.stiffness.push_back(density.S_delta);
  sliders.slip_force.push_back(density.S_delta * density.phi_max);
  return sliders;
}

SliderConditions slider_conditions(const Iwan4<double>& law, int count, double ratio) {
  const SliderDensity<double> density = slider_density(law);
  const std::vector<double> b = boundaries(density.phi_max, count, ratio);
  double largest = 0;
  for (std::size_t m = 1; m < b.size(); ++m)
    largest = std::max(largest, density.R * std::pow(0.5 * (b[m - 1] + b[m]), law.chi) * (b[m] - b[m - 1]));
  return {.largest_stiffness_step = largest / law.stiffness,
          .weakest_slider_force = density.R * std::pow(b[1], 2 + law.chi) / (2 + law.chi) / law.slip_force};
}

Response<double> IwanSliders::evaluate(const State& s, double u) const {
  State trial = s;
  return advance(trial, u);
}

Response<double> IwanSliders::advance(State& s, double u) const {
  if (s.x.empty()) s.x.assign(strength.size(), 0.0);
  const double *phi = strength.data(), *k = stiffness.data(), *f_s = slip_force.data();
  double* x = s.x.data();
  const std::size_t count = strength.size();
  double force = 0, tangent = 0, dissipated = 0;
  // A slider follows u at the distance of its strength. Branch-free; the pragma allows sums in vector lanes.
#pragma omp simd reduction(+ : force, tangent, dissipated)
  for (std::size_t m = 0; m < count; ++m) {
    const double x_0 = x[m], low = u - phi[m], high = u + phi[m];
    const double above = x_0 > low ? x_0 : low, x_1 = above < high ? above : high;
    const double stretch = u - x_1;
    const double stuck_force = k[m] * stretch, full_force = std::copysign(f_s[m], stretch);
    force += x_1 != x_0 ? full_force : stuck_force;
    tangent += x_1 != x_0 ? 0.0 : k[m];
    dissipated += f_s[m] * std::abs(x_1 - x_0);
    x[m] = x_1;
  }
  return {.force = force, .tangent = tangent, .dissipated = dissipated};
}

}  // namespace microslip
