#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>

#include <microslip/joints/any_law.hpp>

namespace microslip {

/// A mode with its joint: mass q'' + damping q' + linear_stiffness q + joint(q) = force.
struct JointedMode {
  double mass = 1;
  double damping = 0;
  double linear_stiffness = 0;
  std::optional<AnyLaw> joint;

  /// sqrt(stiffness at vanishing amplitude / mass) [rad/s].
  [[nodiscard]] double low_amplitude_omega() const;
};

/// The mode, if its mass is positive, damping and linear stiffness are not negative, and it has some stiffness.
JointedMode checked(const JointedMode& mode, const std::string& what);

/// How frequency and damping follow from amplitude.
///  exact   omega from the loop's first harmonic; A' = -D omega/(2 pi E'(A)), the decay of the energy at the peaks
///  paper   [Shetty2019, Eqs. 2-6]: secant stiffness and D/(2 pi m omega^2 A^2), iwan4 in micro-slip only
enum class Properties { exact, paper };

/// What a mode does at one amplitude.
struct AtAmplitude {
  double omega;        ///< undamped [rad/s]
  double decay;        ///< -A'/A [1/s]
  double dissipation;  ///< per cycle, dampers included [J]
};

/// Frequency and decay of a mode as functions of amplitude, and the energy at the peaks.
class AmplitudeLaw {
 public:
  AmplitudeLaw(const JointedMode& mode, Properties properties);

  [[nodiscard]] AtAmplitude operator()(double amplitude) const { return at_(amplitude); }
  /// Elastic and stored energy at a peak of the steady motion [J].
  [[nodiscard]] double energy(double amplitude) const { return energy_(amplitude); }
  /// Where the decay jumps, for the tangent does: the onset of macro-slip. Infinity where it does nowhere.
  [[nodiscard]] double corner() const { return corner_; }
  [[nodiscard]] const JointedMode& mode() const { return mode_; }

 private:
  JointedMode mode_;
  std::function<AtAmplitude(double)> at_;
  std::function<double(double)> energy_;
  double corner_ = std::numeric_limits<double>::infinity();
};

}  // namespace microslip
