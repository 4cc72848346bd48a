#pragma once

#include <vector>

#include <microslip/dynamics/amplitude_law.hpp>
#include <microslip/dynamics/load.hpp>
#include <microslip/dynamics/newmark.hpp>
#include <microslip/dynamics/runge_kutta.hpp>

namespace microslip {

/// Amplitude and phase: u = offset + A cos(phi), v = -decay A cos(phi) - omega_d A sin(phi).
struct AmplitudePhase {
  double amplitude;
  double phase;
};

/// The amplitude and phase at which a mode has displacement u and velocity v, exactly (frequency and decay depend on
/// the amplitude; solved by iteration) [Shetty2019, Eqs. 7-10 with the decay kept].
AmplitudePhase amplitude_and_phase(const AmplitudeLaw& law, double u, double v);
/// The same where the motion turns at height `peak` above (below, if negative) its mean.
AmplitudePhase amplitude_and_phase_at_extremum(const AmplitudeLaw& law, double peak);

/// Damped frequency. Refused where the mode is overdamped: it has none.
double damped_omega(const AtAmplitude& at);

/// A mode that rings freely, by averaging [Shetty2019, Eqs. 12-15]:
///   (ln A)' = -decay(A),   phi' = omega_d(A),   lost' = D(A) omega(A)/(2 pi)
/// An autonomous equation without oscillation, so a few dozen steps cover thousands of periods. The loss is carried
/// along for the ledger: that the energy of the peaks falls by as much is a finding, not a definition.
class FreeDecay {
 public:
  FreeDecay(const AmplitudeLaw& law, double from, double to, AmplitudePhase start, double offset = 0);

  struct Motion {
    double amplitude, phase, displacement, velocity;
  };
  /// Amplitude and phase at a time within [from, to]; fastest when called in order of time.
  [[nodiscard]] AmplitudePhase amplitude_and_phase_at(double t) const;
  [[nodiscard]] Motion at(double t) const;
  /// Energy that joint and damper have taken since `from`.
  [[nodiscard]] double dissipated(double t) const;
  [[nodiscard]] std::size_t n_steps() const { return pieces_.size(); }
  [[nodiscard]] double offset() const { return offset_; }

 private:
  std::vector<DenseStep<3>> pieces_;  ///< ln A, the phase less omega_reference (t - from), the loss
  double from_, omega_reference_ = 0, offset_, phase_;
  mutable std::size_t hint_ = 0;
};

/// A mode under a load, by the equation u'' + 2 decay(A) u' + omega(A)^2 u = F/m with the amplitude of the moment
/// [Shetty2019, Eqs. 1-10], solved by Runge and Kutta's method instead of stepping the joint.
class ForcedAveraging {
 public:
  /// The load is multiplied by `factor`.
  ForcedAveraging(const AmplitudeLaw& law, const Load& load, double factor, double from, double to, double u, double v);

  struct Motion {
    double displacement, velocity;
    double work;        ///< done by the load since `from`
    double dissipated;  ///< by joint and damper since then
  };
  [[nodiscard]] Motion at(double t) const;
  [[nodiscard]] Motion end() const { return {end_[0], end_[1], end_[2], end_[3]}; }
  /// Over the steps taken, at their ends.
  [[nodiscard]] double largest_amplitude() const { return largest_amplitude_; }
  [[nodiscard]] std::size_t n_steps() const { return pieces_.size(); }

 private:
  std::vector<DenseStep<4>> pieces_;
  std::array<double, 4> end_{};  ///< displacement, velocity, work, loss
  double largest_amplitude_ = 0;
  mutable std::size_t hint_ = 0;
};

}  // namespace microslip
