#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <microslip/joints/iwan4.hpp>

namespace microslip {

/// Energy lost per cycle at several force amplitudes (zero to peak), from a resonance test.
struct DissipationData {
  std::string name;
  std::vector<double> force;        ///< F_0 [N]
  std::vector<double> dissipation;  ///< D [J]
  std::vector<double> weight = {};  ///< of each ln D; empty: all alike
};

/// Throws InvalidInput where a point is not positive, two forces are equal, or there are fewer than two points.
void check(const DissipationData& data);
/// Refuses a slip force below the largest measured force.
void check_slip_force(const DissipationData& data, double slip_force);

struct DissipationFitOptions {
  double slip_force = 0;
  std::optional<double> stiffness;          ///< K_T, where it is known: held exactly
  std::array<double, 2> chi{-0.99, 2.0};    ///< bounds
  std::array<double, 2> beta{0.001, 10.0};  ///< bounds
  std::optional<double> noise;              ///< standard deviation of ln D; otherwise estimated from the misfit
  bool intervals = true;
};

/// 95 % profile-likelihood interval; an end that the data do not set is absent.
struct ParameterInterval {
  std::optional<double> lower;
  std::optional<double> upper;
};

enum class IwanParameter { chi, beta, phi_max, stiffness };
inline constexpr std::array<IwanParameter, 4> iwan_parameters{IwanParameter::chi, IwanParameter::beta,
                                                              IwanParameter::phi_max, IwanParameter::stiffness};
std::string_view to_string(IwanParameter parameter);

struct DissipationFit {
  Iwan4<double> law;
  double residual = 0;             ///< RMS of ln D, model against data
  std::vector<double> model = {};  ///< D of the model at the data's forces
  bool has_intervals = false;
  std::array<ParameterInterval, 4> intervals = {};  ///< in the order of `iwan_parameters`
  std::array<bool, 4> identifiable{};               ///< both ends of the interval are set by the data
  std::array<bool, 4> given{};                      ///< known beforehand and held: no interval
  std::vector<Iwan4<double>> extremes = {};  ///< the models at the ends of the intervals: their envelope is a band
  std::vector<std::string> held = {};        ///< parameters that were held fixed, and why
  std::vector<std::string> notes = {};       ///< what the data can and cannot tell
};

/// D of the law at force amplitude F_0 <= F_S.
double dissipation_at_force(const Iwan4<double>& law, double force);

/// A law, however it was found, with what it makes of the points and how far it misses them.
DissipationFit fit_of(const Iwan4<double>& law, const DissipationData& data);

/// Least squares in ln D over chi, beta and phi_max, started from a grid so that the best minimum is found. With two
/// points and no stiffness, beta is held at its upper bound (the power law), which the fit says.
DissipationFit fit_dissipation(const DissipationData& data, const DissipationFitOptions& options);

/// The automated method of Segalman's appendix, its conventions and all: log10 residuals, a pull of chi towards zero,
/// soft bounds on beta, a stiffness condition that acts for beta > 1 only, phi_max as the mean over the points. The
/// global minimum of that objective is found whatever the start. No intervals.
DissipationFit fit_dissipation_segalman(const DissipationData& data, double slip_force,
                                        std::optional<double> stiffness);

/// The manual method's quantities [Segalman2002, steps 1-4]: the normalised curve for chosen chi and beta, and phi_max
/// from one chosen point.
struct ManualFit {
  Iwan4<double> law;
  double r_at_point = 0;  ///< amplitude over phi_max at the chosen point
  std::vector<double> r, force_ratio, dissipation, slope, curvature;
};
ManualFit manual_fit(double chi, double beta, double slip_force, double point_force, double point_dissipation,
                     int points = 101);

}  // namespace microslip
