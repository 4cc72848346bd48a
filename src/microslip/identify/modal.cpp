#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/identify/modal.hpp>
#include <microslip/identify/modal_bias.hpp>
#include <microslip/identify/modal_intervals.hpp>
#include <microslip/identify/modal_minimax.hpp>
#include <microslip/signal/dissipation.hpp>

namespace microslip {

namespace {

constexpr std::size_t most_points = 40;  ///< of one record in the fit: the curves are smooth

using Choice = ModalChoice;

class Identification {
 public:
  Identification(const std::vector<MeasuredDecay>& decays, const ModalFitOptions& options, const Progress& progress)
      : decays_(decays), options_(options), replicas_(decays_, places_, options.seed, progress) {
    const Trust trust = options.use_flagged ? Trust::all : can_simulate() ? Trust::through_replicas : Trust::unflagged;
    places_ = places_of(decays, trust, most_points);
    // Points that only replicas excuse are not fitted. Where they crowd out the others, they are left out instead.
    std::size_t n_trusted = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) n_trusted += trusted(i) ? 1 : 0;
    if (n_trusted < least_points) places_ = places_of(decays, Trust::unflagged, most_points);
    fitted_ = places_;
    problem_options_.forms = options.forms;
    problem_options_.objective = options.objective;
    problem_options_.viscous = options.viscous;
  }

  ModalFit run() {
    const ModalPoints raw = points_at(decays_, places_);
    const ModalProblem problem(raw, problem_options_);
    fit_.first_guess = problem.first_guess();
    Path path = can_simulate() ? best_path(raw, problem) : path_of(searched(problem));
    bool simulated = !path.spread.models.empty();
    if (!can_simulate() && options_.replicas > 0)
      fit_.notes.emplace_back(
          "the file does not say how the decay was recorded: intervals without the estimator's bias");
    if (simulated) fit_.misfit = path.misfit;
    // Misfit that noise does not explain is the model's own: no weight by noise is right for it, so the model is
    // brought as near to both curves as it can be everywhere.
    const bool far = !simulated || path.misfit > 2 || (path.surprise > 4 && leaves_tolerance(path.choice));
    if (options_.objective == ModalObjective::log && far) {
      path.choice = nearest_everywhere(path.choice);
      path.model = path.choice.model();
      path.beyond = false;
      if (simulated) fit_.misfit = simulate_given(raw, path);
      simulated = !path.spread.models.empty();
      if (simulated) {
        fit_.notes.push_back(fmt::format(
            "noise does not explain how far the model lies from the curves ({:.3g} times the misfit of replicas): its "
            "largest misfit was made least",
            fit_.misfit));
      }
    }
    if (!simulated && can_simulate())
      fit_.notes.emplace_back(
          "decays simulated like the measured one cannot be read where it can: intervals without the estimator's bias");
    if (far) path.spread.left_out = left_out(path.choice, fit_.least_largest);
    finish(path);
    return std::move(fit_);
  }

 private:
  /// Where the rounds of replicas led.
  struct Path {
    Choice choice;    ///< of the points that are trusted
    ModalIwan model;  ///< the same, with macro-slip from the others where they alone show it
    Spread spread;
    std::vector<double> frequency_bias, damping_bias;  ///< of the estimator at the points fitted, relative
    double misfit = 0;    ///< over that of the replicas, root of the mean squares; infinite where these cannot be read
    double surprise = 0;  ///< sum of squares less that of the replicas, in their standard deviations
    bool beyond = false;
  };

  static Path path_of(const Choice& choice) { return {choice, choice.model(), {}, {}, {}, 0, 0, false}; }

  [[nodiscard]] bool can_simulate() const {
    return options_.replicas > 1 && std::all_of(decays_.begin(), decays_.end(), [](const MeasuredDecay& d) {
             return d.setup.has_value() && d.setup->noise >= 0;
           });
  }

  /// Objective `paper` converts its energies with the law found, and goes again.
  [[nodiscard]] Choice searched(const ModalProblem& problem, bool macro_slip) const {
    Choice choice{problem, problem.global(macro_slip), macro_slip};
    if (options_.objective == ModalObjective::paper && options_.forms == ModalForms::exact)
      for (int round = 0; round < 2; ++round) {
        choice.problem.convert_with(choice.model());
        choice.minimum = choice.problem.local(choice.minimum.x, macro_slip);
      }
    return choice;
  }
  /// Without replicas macro-slip must better the fit plainly.
  [[nodiscard]] Choice searched(const ModalProblem& problem) const {
    Choice sticking = searched(problem, false);
    if (!options_.macro_slip) return sticking;
    const Choice slipping = searched(problem, true);
    return slipping.minimum.value < 0.25 * sticking.minimum.value ? slipping : sticking;
  }

