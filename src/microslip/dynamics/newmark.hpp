#pragma once

#include <microslip/core/check.hpp>

namespace microslip {

/// How the equations of motion are stepped and when a step counts as solved.
struct NewmarkOptions {
  /// Hilber, Hughes and Taylor's alpha in [-1/3, 0]: 0 is the average acceleration method, below it damps what the
  /// step does not resolve.
  double hht_alpha = 0;
  /// Of the residual, relative to the forces of the step, or, in a structure, to the displacements across its joints:
  /// it means the same at every amplitude. In newtons where `absolute`, which is how [Shetty2019] stops: it then spoils
  /// small amplitudes (the paper's Fig. 5). Modes only; a structure refuses it.
  double tolerance = 1e-12;
  bool absolute = false;
  int max_iterations = 25;  ///< of Newton's method before a step is halved
  int max_halvings = 12;
  /// Error of the motion within a step, relative to the motion, that is aimed at; a step that errs twice as much is
  /// halved. 0: steps are taken as they come. Set by an automatic plan.
  double accuracy = 0;
};

inline NewmarkOptions checked(const NewmarkOptions& options) {
  within("hht_alpha", options.hht_alpha, -1.0 / 3, 0);
  positive("tolerance", options.tolerance);
  if (options.max_iterations < 1) throw InvalidInput("max_iterations must be at least 1");
  if (options.max_halvings < 0) throw InvalidInput("max_halvings must be at least 0");
  return options;
}

/// Newmark's method with the acceleration a_1 at the end of a step of length dt as the unknown:
///   u_1 = u_p + b a_1,   v_1 = v_p + g a_1
///   u_p = u_0 + dt v_0 + (dt^2/2 - b) a_0,   v_p = v_0 + (dt - g) a_0                                   (1)
///   M a_1 + s r(u_1, v_1) = s F_1 + (1 - s) (F_0 - r_0),   r = C v + K u + joints(u),   s = 1 + alpha    (2)
/// With the displacement as the unknown, a_1 = (u_1 - u_p)/b would lose three digits at 200 steps per period.
/// Where the acceleration is linear over the step instead, u_1 has dt^2/6 for b: the difference is the error of a step,
///   |b - dt^2/6| |a_1 - a_0|                                                                            (3)
/// and for a free oscillation it is (omega dt)^2/12 of the path dt |v|, as is the error of the period.
struct NewmarkStep {
  double dt, b, g, s;
  double e;  ///< of (3)

  NewmarkStep(double step, double alpha)
      : dt(step),
        b(0.25 * (1 - alpha) * (1 - alpha) * step * step),
        g((0.5 - alpha) * step),
        s(1 + alpha),
        e(b - step * step / 6) {}

  /// Whether (3) exceeds twice the accuracy of the path dt sqrt(v^2 + (dt a)^2), all sizes squared; the second term is
  /// the path where the motion turns.
  [[nodiscard]] bool rough(double accuracy, double jump_2, double v_2, double a_2) const {
    return e * e * jump_2 > 4 * accuracy * accuracy * dt * dt * (v_2 + dt * dt * a_2);
  }
};

/// How an attempt at a step ends: solved; Newton's method stalls; solved, but too rough to be accepted.
enum class Attempt { solved, stalled, rough };

/// Where the energy went. `dissipated` is the law's exact loss and what the dampers take, not what makes it balance.
struct Energy {
  double initial = 0;     ///< kinetic and stored at the start
  double work = 0;        ///< done by the load and by a static force
  double kinetic = 0;     ///< at the end
  double stored = 0;      ///< at the end: springs, those of the sliders included
  double dissipated = 0;  ///< joints and dampers

  /// (initial + work - kinetic - stored - dissipated) / (initial + work); 0 where nothing happened.
  [[nodiscard]] double imbalance() const {
    const double in = initial + work, missing = in - kinetic - stored - dissipated;
    return in == 0 && missing == 0 ? 0 : missing / in;
  }

  Energy& operator+=(const Energy& other) {
    initial += other.initial;
    work += other.work;
    kinetic += other.kinetic;
    stored += other.stored;
    dissipated += other.dissipated;
    return *this;
  }
};

}  // namespace microslip
