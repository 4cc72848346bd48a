#pragma once

#include <optional>
#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/partial_slip.hpp>
#include <microslip/core/outcome.hpp>

namespace microslip::identify {

/// A stiffness found from measurements, with its 95 % interval.
struct StiffnessEstimate {
  double value = 0;
  double lower = 0;             ///< 0 where the data set no lower bound
  std::optional<double> upper;  ///< none where the data set no upper bound
  bool identifiable = false;    ///< both bounds exist
  double sensitivity = 0;       ///< d ln(measured quantity) / d ln(stiffness); for several, root of the sum of squares
  std::vector<double> predicted;  ///< the measured quantities, as the model gives them with `value`
  double residual = 0;            ///< root mean square of ln(predicted / measured)
  Outcome outcome = Outcome::converged;
  int iterations = 0;
};

/// A measured bending frequency: `number` counts the natural frequencies of the stuck beam from 1.
struct MeasuredFrequency {
  int number;
  double frequency_hz;
};

/// k_n from measured natural frequencies by eigen-sensitivity [Asadi2012, section 5]: least squares of ln f over ln k_n
/// (Gauss-Newton). `relative_uncertainty` is one standard deviation of a measured frequency; with 0 it is estimated
/// from the residuals, which takes two frequencies or more and Student's t. The model's own k_n is where it starts. The
/// interval ends where the sum of squares has risen by the square of quantile times deviation; near the frequencies of
/// the clamped or the free beam it never does within a factor of e^25 of the start, and the end is open.
StiffnessEstimate normal_stiffness(const beam::Model& model, const std::vector<MeasuredFrequency>& measured,
                                   double relative_uncertainty);

/// k_t from the elastic slope (force over displacement at the load, right after a reversal) of a loop measured at the
/// model's load frequency [Asadi2012, section 5]. The slope reacts weakly to k_t: an interval that reaches 0 or
/// infinity is open, and said to be so. A slope that no k_t gives is refused with the reachable range.
StiffnessEstimate tangential_stiffness(const beam::Model& model, double elastic_slope, double relative_uncertainty);

/// The slope of a loop just after its reversals, by least squares over the given share of each branch's force range.
double elastic_slope(const beam::LoopCurve& loop, double share = 0.2);

}  // namespace microslip::identify
