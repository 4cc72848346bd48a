#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/progress.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/modal/joint.hpp>
#include <microslip/modal/jointed_system.hpp>
#include <microslip/modal/linear_modes.hpp>
#include <microslip/modal/prestress.hpp>
#include <microslip/modal/quasi_static.hpp>

namespace microslip {

/// Where the area of a loop is taken [Porter2022, Fig. 6]: from the laws at every point of the joint, or from modal
/// force against modal amplitude by Gauss-Lobatto quadrature. With two frameworks, four ways.
enum class Dissipation { local, modal };

/// "local" or "modal", and back; another name is refused with a suggestion.
std::string_view to_string(Dissipation dissipation);
Dissipation dissipation_from(std::string_view name);

struct RqnmaOptions {
  std::optional<Framework> framework;  ///< absent: masing where law and contact obey it, else reversal
  Dissipation dissipation = Dissipation::local;
  int quadrature_points = 51;     ///< modal: between two amplitudes (masing) or on each half of the loop (reversal)
  double damping_ratio = 0;       ///< viscous, added to every amplitude [Porter2022, Eq. 40]
  PrestressOptions prestress;     ///< preload 0: none
  int max_loops = 100;            ///< of the reversal framework, until the loop closes
  double loop_tolerance = 1e-8;   ///< change of the joint's forces in a round, over those of inertia; of the loss: 1e-6
  bool accelerate = true;         ///< Newton's method on the joint's memory; false: plain repetition
  double trace_tolerance = 5e-3;  ///< of the loss, where points do not go straight from end to end
  NewtonOptions newton;
  bool sensitivities = false;  ///< derivatives with respect to the joint's parameters; of local dissipation only
  bool shapes = true;          ///< whether points carry their shape and the joint's picture
};

/// What an amplitude's loop is like. Where none was found, frequency, damping, dissipation and linear assurance are
/// NaN.
struct BackbonePoint {
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  double amplitude = 0;              ///< q, mass-normalised [sqrt(kg) m]
  double frequency_hz = not_known;   ///< of the closed loop: mean of both ends in the reversal framework
  double damping_ratio = not_known;  ///< Eq. 40
  double dissipation = 0;            ///< energy per cycle [J]
  double residual = 0;               ///< |Eq. 33a| / |lambda M (u - u_s)|, the larger of both ends
  bool converged = false;
  std::string flag;                     ///< why the point is not to be trusted; empty where it is
  int iterations = 0;                   ///< of Newton's method, in all
  int loops = 0;                        ///< traced until the loop closed
  double loop_gap = 0;                  ///< what was left of it
  double assurance = 1;                 ///< mass-weighted modal assurance with the amplitude before
  double linear_assurance = not_known;  ///< and with the linear mode
  /// By parameter, order of joint_parameters; empty where not asked for or not found, of which a note tells.
  Eigen::VectorXd d_frequency_hz, d_damping_ratio, d_dissipation;
  Eigen::VectorXd shape;       ///< (u - u_s)/q at +q
  Eigen::VectorXd local_loss;  ///< energy per cycle at each point of the interface
  Eigen::VectorXd relative;    ///< relative displacements there at +q (x, y, n), from the prestressed state
  Eigen::VectorXd force;       ///< and the joint's forces, likewise
};

/// A computed backbone with all that goes with it.
struct Rqnma {
  int mode = 1;
  Framework framework = Framework::masing;
  double linear_frequency_hz = 0;  ///< at vanishing amplitude, joints at their initial stiffness
  std::optional<Prestress> prestress;
  std::vector<BackbonePoint> points;
  std::vector<std::string> notes;
};

/// Amplitude-dependent frequency, damping and shape of the `mode`-th elastic mode (from 1) of a jointed structure
/// [Porter2022, Eqs. 33-40]. Amplitudes ascend and are > 0; each starts from the prestressed state. A point that fails
/// is marked and the rest goes on. The system may serve many threads at once.
Rqnma rqnma(const JointedSystem& system, const Joint& joint, int mode, std::span<const double> amplitudes,
            const RqnmaOptions& options = {}, const Progress& progress = {});

}  // namespace microslip
