#pragma once

#include <cstddef>
#include <vector>

namespace microslip {

/// Where a motion turns: between two steps the velocity is the cubic through its values and the accelerations, and
/// the displacement its integral. Found to fourth order in the step.
class Extrema {
 public:
  struct Point {
    double time, displacement;
  };

  /// The motion at the next step; an extremum that it has passed is kept.
  void follow(double t, double u, double v, double a) {
    if (started_ && v_ != 0 && (v_ > 0) != (v > 0)) locate(t, v, a);
    t_ = t, u_ = u, v_ = v, a_ = a, started_ = true;
  }
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

 private:
  void locate(double t, double v, double a);

  std::vector<Point> points_;
  double t_ = 0, u_ = 0, v_ = 0, a_ = 0;
  bool started_ = false;
};

/// Amplitude, frequency and damping of a ring-down at each extremum that has enough neighbours:
///   A_i = |x_i - (x_{i-1} + x_{i+1})/2| / 2: half of peak to peak about the local mean                 (1)
///   omega_d = 2 pi / (t_{i+1} - t_{i-1}),  decay = ln(A_{i-1}/A_{i+1}) / (t_{i+1} - t_{i-1})             (2)
///   omega^2 = omega_d^2 + decay^2,  damping_ratio = decay/omega                                         (3)
/// For an exponential decay about an offset (2) and (3) are exact and (1) errs by (pi zeta)^2/4.
struct Envelope {
  std::vector<double> time, amplitude, frequency_hz, damping_ratio;
};
Envelope envelope(const std::vector<Extrema::Point>& extrema);

/// The envelope at other times, which must grow: amplitude logarithmically between extrema, the others linearly.
/// NaN outside it.
struct EnvelopeSeries {
  std::vector<double> amplitude, frequency_hz, damping_ratio;
};
EnvelopeSeries at_times(const Envelope& envelope, const std::vector<double>& times);

}  // namespace microslip
