#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include <microslip/dynamics/joint_group.hpp>
#include <microslip/dynamics/newmark.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/structure/system.hpp>

namespace microslip {

/// M u'' + C u' + K u + map^T joints(map u) = static_force + load_row load(t).
struct JointedStructure {
  System system;
  Eigen::MatrixXd map;  ///< relative displacements w = map u
  std::vector<JointGroup> joints;
  std::vector<ContactGroup> contacts;
  Eigen::VectorXd load_row;      ///< for a base acceleration: the direction in which the base moves
  Eigen::VectorXd static_force;  ///< empty: none
};

/// The structure, if its parts fit: columns of the map, rows of the groups, lengths of the vectors.
JointedStructure checked(JointedStructure structure, const std::string& what);

/// Stiffness at vanishing amplitude: every joint sticks, every contact is closed.
Eigen::MatrixXd stuck_stiffness(const JointedStructure& structure);
/// Natural frequencies with that stiffness, in order [Hz]; rigid motions are 0.
std::vector<double> low_amplitude_frequencies_hz(const JointedStructure& structure);

/// Newmark's method on a structure with joints. The linear part is factorised once per step length; Newton's method
/// runs on the relative displacements alone,
///   w + G f(w) = w_linear,   G = s b map S^-1 map^T,   S = M + s (g C + b K),
/// so that a step costs a few products with small matrices.
class StructureStepper {
 public:
  StructureStepper(const JointedStructure& structure, double step, const NewmarkOptions& options);
  ~StructureStepper();
  StructureStepper(const StructureStepper&) = delete;
  StructureStepper& operator=(const StructureStepper&) = delete;

  /// At rest where joints and springs balance a static force, reached in `increments` equal parts, halved where no
  /// balance is found: friction remembers the way. Returns the part of the force that is balanced, 1 for all of it.
  [[nodiscard]] double rest_under(const Eigen::VectorXd& force, int increments = 20);
  /// Moves to rest + displacement, joints loaded monotonically, with this velocity while `force` acts.
  void start(const Eigen::VectorXd& displacement, const Eigen::VectorXd& velocity, const Eigen::VectorXd& force);
  /// One step under a force that goes linearly to force_1; false where Newton's method fails even after halving.
  bool advance(const Eigen::VectorXd& force_1) { return advance(force_1, 0); }

  [[nodiscard]] const Eigen::VectorXd& displacement() const { return u_; }
  [[nodiscard]] const Eigen::VectorXd& velocity() const { return v_; }
  [[nodiscard]] const Eigen::VectorXd& acceleration() const { return a_; }
  [[nodiscard]] Energy energy() const;
  [[nodiscard]] long long n_iterations() const { return n_iterations_; }
  [[nodiscard]] long long n_halved() const { return n_halved_; }
  [[nodiscard]] long long n_refined() const { return n_refined_; }

 private:
  struct Level;  ///< what a step length needs
  struct Work;   ///< vectors that a step uses, allocated once

  bool advance(const Eigen::VectorXd& force_1, int level);
  bool balance(const Eigen::VectorXd& target, const Eigen::FullPivLU<Eigen::MatrixXd>& stuck, Eigen::VectorXd& u);
  Attempt solve(const Level& level, const Eigen::VectorXd& force_1, double accuracy);
  [[nodiscard]] double mass_norm_2(const Eigen::VectorXd& x) const { return x.dot(system_.mass * x); }
  Level& level_at(int level);
  void joint_forces(const Eigen::VectorXd& w);
  void newton_direction(const Level& level);
  [[nodiscard]] Eigen::MatrixXd static_tangent() const;

  const System system_;
  const Eigen::MatrixXd map_, map_size_;
  const bool damped_;
  const double step_;
  const NewmarkOptions options_;
  std::vector<std::unique_ptr<Elements>> elements_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::unique_ptr<Work> work_;
  Eigen::VectorXd u_, v_, a_, w_, force_, joint_force_;
  Energy energy_;
  long long n_iterations_ = 0, n_halved_ = 0, n_refined_ = 0;
};

/// Initial displacement (from the rest under the static force) and velocity; empty: zero.
struct StructureStart {
  Eigen::VectorXd displacement, velocity;
};

/// The response at the structure's sensors, or of every coordinate where it has none, by Newmark's method. Amplitude,
/// frequency and damping are those of the sensors. Other methods are refused: they need uncoupled modes.
Simulation simulate(const JointedStructure& structure, const Excitation& excitation, const StructureStart& start,
                    const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options,
                    const Progress& progress = {});

}  // namespace microslip
