#pragma once

#include <functional>

#include <microslip/dynamics/amplitude_law.hpp>
#include <microslip/joints/iwan4.hpp>

namespace microslip {

/// One mode of mass 1: spring, damper and four-parameter Iwan joint side by side [Deaner2015, Fig. 1].
struct ModalIwan {
  double slip_force = 0;
  double stiffness = 0;  ///< K_T of the joint
  double chi = 0;
  double beta = 0;
  double linear_stiffness = 0;  ///< K_inf
  double damping = 0;           ///< C

  [[nodiscard]] Iwan4<double> joint() const { return {slip_force, stiffness, chi, beta}; }
  [[nodiscard]] JointedMode jointed() const { return {1, damping, linear_stiffness, joint()}; }
  [[nodiscard]] double phi_max() const { return joint().phi_max(); }
  /// At vanishing amplitude.
  [[nodiscard]] double frequency_hz() const;
  [[nodiscard]] double damping_ratio() const;
};

/// How frequency and dissipation follow from amplitude.
///  exact  first harmonic, loop energy and stored energy in closed form through macro-slip
///  paper  [Deaner2015, Eqs. 9-16]: secant in micro-slip, K_inf and 4 q F_S in macro-slip, decay by Eq. 30
enum class ModalForms { exact, paper };

/// What the mode does at one amplitude.
struct ModalAt {
  double frequency_hz, damping_ratio, dissipation;
  double energy_slope;  ///< E'(A), which turns a decay into dissipation
};

class ModalIwanLaw {
 public:
  ModalIwanLaw(const ModalIwan& model, ModalForms forms);
  [[nodiscard]] ModalAt operator()(double amplitude) const { return at_(amplitude); }

 private:
  std::function<ModalAt(double)> at_;
};

}  // namespace microslip
