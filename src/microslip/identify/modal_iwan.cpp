#include <cmath>
#include <numbers>

#include <microslip/identify/modal_iwan.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

ModalAt exact_at(const AmplitudeLaw& law, double a) {
  const AtAmplitude at = law(a);
  const double linear = at.omega * at.omega * a;
  return {at.omega / (2 * pi), at.decay / at.omega, at.dissipation,
          at.decay > 0 ? at.dissipation * at.omega / (2 * pi * a * at.decay) : linear};
}

/// R of the slider density and phi_max [Deaner2015, Eqs. 5, 6].
ModalAt paper_at(const ModalIwan& m, double R, double phi_max, double a) {
  const double chi = m.chi, r = a / phi_max;
  const bool micro = r <= 1 + 1e-9;                                                                   // Eqs. 11, 15
  const double joint = micro ? m.stiffness * (1 - std::pow(r, chi + 1) / ((chi + 2) * (m.beta + 1)))  // Eq. 12
                             : 0;                                                                     // Eq. 14
  const double omega = std::sqrt(m.linear_stiffness + joint);                                         // Eq. 16
  const double slip = micro ? 4 * R * std::pow(a, chi + 3) / ((chi + 3) * (chi + 2))                  // Eq. 9
                            : 4 * a * m.slip_force;                                                   // Eq. 10
  const double dissipation = slip + pi * omega * m.damping * a * a;
  const double slope = omega * omega * a;
  return {omega / (2 * pi), dissipation / (2 * pi * a * slope), dissipation, slope};  // Eq. 30
}

}  // namespace

double ModalIwan::frequency_hz() const { return std::sqrt(stiffness + linear_stiffness) / (2 * pi); }
double ModalIwan::damping_ratio() const { return damping / (2 * std::sqrt(stiffness + linear_stiffness)); }

ModalIwanLaw::ModalIwanLaw(const ModalIwan& model, ModalForms forms) {
  if (forms == ModalForms::exact) {
    at_ = [law = AmplitudeLaw(model.jointed(), Properties::exact)](double a) { return exact_at(law, a); };
  } else {
    at_ = [model, R = slider_density(model.joint()).R, phi_max = model.phi_max()](double a) {
      return paper_at(model, R, phi_max, a);
    };
  }
}

}  // namespace microslip
