#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <Eigen/LU>

#include <microslip/beam/preload.hpp>
#include <microslip/core/check.hpp>

namespace microslip::test {

/// A pressure given as a function over the whole support, cut at `breaks` (its kinks) and approximated there by
/// polynomials of degree 10 at Chebyshev points.
inline beam::Pressure given_pressure(const beam::Model& model, const std::function<double(double)>& density,
                                     std::vector<double> breaks) {
  constexpr int n = 11;
  const double length = model.support.length;
  beam::Pressure pressure{
      .density = {}, .from = 0, .to = length, .tied = true, .total = 0, .pressed = {{0, length}}, .lift_off = {0, 0}};
  breaks.insert(breaks.end(), {0.0, length});
  std::sort(breaks.begin(), breaks.end());
  Eigen::Matrix<double, n, n> powers;
  std::array<double, n> points{};
  for (int i = 0; i < n; ++i) {
    points[static_cast<std::size_t>(i)] = (1 - std::cos(std::numbers::pi * (i + 0.5) / n)) / 2;
    for (int k = 0; k < n; ++k) powers(i, k) = std::pow(points[static_cast<std::size_t>(i)], k);
  }
  const Eigen::FullPivLU<Eigen::Matrix<double, n, n>> lu(powers);
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double from = breaks[i], size = breaks[i + 1] - from;
    if (from < 0 || breaks[i + 1] > length) throw InvalidInput("a pressure's breaks must lie on the support");
    if (size <= 0) continue;
    Eigen::Matrix<double, n, 1> samples;
    for (int j = 0; j < n; ++j) {
      samples[j] = density(from + size * points[static_cast<std::size_t>(j)]);
      finite("pressure", samples[j]);
    }
    const Eigen::Matrix<double, n, 1> c = lu.solve(samples);
    beam::Polynomial q{};
    for (int k = 0; k < n; ++k) {
      q[static_cast<std::size_t>(k)] = c[k];
      pressure.total += size * c[k] / (k + 1);
    }
    pressure.density.add(from, from + size, q);
  }
  return pressure;
}

}  // namespace microslip::test