  /// With macro-slip where any of the points show it, those included whose decay changes fast.
  Path best_path(const ModalPoints& raw, const ModalProblem& problem) {
    const Choice without = searched(problem, false);
    if (!options_.macro_slip) return through_replicas(raw, without);
    const Choice with = searched(problem, true);
    const double reach = *std::max_element(raw.amplitude.begin(), raw.amplitude.end());
    const bool shown = with.minimum.value < 0.8 * without.minimum.value && with.model().phi_max() < 0.97 * reach;
    if (shown) return slipping_path(raw, with);
    Path sticking = through_replicas(raw, without);
    if (sticking.misfit < 1.5) return sticking;
    Path slipping = slipping_path(raw, with);
    return slipping.misfit < 0.75 * sticking.misfit ? slipping : sticking;
  }

  /// The bias that is taken off near phi_max is that of replicas with their own phi_max, so a wrong one may confirm
  /// itself. Where noise does not explain what is left, a larger and a smaller one are tried too.
  Path slipping_path(const ModalPoints& raw, const Choice& with) {
    Path best = through_replicas(raw, with);
    if (best.misfit < 1.3) return best;
    for (const double shift : {0.25, -0.25}) {
      Choice other = with;
      double& past = other.minimum.x[ModalProblem::ln_reach];
      past = std::min(past + shift, 0.0);
      Path path = through_replicas(raw, other);
      if (path.misfit < best.misfit) best = std::move(path);
    }
    return best;
  }

  /// Simulate, take the bias off, fit again: the first round, of few replicas, brings the model near. What is fitted
  /// are the points that ringdown trusts; those where the decay changes fast only tell how the replicas should begin.
  Path through_replicas(const ModalPoints& raw, const Choice& from) {
    constexpr int most_rounds = 6;
    const auto all = static_cast<std::size_t>(options_.replicas);
    Path path = path_of(from);
    for (int round = 0; round < most_rounds; ++round) {
      const ModalIwan simulated = path.model;
      ReplicaCurves replicas = replicas_(simulated, raw.amplitude, round == 0 ? std::min<std::size_t>(4, all) : all);
      Corrected without_bias = corrected(raw, flagged(), ModalIwanLaw(simulated, options_.forms), replicas);
      const ModalPoints& points = without_bias.points;
      path.frequency_bias = std::move(without_bias.frequency_bias);
      path.damping_bias = std::move(without_bias.damping_bias);
      ModalIwan whole = simulated;
      if (from.macro_slip) whole = refined(points, simulated, true).model();
      const ModalPoints trusted = only_trusted(points);
      if (!readable(trusted)) return unreadable(path.choice);
      const double reach = *std::max_element(trusted.amplitude.begin(), trusted.amplitude.end());
      path.choice = refined(trusted, simulated, false);
      bool slips = from.macro_slip && whole.phi_max() < 0.98 * reach;
      if (slips) {
        Choice slipping = refined(trusted, whole, true);
        slips = slipping.minimum.value < 0.5 * path.choice.minimum.value;
        if (slips) path.choice = std::move(slipping);
      }
      path.beyond = from.macro_slip && !slips;
      path.spread = refit(path.choice.problem, simulated, slips, only_trusted(replicas));
      path.spread.previous = simulated;
      ModalPoints untouched = trusted;
      untouched.frequency_hz = only_trusted(raw.frequency_hz);
      untouched.damping_ratio = only_trusted(raw.damping_ratio);
      path.spread.counterpart = refined(untouched, path.choice.model(), slips).model();
      const double value = path.choice.minimum.value, expected = std::max(mean(path.spread.values), 1e-300);
      path.misfit = std::sqrt(value / expected);
      path.surprise = (value - expected) / std::max(deviation(path.spread.values), 1e-3 * expected);
      path.model = path.beyond ? joined(path.choice, whole, reach) : path.choice.model();
      if (round > 0 && near(path.model, simulated)) break;
    }
    return path;
  }

