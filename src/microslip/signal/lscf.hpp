#pragma once

#include <optional>
#include <string>
#include <vector>

#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/frf.hpp>
#include <microslip/signal/sensors.hpp>

namespace microslip::signal {

struct ModalOptions {
  Band band;                     ///< frequencies to fit
  int highest_order = 30;        ///< of the common denominator
  double largest_damping = 0.1;  ///< poles damped more are taken for numerical ones
  std::string driving_point;     ///< the channel at the hit, which scales the shapes; empty: largest value 1
};

/// Linear modes of a structure. Shapes are mass-normalised where there is a driving point; modes that it cannot scale
/// are left out, with a note.
struct LinearModes {
  std::vector<double> frequency_hz, damping_ratio;
  Shapes shapes;
  double error = 0;  ///< relative root mean square of the fitted responses' misfit
  std::vector<std::string> notes;
};

/// Least-squares complex-frequency estimation: for rising order a common denominator over all responses, in powers of
/// z = exp(i pi (w - w1)/(w2 - w1)); poles that stay as the order rises are modes. Then real modal constants by linear
/// least squares of
///   H(w) = sum_r phi_r phi_r0 / (w_r^2 - w^2 + 2 i zeta_r w_r w) + lower/w^2 + upper          (receptance)     (1)
LinearModes estimate_modes(const Frf& frf, const ModalOptions& options);

}  // namespace microslip::signal
