#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <microslip/core/backbone.hpp>
#include <microslip/optimize/front.hpp>

namespace microslip::study {

/// A backbone to compare models with, and how far it may be off.
struct Measured {
  int mode = 1;
  Backbone backbone;
  std::vector<double> frequency_band;  ///< half-widths about the backbone [Hz]; empty: not known
  std::vector<double> damping_band;
};

/// What a model gave at the measured amplitudes of one mode.
struct Computed {
  std::vector<double> frequency_hz{}, damping_ratio{};
  std::vector<double> residual{};                      ///< of each solution, relative; NaN where there is none
  Eigen::MatrixXd frequency_slope{}, damping_slope{};  ///< [amplitude][parameter]; empty where not asked for
};

/// Sums over amplitudes, so that several modes may be added before the mean is taken.
struct ErrorSums {
  Point squares{};           ///< of relative errors: frequency, ln(damping)
  double residual = 0;       ///< sum of the solutions' residuals
  int count = 0;             ///< amplitudes
  int negative_damping = 0;  ///< amplitudes where the damping is not positive
  int failed = 0;            ///< amplitudes without a solution
  Eigen::Matrix2Xd slope;    ///< derivatives of `squares` with the parameters; empty without slopes

  void add(const ErrorSums& other);
  /// (f_omega, f_zeta) of [Porter2022, Eq. 41].
  [[nodiscard]] Point errors() const;
  /// log10 of their squares [Eq. 42], plus the residuals where `penalised` [section 3.5.2].
  [[nodiscard]] Point objectives(bool penalised) const;
  [[nodiscard]] Eigen::Matrix2Xd objective_slopes() const;
};

/// Compares a model with a measurement:
///   frequency:  (omega - omega_measured) / omega_measured
///   damping:    (ln zeta - ln zeta_measured) / ln zeta_measured        [Porter2022, Eq. 41]
/// Damping that is not positive has no logarithm and counts as an error of 1 (100 %) at its amplitude [section 4.3.2].
/// An amplitude without a solution counts as an error of 1 in both, and as a residual of 1.
ErrorSums compare(const Computed& computed, const Measured& measured);

/// What the measurement's own scatter amounts to in the same measure [section 3.6, Table 2]: errors of the backbone
/// moved by its bands. NaN where the moved damping is not positive; nothing where the bands are not known.
struct Variability {
  Point upper, lower;
};
std::optional<Variability> variability(const Measured& measured);

/// The measurement, if it can be compared with: equal lengths, growing positive amplitudes, positive frequencies,
/// damping in (0, 1). `what` begins the message.
Measured checked(Measured measured, const std::string& what);

}  // namespace microslip::study
