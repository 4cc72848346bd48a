#pragma once

#include <functional>
#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/piecewise_beam.hpp>
#include <microslip/beam/preload.hpp>

namespace microslip::beam {

/// One free motion of the stuck beam, mass-normalised.
struct Mode {
  double frequency_hz;
  double bending_share;       ///< of the kinetic energy: 1 is pure bending, 0 pure axial motion
  double normal_sensitivity;  ///< d ln(frequency) / d ln(k_n)
  double shear_sensitivity;   ///< d ln(frequency) / d ln(k_t)
  Field shape;
};

/// Displacement per unit force at the driven point and along the force, against frequency.
struct FrequencyResponse {
  std::vector<double> frequency_hz;
  std::vector<double> receptance;  ///< [m/N], real: the stuck beam has no damping
};

/// The n lowest natural frequencies of a system whose frequencies below omega can be counted. Zeros are rigid motions:
/// frequencies below `smallest` [rad/s] are taken for zero.
std::vector<double> frequencies_by_count(const std::function<int(double)>& count_below, int n, double smallest);

/// The beam stuck everywhere it touches [Asadi2012, Eqs. 14-15], with bolt mass, inertia and spring.
class StuckBeam {
 public:
  /// Stuck over the whole support, as in the paper.
  explicit StuckBeam(const Model& model);
  /// Stuck where the pressure leaves the beam in contact.
  StuckBeam(const Model& model, const Pressure& pressure);

  [[nodiscard]] std::vector<double> natural_frequencies_hz(int n) const;
  [[nodiscard]] std::vector<Mode> modes(int n) const;
  /// The motion under the model's load with the given amplitude [N], at its own frequency.
  [[nodiscard]] Field response(double force) const;
  [[nodiscard]] FrequencyResponse frequency_response(const std::vector<double>& frequency_hz) const;

 private:
  [[nodiscard]] PiecewiseBeam beam(double force) const;

  Model model_;
  std::vector<Interval> stuck_;     ///< where k_t acts
  std::vector<Interval> touching_;  ///< where k_n acts: a tied beam's also where it pulls
};

/// The bolt's mass, inertia and spring, and a force on the beam as in the model.
std::vector<Attachment> attachments(const Model& model, double force);
/// Displacement at the load, along the load.
double displacement_at_load(const Model& model, const Field& field);

}  // namespace microslip::beam
