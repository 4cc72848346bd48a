#pragma once

#include <memory>
#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/partial_slip.hpp>
#include <microslip/beam/preload.hpp>

namespace microslip::beam {

/// A cycle of force, marched.
struct CycleResult {
  LoopCurve loop;          ///< the last cycle, from +force down and back
  double dissipation = 0;  ///< of the last cycle, summed over the sliders
  double closure = 0;      ///< displacement by which the last cycle misses closing, over its amplitude
  int cycles = 0;
  std::vector<std::vector<Region>> interface;  ///< at each point of the loop, where asked for
};

/// What the mesh looks like.
struct MeshOptions {
  int support_elements = 200;   ///< on the support
  int overhang_elements = 120;  ///< beside it
};

/// The same beam by finite elements: cubic w, quadratic u, and at three Gauss points per element of the interface a
/// Jenkins element (spring k_t, slider mu q). It marches any load history and knows nothing of fronts or of Masing's
/// rule: a check on PartialSlip and a way past its limits.
class FiniteElementBeam {
 public:
  FiniteElementBeam(const Model& model, const Pressure& pressure, const MeshOptions& mesh = {});
  ~FiniteElementBeam();
  FiniteElementBeam(FiniteElementBeam&&) noexcept;

  [[nodiscard]] std::vector<double> natural_frequencies_hz(int n) const;
  /// The state under a force grown from zero, in one step. Fronts are interpolated between Gauss points.
  [[nodiscard]] SlipState at(double force, NormalForce normal_force = NormalForce::constant) const;
  /// From rest to +force and round the cycle in equal steps of the angle, with the operator K - omega^2 M of the
  /// load's frequency throughout, until a cycle closes to 1e-9 or `most_cycles` have passed.
  [[nodiscard]] CycleResult march(double force, int steps, NormalForce normal_force = NormalForce::constant,
                                  int most_cycles = 1, bool keep_interface = false) const;

  struct Assembly;
  [[nodiscard]] const Assembly& assembly() const { return *assembly_; }

 private:
  std::unique_ptr<Assembly> assembly_;
};

}  // namespace microslip::beam
