#pragma once

#include <optional>
#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/piecewise_beam.hpp>
#include <microslip/beam/preload.hpp>
#include <microslip/core/outcome.hpp>

namespace microslip::beam {

/// What the interface does at one place: `open` carries no friction because nothing presses there.
enum class ContactState { open, stick, slip_forward, slip_backward };

/// One stretch of the interface in one state. Its ends are slip fronts or ends of the contact.
struct Region {
  double from, to;
  ContactState state;
};

/// The beam at the peak of a force that grew from zero.
struct SlipState {
  double force = 0;
  double displacement = 0;        ///< at the load, along it
  std::vector<Region> regions{};  ///< of the interface, left to right
  double slip_length = 0;         ///< all slipping regions together
  double stick_length = 0;
  double dissipation = 0;  ///< per cycle between +force and -force (Masing; static pressure), exact
  Outcome outcome = Outcome::converged;
  int iterations = 0;
  double residual = 0;    ///< largest last move of a front over the support's length
  bool gave_way = false;  ///< nothing sticks; where it did not converge, nothing stuck on the way
};

/// Where slip begins, and under which force.
struct Onset {
  double force;
  double position;
};

/// The interface at one place, under a force that grew from zero.
struct Traction {
  double position;
  double value;  ///< along the beam [N/m]
  double limit;  ///< mu q: what friction can bear
  bool sticks;
};

/// A closed loop as points.
struct LoopCurve {
  std::vector<double> displacement;
  std::vector<double> force;
  double dissipation = 0;
};

/// Forces that grow from zero, and what they do.
struct SlipBackbone {
  std::vector<SlipState> states;           ///< up to the last force that the interface bears
  std::optional<double> macro_slip_force;  ///< above it nothing sticks and the beam slides off; none if not met
};

/// The steady loop between +-force whose virgin curve is given at n forces i force/n, by Masing's rule, on 2 n points.
LoopCurve masing_loop(const std::vector<SlipState>& virgin);

/// Whether the normal force follows the deflection within the cycle [Asadi2012, Eq. 17].
enum class NormalForce { constant, dynamic };

/// The exact solution in partial slip [Asadi2012, Eqs. 19-22] with any number of slipping regions, each front an
/// unknown. The traction is tau = clamp(k_t s, +-mu q), s = u - (h/2) w'. Given regions, the equations are linear and
/// solved exactly; the law then says anew where the beam sticks. This is Newton's method for the fronts: moving a front
/// from where k_t s = mu q changes the traction, hence s, only by the square of the move.
class PartialSlip {
 public:
  PartialSlip(const Model& model, Pressure pressure, NormalForce normal_force = NormalForce::constant);

  /// The least force that makes a point slip [Asadi2012, Eq. 18].
  [[nodiscard]] Onset onset() const;
  /// The state under a force grown from zero (negative: the other half-cycle), from a guess of the regions.
  [[nodiscard]] SlipState at(double force, const std::vector<Region>& guess = {}) const;
  [[nodiscard]] Field motion(const SlipState& state) const;
  /// At n + 1 places evenly over the contact; for a constant normal force.
  [[nodiscard]] std::vector<Traction> tractions(const SlipState& state, int n) const;
  /// The states under growing forces; stops where nothing sticks any more and finds that force.
  [[nodiscard]] SlipBackbone backbone(const std::vector<double>& forces) const;
  /// The steady loop between +-force by Masing's rule, on 2 n points. Needs a constant normal force.
  [[nodiscard]] LoopCurve masing_loop(double force, int n) const;

  [[nodiscard]] const Pressure& pressure() const { return pressure_; }

 private:
  [[nodiscard]] std::vector<Stretch> stretches(const std::vector<Region>& regions) const;
  [[nodiscard]] std::vector<Region> regions(const Field& field, const std::vector<Region>& current) const;
  [[nodiscard]] std::vector<Region> without_slivers(const std::vector<Region>& regions, double tiny) const;
  [[nodiscard]] double limit(const Field& field, double x) const;
  [[nodiscard]] ContactState state_at(const Field& field, double x) const;
  [[nodiscard]] double loss(const Field& field, const std::vector<Region>& regions) const;

  Model model_;
  Pressure pressure_;
  NormalForce normal_force_;
};

}  // namespace microslip::beam
