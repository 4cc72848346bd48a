#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/identify/dissipation.hpp>
#include <microslip/identify/measured_decay.hpp>
#include <microslip/identify/modal_iwan.hpp>
#include <microslip/identify/modal_problem.hpp>

namespace microslip {

struct ModalFitOptions {
  ModalForms forms = ModalForms::exact;
  ModalObjective objective = ModalObjective::log;
  bool viscous = true;       ///< a damper beside the joint
  bool macro_slip = true;    ///< may the points reach past phi_max?
  bool use_flagged = false;  ///< fit points that ringdown does not trust, too
  int replicas = 16;         ///< simulated decays per record, for bias and intervals; 0: none
  std::uint64_t seed = 1;
  /// How far the model may lie from the curves where it cannot follow them within their noise; relative. They share
  /// the misfit between the two curves.
  double frequency_tolerance = 3.5e-4, damping_tolerance = 0.05;
};

/// Places in the lists of quantities: parameters, then what follows from them.
namespace modal_place {
enum : std::size_t {
  slip_force,
  stiffness,
  chi,
  beta,
  linear_stiffness,
  damping,
  frequency_hz,
  damping_ratio,
  phi_max,
  R,
  count
};
}
/// Their names, in this order.
inline constexpr std::array<std::string_view, modal_place::count> modal_quantities{
    "slip_force", "stiffness",    "chi",           "beta",    "linear_stiffness",
    "damping",    "frequency_hz", "damping_ratio", "phi_max", "R"};
inline constexpr std::size_t n_modal_parameters = modal_place::damping + 1;
double modal_quantity(const ModalIwan& model, std::size_t which);

/// One measured point and what the model makes of it.
struct ModalFitPoint {
  std::size_t decay = 0;  ///< which record
  double amplitude = 0, frequency_hz = 0, damping_ratio = 0;
  double dissipation = 0;  ///< from the decay with the E'(A) of the fitted model
  /// Of the estimator, relative, as replicas tell it; measured - true. Taken off before the fit, or within the
  /// intervals where the largest misfit was made least.
  double frequency_bias = 0, damping_bias = 0;
  bool used = false;
  std::string flag;
  ModalAt model{};
};

struct ModalFit {
  ModalIwan model, first_guess;
  std::array<ParameterInterval, modal_quantities.size()> intervals{};
  std::array<bool, modal_quantities.size()> identifiable{};
  bool macro_slip = false;         ///< do the points that ringdown trusts reach past phi_max?
  bool macro_slip_beyond = false;  ///< do only those reach it whose decay changes too fast to be trusted?
  double residual = 0;             ///< RMS of ln dissipation over the points used
  double frequency_residual = 0;   ///< RMS of the relative frequency
  double misfit = 0;               ///< misfit over that of replicas: 1 is what noise explains; 0 without replicas
  bool least_largest = false;      ///< the largest misfit was made least, because noise does not explain it
  int replicas = 0;                ///< simulated decays that the intervals rest on
  std::vector<ModalFitPoint> points;
  std::vector<std::string> notes;
};

/// One mode from its decays. Global search, correction for the estimator's bias by simulated decays, intervals.
ModalFit fit_modal(const std::vector<MeasuredDecay>& decays, const ModalFitOptions& options = {},
                   const Progress& progress = {});

}  // namespace microslip
