#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/identify/modal_bias.hpp>

namespace microslip {

ReplicaCurves RecordReplicas::operator()(const ModalIwan& model, const std::vector<double>& amplitudes, std::size_t n) {
  ReplicaCurves all;
  all.frequency_hz.assign(n, std::vector<double>(amplitudes.size(), std::nan("")));
  all.damping_ratio = all.frequency_hz;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < decays_.size(); ++k) {
    std::size_t end = begin;
    while (end < places_.size() && places_[end].decay == k) ++end;
    if (end == begin) continue;
    const MeasuredDecay& d = decays_[k];
    const std::size_t first = places_[begin].point;
    const DecayReplicas replica(*d.setup, model, d.time[first], 1.01 * d.amplitude[first], noise_[k]);
    noise_[k] = replica.noise_deviation();
    const std::vector<double> at(amplitudes.begin() + static_cast<std::ptrdiff_t>(begin),
                                 amplitudes.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t r = 0; r < n; ++r) {
      progress_.at(static_cast<double>(k * n + r) / static_cast<double>(n * decays_.size()), "replicas");
      if (progress_.stopped()) throw NotConverged("stopped while simulating decays");
      try {
        const auto curves = replica(at, seed_ + 7919 * (k + 1) + 104729 * (r + 1));
        std::copy(curves.frequency_hz.begin(), curves.frequency_hz.end(),
                  all.frequency_hz[r].begin() + static_cast<std::ptrdiff_t>(begin));
        std::copy(curves.damping_ratio.begin(), curves.damping_ratio.end(),
                  all.damping_ratio[r].begin() + static_cast<std::ptrdiff_t>(begin));
      } catch (const InvalidInput&) {  // a replica that cannot be read tells nothing: it stays not a number
      }
    }
    begin = end;
  }
  return all;
}

Corrected corrected(const ModalPoints& raw, const std::vector<bool>& flagged, const ModalIwanLaw& model,
                    ReplicaCurves& replicas) {
  Corrected result{raw, std::vector<double>(raw.size(), 0), std::vector<double>(raw.size(), 0)};
  ModalPoints& points = result.points;
  const std::size_t n = replicas.frequency_hz.size();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const ModalAt at = model(raw.amplitude[i]);
    double f_sum = 0, z_sum = 0, f_squares = 0, z_squares = 0;
    std::size_t count = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const double f = std::log(replicas.frequency_hz[r][i] / at.frequency_hz);
      const double z = std::log(replicas.damping_ratio[r][i] / at.damping_ratio);
      if (!std::isfinite(f) || !std::isfinite(z)) continue;
      f_sum += f, z_sum += z, f_squares += f * f, z_squares += z * z, ++count;
    }
    const auto m = static_cast<double>(count);
    const bool enough = 2 * count >= n && count > 1;
    const double f_bias = enough ? f_sum / m : 0, z_bias = enough ? z_sum / m : 0;
    if (!enough) points.leave_out(i);
    const auto deviation = [&](double squares, double bias, double least) {
      if (!enough) return 1.0;
      const double variance = std::max(squares - m * bias * bias, 0.0) / (m - 1);
      return std::max(std::sqrt(variance + 0.01 * bias * bias), least);
    };
    points.frequency_deviation[i] = deviation(f_squares, f_bias, least_frequency_deviation);
    points.damping_deviation[i] = deviation(z_squares, z_bias, least_damping_deviation);
    if (flagged[i]) {
      points.frequency_deviation[i] = std::max(points.frequency_deviation[i], raw.frequency_deviation[i]);
      points.damping_deviation[i] = std::max(points.damping_deviation[i], raw.damping_deviation[i]);
    }
    result.frequency_bias[i] = f_bias;
    result.damping_bias[i] = z_bias;
    points.frequency_hz[i] *= std::exp(-f_bias);
    points.damping_ratio[i] *= std::exp(-z_bias);
    for (std::size_t r = 0; r < n; ++r) {
      double& f = replicas.frequency_hz[r][i];
      double& z = replicas.damping_ratio[r][i];
      const bool gap = !std::isfinite(f) || !std::isfinite(z) || !(z > 0);
      f = gap ? at.frequency_hz : f * std::exp(-f_bias);
      z = gap ? at.damping_ratio : z * std::exp(-z_bias);
    }
  }
  return result;
}

}  // namespace microslip
