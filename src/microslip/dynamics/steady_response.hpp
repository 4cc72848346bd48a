#pragma once

#include <optional>
#include <span>
#include <vector>

#include <microslip/dynamics/amplitude_law.hpp>

namespace microslip {

/// A steady motion q = amplitude cos(omega t + phase) under the modal force F cos(omega t).
struct SteadyPoint {
  double frequency_hz;
  double amplitude;
  double phase;  ///< [degrees], in [-180, 0]: the motion lags
  bool stable;   ///< more force would mean more motion
};

/// The phase resonance at one amplitude: the force lies a quarter period ahead and feeds the losses alone.
struct RidgePoint {
  double frequency_hz;
  double amplitude;
  double force;
  double damping_ratio;  ///< energy per cycle / (4 pi . largest energy of the equivalent spring)
};

/// What holds an amplitude at a frequency.
struct HeldForce {
  double force;
  double phase;  ///< of the motion behind it [degrees]
};

/// What holds one amplitude over frequencies.
struct HeldCurve {
  double amplitude = 0;
  std::vector<double> frequency_hz, force, phase;
  std::vector<double> third_harmonic;  ///< as in SteadyCurve
};

/// Where the response turns back on itself: a sweep jumps here.
struct Fold {
  double frequency_hz;
  double amplitude;
};

/// Further answers at frequencies where there is more than one.
struct SteadyBranch {
  bool stable;
  std::vector<double> frequency_hz, amplitude, phase;
};

/// The response to one force over frequencies: of several answers the largest. NaN where none is harmonic, which only
/// laws whose force falls when they slip bring about (iwan5 with theta < 1).
struct SteadyCurve {
  double force = 0;
  std::vector<double> frequency_hz, amplitude, phase;
  std::vector<double> third_harmonic;  ///< estimate of the third harmonic's amplitude over the first's
  std::vector<SteadyBranch> branches;
  std::vector<Fold> folds;
  std::optional<RidgePoint> resonance;  ///< see SteadyResponse::resonance
};

/// Steady harmonic response of a mode by the exact first harmonic of its law (describing function):
///   F = A |Z|,  phase = -arg Z,  Z = k + K_1(A) - m omega^2 + i (c omega + L(A)),  L = D / (pi A^2)     (1)
/// What this leaves out is higher harmonics of the motion; `third_harmonic` tells how large they are.
class SteadyResponse {
 public:
  explicit SteadyResponse(const JointedMode& mode);

  [[nodiscard]] const JointedMode& mode() const { return law_.mode(); }
  [[nodiscard]] HeldForce force_for(double amplitude, double frequency_hz) const;
  /// The same over frequencies, with what the amplitude alone decides found once.
  [[nodiscard]] HeldCurve hold(double amplitude, std::vector<double> frequency_hz) const;
  [[nodiscard]] RidgePoint ridge(double amplitude) const;
  /// Where a growing amplitude first lifts the ridge to the force. None where the force is not `bounded`, or where the
  /// ridge only jumps over it (iwan5 with theta < 1, at phi_max).
  [[nodiscard]] std::optional<RidgePoint> resonance(double force) const;
  /// Whether joint and damper take at resonance what the force feeds, at whatever amplitude.
  [[nodiscard]] bool bounded(double force) const;
  /// Every steady motion under the force, the largest first.
  [[nodiscard]] std::vector<SteadyPoint> at(double force, double frequency_hz) const;
  /// Frequencies must grow. Folds between them are located.
  [[nodiscard]] SteadyCurve curve(double force, std::span<const double> frequency_hz) const;
  /// |f_3| / (A |Z(3 omega)|), f_3 the third harmonic of the joint's force for a harmonic motion.
  [[nodiscard]] double third_harmonic(double amplitude, double frequency_hz) const;

 private:
  struct Impedance {
    double stiffness;  ///< k + K_1
    double loss;       ///< L
  };
  struct Entry {
    double amplitude;
    Impedance impedance;
  };
  [[nodiscard]] Impedance impedance(double amplitude) const;
  [[nodiscard]] double force_at(double amplitude, double omega) const;
  [[nodiscard]] HeldForce held(const Entry& entry, double frequency_hz) const;
  [[nodiscard]] double third_force(double amplitude) const;  ///< |f_3|
  [[nodiscard]] double force_of(const Entry& entry, double omega) const;
  /// Below every amplitude of the ridge under the force.
  [[nodiscard]] double ridge_start(double force) const;
  [[nodiscard]] double smallest_amplitude(double force, double omega) const;
  [[nodiscard]] double largest_amplitude(double force, double omega) const;
  [[nodiscard]] std::vector<Entry> table(double from, double to) const;
  [[nodiscard]] std::vector<SteadyPoint> solve(const std::vector<Entry>& table, double force,
                                               double frequency_hz) const;

  AmplitudeLaw law_;
  double stuck_stiffness_;  ///< of the joint at vanishing amplitude
  double corner_;           ///< where the law's force may jump; 0: nowhere
};

}  // namespace microslip
