#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <microslip/identify/modal_iwan.hpp>

namespace microslip {

/// default (log)  ln dissipation and relative frequency, each over its standard deviation
/// paper          [Deaner2015, Eqs. 35-37], read with max |D_E| and the range of f_E
enum class ModalObjective { log, paper };

/// Measured points of one mode; deviations are relative: of frequency, and of ln damping.
struct ModalPoints {
  std::vector<double> amplitude, frequency_hz, damping_ratio;
  std::vector<double> frequency_deviation, damping_deviation;
  std::vector<double> weight = {};  ///< factor of a point's residuals, whatever the objective; empty: all 1

  [[nodiscard]] std::size_t size() const { return amplitude.size(); }
  void leave_out(std::size_t i) {
    weight.resize(size(), 1);
    weight[i] = 0;
  }
};

/// The fit of a modal Iwan model to points, in variables in which it is well conditioned:
///   ln_stiffness  ln(K_0/K_ref)         K_0 = K_T + K_inf, the stiffness before any slip
///   ln_share      ln(K_T/(1+beta)/K_0)  share of stiffness that micro-slip takes by phi_max
///   exponent      chi
///   damping       C/C_ref
///   ln_reach      ln(phi_max/A_max)     0: no macro-slip within the points
///   jump          s in [0, 1]           beta, from 0 to where the joint carries all stiffness:
///                                       K_T/K_0 = share^(1-s) most^s
/// Where phi_max lies at or above the largest amplitude the points do not depend on the last two: the model with the
/// least slip force is taken, phi_max = A_max and beta = 0.
class ModalProblem {
 public:
  enum Variable : int { ln_stiffness, ln_share, exponent, damping, ln_reach, jump };
  static constexpr int n_variables = jump + 1;
  using Variables = Eigen::VectorXd;

  struct Options {
    ModalForms forms = ModalForms::exact;
    ModalObjective objective = ModalObjective::log;
    bool viscous = true;
    double power = 2;  ///< of the residuals that are summed: 2 is least squares, more approach the least largest
  };
  struct Minimum {
    Variables x;
    double value = 0;      ///< sum of residuals to the power
    bool settled = false;  ///< the descent ended because it found nothing lower, not because it was stopped
  };

  ModalProblem(ModalPoints points, const Options& options);

  [[nodiscard]] const ModalPoints& points() const { return points_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] ModalIwan model(const Variables& x) const;
  [[nodiscard]] Variables variables(const ModalIwan& model) const;
  /// The same micro-slip with phi_max at the largest amplitude, or at another one.
  static Variables without_macro_slip(Variables x, double ln_reach_after = 0);
  /// Measured less modelled, frequencies first, each over its scale.
  [[nodiscard]] Eigen::VectorXd residuals(const Variables& x) const;
  [[nodiscard]] double value(const Variables& x) const;

  /// The graphical first guess [Deaner2015, Eqs. 32-34].
  [[nodiscard]] ModalIwan first_guess() const;
  /// DIRECT around the first guess, then descents from what it found and from a grid of phi_max.
  [[nodiscard]] Minimum global(bool macro_slip) const;
  [[nodiscard]] Minimum local(const Variables& start, bool macro_slip, int max_iterations = 60) const;

  /// With other values at the same amplitudes.
  [[nodiscard]] ModalProblem with(std::vector<double> frequency_hz, std::vector<double> damping_ratio) const;
  /// Is a variable at an end of where it was searched?
  [[nodiscard]] bool at_bound(const Variables& x, int variable) const;
  /// The energies for objective `paper` are converted with the E' of this model.
  void convert_with(const ModalIwan& model);

 private:
  [[nodiscard]] std::vector<int> free(bool macro_slip) const;
  [[nodiscard]] Minimum best_of(const std::vector<Variables>& starts, bool macro_slip) const;

  ModalPoints points_;
  Options options_;
  double k_ref_ = 1, c_ref_ = 1, a_max_ = 1, drop_ = 0;
  Variables lower_, upper_;
  std::vector<double> dissipation_;  ///< D_E
  double dissipation_scale_ = 1, frequency_scale_ = 1;
};

}  // namespace microslip
