#pragma once

#include <optional>
#include <vector>

#include <microslip/identify/dissipation.hpp>

namespace microslip {

/// Mean over the points of (ln D measured - ln D of the law)^2.
double mean_square_log(const Iwan4<double>& law, const DissipationData& data);

/// The least-squares problem behind fit_dissipation: ln D over chi, ln beta and ln phi_max, any of which may be held.
class DissipationProblem {
 public:
  /// What is held besides the options' stiffness.
  struct Held {
    std::optional<double> chi, beta, phi_max, stiffness;
  };
  struct Minimum {
    double chi, beta, phi_max;
    double sum_of_squares;
    bool settled = true;  ///< the descent ended because it found nothing lower, not because it was stopped
  };
  /// A parameter's interval and the laws at its ends.
  struct Ends {
    ParameterInterval interval;
    std::vector<Iwan4<double>> laws;
  };

  DissipationProblem(const DissipationData& data, const DissipationFitOptions& options, bool power_law);

  /// The best of several local minima, started from a grid or, where one is given, from a nearby minimum.
  [[nodiscard]] Minimum minimise(const Held& held, const std::optional<Minimum>& near = {}) const;
  [[nodiscard]] Iwan4<double> law(const Minimum& minimum) const;

  /// How far the sum of squares may rise above its minimum at the ends of a 95 % interval: Student's t with the noise
  /// estimated from the misfit, or chi-square with the noise given. None where there is no noise to go by.
  [[nodiscard]] std::optional<double> threshold(const Minimum& best) const;

  /// Profile likelihood: the parameter is moved away from its best value while the others follow. An end that is set
  /// by the bounds of beta and not by the data (it moves when they are widened) counts as open.
  [[nodiscard]] Ends profile(IwanParameter parameter, double at_best, const Minimum& best, double rise) const;

  /// The interval of chi where beta is known to be the chosen one.
  [[nodiscard]] ParameterInterval chi_interval_at(const Minimum& chosen, double rise) const;

 private:
  struct End {
    double value;
    Minimum minimum;
  };
  [[nodiscard]] std::optional<End> profile_end(IwanParameter parameter, double at_best, const Minimum& best,
                                               double rise, int direction) const;
  [[nodiscard]] bool set_by_bounds(const End& end, IwanParameter parameter, double at_best, const Minimum& best,
                                   double rise, int direction) const;
  [[nodiscard]] Minimum best_chi(double beta, Held held, const std::optional<Minimum>& near) const;
  [[nodiscard]] Minimum search_beta(const Held& held) const;
  [[nodiscard]] Minimum on_stiffness(const Held& held) const;
  [[nodiscard]] Minimum project(double chi, double beta, const Held& held) const;
  [[nodiscard]] Minimum refine(const Minimum& start, const Held& held) const;
  [[nodiscard]] Held with_given(Held held) const;

  DissipationData data_;
  DissipationFitOptions options_;
  bool power_law_;
};

}  // namespace microslip
