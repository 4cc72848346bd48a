#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/dynamics/extrema.hpp>

namespace microslip {

void Extrema::locate(double t, double v, double a) {
  const double h = t - t_;
  // v(x) = v_0 + x (h a_0) + x^2 p + x^3 q on 0 <= x <= 1.
  const double a_0 = h * a_, a_1 = h * a, rise = v - v_;
  const double p = 3 * rise - 2 * a_0 - a_1, q = a_0 + a_1 - 2 * rise;
  double low = 0, high = 1, x = v_ / (v_ - v);
  for (int i = 0; i < 60; ++i) {
    const double value = v_ + x * (a_0 + x * (p + x * q)), slope = a_0 + x * (2 * p + 3 * x * q);
    ((value > 0) == (v_ > 0) ? low : high) = x;
    double next = x - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - x) < 1e-15;
    x = next;
    if (done) break;
  }
  points_.push_back({t_ + x * h, u_ + h * x * (v_ + x * (a_0 / 2 + x * (p / 3 + x * q / 4)))});
}

Envelope envelope(const std::vector<Extrema::Point>& extrema) {
  using std::numbers::pi;
  Envelope result;
  const std::size_t n = extrema.size();
  if (n < 5) return result;
  const auto amplitude = [&](std::size_t i) {
    return 0.5 * std::abs(extrema[i].displacement - 0.5 * (extrema[i - 1].displacement + extrema[i + 1].displacement));
  };
  for (std::size_t i = 2; i + 2 < n; ++i) {
    const double period = extrema[i + 1].time - extrema[i - 1].time;
    const double decay = std::log(amplitude(i - 1) / amplitude(i + 1)) / period;
    const double omega = std::hypot(2 * pi / period, decay);
    result.time.push_back(extrema[i].time);
    result.amplitude.push_back(amplitude(i));
    result.frequency_hz.push_back(omega / (2 * pi));
    result.damping_ratio.push_back(decay / omega);
  }
  return result;
}

EnvelopeSeries at_times(const Envelope& envelope, const std::vector<double>& times) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EnvelopeSeries series;
  for (auto* column : {&series.amplitude, &series.frequency_hz, &series.damping_ratio})
    column->assign(times.size(), nothing);
  std::size_t i = 0;
  for (std::size_t j = 0; j < times.size(); ++j) {
    while (i + 1 < envelope.time.size() && envelope.time[i + 1] < times[j]) ++i;
    if (i + 1 >= envelope.time.size() || times[j] < envelope.time[i]) continue;
    const double x = (times[j] - envelope.time[i]) / (envelope.time[i + 1] - envelope.time[i]);
    const auto between = [&](const std::vector<double>& y) { return y[i] + x * (y[i + 1] - y[i]); };
    series.amplitude[j] = std::pow(envelope.amplitude[i], 1 - x) * std::pow(envelope.amplitude[i + 1], x);
    series.frequency_hz[j] = between(envelope.frequency_hz);
    series.damping_ratio[j] = between(envelope.damping_ratio);
  }
  return series;
}

}  // namespace microslip
