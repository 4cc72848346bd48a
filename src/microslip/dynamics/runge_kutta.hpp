#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <microslip/core/check.hpp>

namespace microslip {

/// A piece of a solution: y at t_0 + x h for 0 <= x <= 1, to fourth order, and its derivative.
template <std::size_t N>
struct DenseStep {
  double t_0, h;
  std::array<std::array<double, 5>, N> r;

  [[nodiscard]] double value(std::size_t i, double t) const {
    const double x = (t - t_0) / h, y = 1 - x;
    const auto& c = r[i];
    return c[0] + x * (c[1] + y * (c[2] + x * (c[3] + y * c[4])));
  }
  [[nodiscard]] double rate(std::size_t i, double t) const {
    const double x = (t - t_0) / h, y = 1 - x;
    const auto& c = r[i];
    return (c[1] + (1 - 2 * x) * c[2] + x * (2 - 3 * x) * c[3] + 2 * x * y * (1 - 2 * x) * c[4]) / h;
  }
};

/// Dormand and Prince's fifth-order method with its fourth-order interpolant [Hairer, Norsett & Wanner, II.5-6].
/// y' = f(t, y) from t_0 to t_1; every accepted step goes to `keep`. `tolerance` is absolute, one per component.
/// Returns y(t_1). Throws NotConverged where the step becomes too small to change t, and after `most_steps`: a
/// tolerance that cannot be met must not end with the memory.
template <std::size_t N, class F, class Keep>
std::array<double, N> runge_kutta(const F& f, double t_0, double t_1, std::array<double, N> y,
                                  const std::array<double, N>& tolerance, double first_step, double largest_step,
                                  std::size_t most_steps, const Keep& keep) {
  using Y = std::array<double, N>;
  const auto combine = [&](double h, std::initializer_list<std::pair<double, const Y*>> terms) {
    Y z = y;
    for (const auto& [weight, k] : terms)
      for (std::size_t i = 0; i < N; ++i) z[i] += h * weight * (*k)[i];
    return z;
  };
  double t = t_0, h = std::min({first_step, largest_step, t_1 - t_0});
  Y k1 = f(t, y);
  for (std::size_t tried = 0; t < t_1; ++tried) {
    if (tried >= most_steps)
      throw NotConverged(fmt::format("averaging: {} steps did not lead beyond {:.6g} s", tried, t));
    const bool last = t + h >= t_1 - 1e-12 * (t_1 - t_0);
    if (last) h = t_1 - t;
    const Y k2 = f(t + h / 5, combine(h, {{1.0 / 5, &k1}}));
    const Y k3 = f(t + 3 * h / 10, combine(h, {{3.0 / 40, &k1}, {9.0 / 40, &k2}}));
    const Y k4 = f(t + 4 * h / 5, combine(h, {{44.0 / 45, &k1}, {-56.0 / 15, &k2}, {32.0 / 9, &k3}}));
    const Y k5 =
        f(t + 8 * h / 9,
          combine(h, {{19372.0 / 6561, &k1}, {-25360.0 / 2187, &k2}, {64448.0 / 6561, &k3}, {-212.0 / 729, &k4}}));
    const Y k6 = f(t + h, combine(h, {{9017.0 / 3168, &k1},
                                      {-355.0 / 33, &k2},
                                      {46732.0 / 5247, &k3},
                                      {49.0 / 176, &k4},
                                      {-5103.0 / 18656, &k5}}));
    const Y y_1 = combine(
        h, {{35.0 / 384, &k1}, {500.0 / 1113, &k3}, {125.0 / 192, &k4}, {-2187.0 / 6784, &k5}, {11.0 / 84, &k6}});
    const Y k7 = f(t + h, y_1);
    double error = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double e = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] -
                            17253.0 / 339200 * k5[i] + 22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
      error = std::max(error, std::abs(e) / tolerance[i]);
    }
    if (error <= 1) {
      DenseStep<N> step{t, h, {}};
      for (std::size_t i = 0; i < N; ++i) {
        const double rise = y_1[i] - y[i], bend = h * k1[i] - rise;
        step.r[i] = {y[i], rise, bend, rise - h * k7[i] - bend,
                     h * (-12715105075.0 / 11282082432 * k1[i] + 87487479700.0 / 32700410799 * k3[i] -
                          10690763975.0 / 1880347072 * k4[i] + 701980252875.0 / 199316789632 * k5[i] -
                          1453857185.0 / 822651844 * k6[i] + 69997945.0 / 29380423 * k7[i])};
      }
      keep(step);
      y = y_1, k1 = k7;
      t = last ? t_1 : t + h;
    }
    if (!std::isfinite(error)) error = 1e10;
    h = std::min(largest_step, h * std::clamp(0.9 * std::pow(error + 1e-30, -0.2), 0.1, 8.0));
    if (t < t_1 && !(t + h > t)) throw NotConverged(fmt::format("averaging: the step became too small at {:.6g} s", t));
  }
  return y;
}

/// Of the pieces in order, the one that holds t; `hint` is where the last one was.
template <std::size_t N>
const DenseStep<N>& piece_at(const std::vector<DenseStep<N>>& pieces, double t, std::size_t& hint) {
  if (hint >= pieces.size() || t < pieces[hint].t_0) hint = 0;
  while (hint + 1 < pieces.size() && t >= pieces[hint + 1].t_0) ++hint;
  return pieces[hint];
}

}  // namespace microslip