  /// Do enough points have replicas? A model that is fitted to fewer proves nothing by meeting them.
  static bool readable(const ModalPoints& points) {
    const auto left = static_cast<std::size_t>(std::count(points.weight.begin(), points.weight.end(), 0.0));
    return points.size() - left >= std::min(least_points, points.size());
  }
  static Path unreadable(const Choice& choice) {
    Path path = path_of(choice);
    path.misfit = std::numeric_limits<double>::infinity();
    return path;
  }

  [[nodiscard]] Choice refined(const ModalPoints& points, const ModalIwan& start, bool macro_slip) const {
    ModalProblem problem(points, problem_options_);
    if (options_.objective == ModalObjective::paper) problem.convert_with(start);
    const auto minimum = problem.local(problem.variables(start), macro_slip);
    return {std::move(problem), minimum, macro_slip};
  }

  /// Micro-slip of the trusted points, phi_max and the share of the stiffness that slips at once of all of them. Where
  /// that phi_max lies below the largest trusted amplitude, it is kept only if the trusted points like it better by
  /// three standard deviations.
  static ModalIwan joined(const Choice& trusted, const ModalIwan& macro, double reach) {
    const ModalIwan micro = trusted.model();
    const auto slipping_from = [&](double phi_max) -> ModalIwan {
      const double k0 = micro.stiffness + micro.linear_stiffness, chi = micro.chi;
      const double smooth = slider_density(micro.joint()).R * std::pow(phi_max, 1 + chi) / (1 + chi);
      const double kt = std::min(smooth * (1 + macro.beta), 0.999 * k0), beta = std::max(kt / smooth - 1, 0.0);
      return {kt * phi_max * (beta + (chi + 1) / (chi + 2)) / (1 + beta), kt, chi, beta, k0 - kt, micro.damping};
    };
    const auto misfit = [&](const ModalIwan& m) { return trusted.problem.value(trusted.problem.variables(m)); };
    const ModalIwan early = slipping_from(macro.phi_max()), late = slipping_from(std::max(macro.phi_max(), reach));
    const double enough = 9 / (2 * static_cast<double>(trusted.problem.points().size()));
    return misfit(early) < (1 - enough) * misfit(late) ? early : late;
  }

  static bool near(const ModalIwan& a, const ModalIwan& b) {
    return std::abs(a.chi - b.chi) < 0.002 && std::abs(a.damping - b.damping) <= 0.002 * b.damping &&
           std::abs(a.slip_force - b.slip_force) < 0.05 * b.slip_force;
  }

  [[nodiscard]] std::vector<bool> flagged() const {
    std::vector<bool> list;
    for (const Place& p : places_) list.push_back(!decays_[p.decay].flag[p.point].empty());
    return list;
  }
  [[nodiscard]] bool trusted(std::size_t i) const {
    return options_.use_flagged || decays_[places_[i].decay].flag[places_[i].point].empty();
  }
  [[nodiscard]] std::vector<double> only_trusted(const std::vector<double>& x) const {
    std::vector<double> kept;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (trusted(i)) kept.push_back(x[i]);
    return kept;
  }
  [[nodiscard]] ModalPoints only_trusted(const ModalPoints& p) const {
    return {only_trusted(p.amplitude),           only_trusted(p.frequency_hz),      only_trusted(p.damping_ratio),
            only_trusted(p.frequency_deviation), only_trusted(p.damping_deviation), only_trusted(p.weight)};
  }
  [[nodiscard]] ReplicaCurves only_trusted(const ReplicaCurves& all) const {
    ReplicaCurves kept;
    for (const auto& row : all.frequency_hz) kept.frequency_hz.push_back(only_trusted(row));
    for (const auto& row : all.damping_ratio) kept.damping_ratio.push_back(only_trusted(row));
    return kept;
  }

  static double mean(const std::vector<double>& x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(std::max<std::size_t>(x.size(), 1));
  }

  static double deviation(const std::vector<double>& x) {
    double squares = 0;
    for (const double value : x) squares += (value - mean(x)) * (value - mean(x));
    return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(x.size(), 2) - 1));
  }

  static Spread refit(const ModalProblem& problem, const ModalIwan& truth, bool macro_slip,
                      const ReplicaCurves& replicas) {
    Spread spread;
    spread.truth = truth;
    const auto start = problem.variables(truth);
    for (std::size_t r = 0; r < replicas.frequency_hz.size(); ++r) {
      const ModalProblem other = problem.with(replicas.frequency_hz[r], replicas.damping_ratio[r]);
      const auto minimum = other.local(start, macro_slip);
      spread.values.push_back(minimum.value);
      spread.models.push_back(other.model(minimum.x));
      spread.at_bound.push_back(bounds_met(other, minimum.x));
    }
    return spread;
  }

  /// Replicas of a model that no round led to, in place of the last round's: rounds of a model that cannot follow the
  /// curves do not settle, and where they end depends on the seed. Returns its misfit over that of the replicas; there
  /// are none where they cannot be read.
  double simulate_given(const ModalPoints& raw, Path& path) {
    ReplicaCurves replicas = replicas_(path.model, raw.amplitude, static_cast<std::size_t>(options_.replicas));
    const Corrected without_bias = corrected(raw, flagged(), ModalIwanLaw(path.model, options_.forms), replicas);
    const ModalPoints trusted = only_trusted(without_bias.points);
    path.spread = {};
    path.frequency_bias = path.damping_bias = {};
    if (!readable(trusted)) return 0;
    const ModalProblem problem(trusted, problem_options_);
    path.spread = refit(problem, path.model, path.choice.macro_slip, only_trusted(replicas));
    path.frequency_bias = at_fitted(without_bias.frequency_bias, without_bias.points.weight);
    path.damping_bias = at_fitted(without_bias.damping_bias, without_bias.points.weight);
    ModalPoints unbiased = path.choice.problem.points();
    for (std::size_t i = 0; i < unbiased.size(); ++i) {
      unbiased.frequency_hz[i] *= std::exp(-path.frequency_bias[i]);
      unbiased.damping_ratio[i] *= std::exp(-path.damping_bias[i]);
    }
    path.spread.counterpart = least_largest(unbiased, path.choice).model();
    return std::sqrt(problem.value(problem.variables(path.model)) / std::max(mean(path.spread.values), 1e-300));
  }

  /// What replicas tell at `places_`, at the points that were fitted: straight lines along each decay. Places without
  /// weight have no replicas.
  [[nodiscard]] std::vector<double> at_fitted(const std::vector<double>& told,
                                              const std::vector<double>& weight) const {
    std::vector<double> list;
    for (const Place& p : fitted_) {
      std::optional<std::size_t> before, after;
      for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].decay != p.decay || (!weight.empty() && weight[i] == 0)) continue;
        if (places_[i].point <= p.point) before = i;
        if (places_[i].point >= p.point && !after) after = i;
      }
      if (!before || !after || before == after) {
        list.push_back(before ? told[*before] : after ? told[*after] : 0);
        continue;
      }
      const auto from = static_cast<double>(places_[*before].point), to = static_cast<double>(places_[*after].point);
      const double t = (static_cast<double>(p.point) - from) / (to - from);
      list.push_back((1 - t) * told[*before] + t * told[*after]);
    }
    return list;
  }

  static BoundsMet bounds_met(const ModalProblem& problem, const ModalProblem::Variables& x) {
    BoundsMet met{};
    for (int i = 0; i < ModalProblem::n_variables; ++i) met[static_cast<std::size_t>(i)] = problem.at_bound(x, i);
    return met;
  }

  /// The model whose largest misfit, over the tolerances or the points' own deviations, is least.
  [[nodiscard]] Choice nearest_everywhere(const Choice& from) {
    const Trust trust = options_.use_flagged ? Trust::all : Trust::unflagged;
    fitted_ = places_of(decays_, trust, std::numeric_limits<std::size_t>::max());
    fit_.least_largest = true;
    const ModalProblem squares(
        tolerant(points_at(decays_, fitted_), 1, options_.frequency_tolerance, options_.damping_tolerance),
        problem_options_);
    return least_largest(squares, from.model(), options_.macro_slip);
  }

  /// Does the model miss a point by more than its tolerance and twice its deviation?
  [[nodiscard]] bool leaves_tolerance(const Choice& choice) const {
    const ModalProblem problem(
        tolerant(choice.problem.points(), 2, options_.frequency_tolerance, options_.damping_tolerance),
        problem_options_);
    return options_.objective == ModalObjective::log && largest_misfit({problem, choice.minimum}) > 1;
  }

  void finish(const Path& path) {
    const Choice& choice = path.choice;
    const Spread& spread = path.spread;
    fit_.model = path.model;
    fit_.macro_slip = choice.macro_slip;
    fit_.macro_slip_beyond = path.beyond;
    fit_.replicas = static_cast<int>(spread.models.size());
    if (!choice.minimum.settled) fit_.notes.emplace_back("the fit was stopped while it still improved");
    set_intervals(fit_, spread, bounds_met(choice.problem, choice.minimum.x), options_.viscous);
    const ModalIwanLaw law(fit_.model, options_.forms);
    std::size_t next = 0;
    double loss = 0, frequency = 0, trusted = 0;
    for (std::size_t k = 0; k < decays_.size(); ++k) {
      const MeasuredDecay& d = decays_[k];
      const std::vector<double> dissipation =
          signal::dissipation(d.amplitude, d.damping_ratio, [&](double a) { return law(a).energy_slope; });
      for (std::size_t i = 0; i < d.size(); ++i) {
        ModalFitPoint p{.decay = k,
                        .amplitude = d.amplitude[i],
                        .frequency_hz = d.frequency_hz[i],
                        .damping_ratio = d.damping_ratio[i],
                        .dissipation = dissipation[i],
                        .flag = d.flag[i]};
        if (p.amplitude > 0) p.model = law(p.amplitude);
        if (next < fitted_.size() && fitted_[next].decay == k && fitted_[next].point == i) {
          p.used = true;
          if (!path.frequency_bias.empty())
            p.frequency_bias = path.frequency_bias[next], p.damping_bias = path.damping_bias[next];
          if (p.flag.empty() || options_.use_flagged) {
            const double taken_off = fit_.least_largest ? 0 : 1;  // there the model meets the points as they were read
            loss += std::pow(std::log(p.damping_ratio / p.model.damping_ratio) - taken_off * p.damping_bias, 2);
            frequency += std::pow(p.frequency_hz / p.model.frequency_hz - 1 - taken_off * p.frequency_bias, 2);
            trusted += 1;
          }
          ++next;
        }
        fit_.points.push_back(std::move(p));
      }
    }
    tell_extrapolation(law);
    fit_.residual = std::sqrt(loss / std::max(trusted, 1.0));
    fit_.frequency_residual = std::sqrt(frequency / std::max(trusted, 1.0));
  }

  /// What holds at vanishing amplitude is measured only if the points come near it: over a decade of amplitudes, and to
  /// where the joint has little part in the damping. The fit's own word on that part is not enough, a wrong model errs
  /// there, too.
  void tell_extrapolation(const ModalIwanLaw& law) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const ModalFitPoint& p : fit_.points) {
      if (!p.used || !(p.flag.empty() || options_.use_flagged)) continue;
      least = std::min(least, p.amplitude);
      most = std::max(most, p.amplitude);
    }
    const double vanishing = fit_.model.damping_ratio(), there = law(least).damping_ratio;
    if (options_.viscous && (least > 0.1 * most || there - vanishing > 0.1 * there))
      fit_.notes.push_back(
          fmt::format("damping_ratio is extrapolated: {:.3g} at vanishing amplitude, {:.3g} at {:.3g}, the smallest "
                      "amplitude fitted; its interval holds as far as the model does in between",
                      vanishing, there, least));
  }

  const std::vector<MeasuredDecay>& decays_;
  const ModalFitOptions& options_;
  std::vector<Place> places_;  ///< that replicas tell of
  std::vector<Place> fitted_;  ///< that the model given was fitted to
  ModalProblem::Options problem_options_;
  RecordReplicas replicas_;
  ModalFit fit_;
};

}  // namespace

double modal_quantity(const ModalIwan& m, std::size_t which) {
  switch (which) {
    case modal_place::slip_force:
      return m.slip_force;
    case modal_place::stiffness:
      return m.stiffness;
    case modal_place::chi:
      return m.chi;
    case modal_place::beta:
      return m.beta;
    case modal_place::linear_stiffness:
      return m.linear_stiffness;
    case modal_place::damping:
      return m.damping;
    case modal_place::frequency_hz:
      return m.frequency_hz();
    case modal_place::damping_ratio:
      return m.damping_ratio();
    case modal_place::phi_max:
      return m.phi_max();
    default:
      return slider_density(m.joint()).R;
  }
}

ModalFit fit_modal(const std::vector<MeasuredDecay>& decays, const ModalFitOptions& options, const Progress& progress) {
  check_decays(decays);
  if (options.replicas < 0 || options.replicas == 1 || options.replicas > 10000)
    throw InvalidInput(fmt::format("replicas must be 0 or from 2 to 10000, got {}", options.replicas));
  positive("frequency tolerance", options.frequency_tolerance);
  positive("damping tolerance", options.damping_tolerance);
  return Identification(decays, options, progress).run();
}

}  // namespace microslip
