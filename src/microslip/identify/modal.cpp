#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <microslip/core/check.hpp>
#include <microslip/identify/modal.hpp>
#include <microslip/identify/modal_intervals.hpp>
#include <microslip/identify/modal_points.hpp>
#include <microslip/signal/dissipation.hpp>

namespace microslip {

namespace {

constexpr std::size_t most_points = 40;  ///< of one record in the fit: the curves are smooth

class Identification {
 public:
  Identification(const std::vector<MeasuredDecay>& decays, const ModalFitOptions& options, const Progress& progress)
      : decays_(decays), options_(options), progress_(progress) {
    const Trust trust = options.use_flagged ? Trust::all : can_simulate() ? Trust::through_replicas : Trust::unflagged;
    places_ = places_of(decays, trust, most_points);
    problem_options_.forms = options.forms;
    problem_options_.objective = options.objective;
    problem_options_.viscous = options.viscous;
  }

  ModalFit run() {
    const ModalPoints raw = points_at(decays_, places_);
    const ModalProblem problem(raw, problem_options_);
    fit_.first_guess = problem.first_guess();
    Path path = can_simulate() ? best_path(raw, problem) : path_of(searched(problem));
    const bool simulated = !path.spread.models.empty();
    if (!simulated && options_.replicas > 0)
      fit_.notes.emplace_back(
          "the file does not say how the decay was recorded: intervals without the estimator's bias");
    fit_.misfit = path.misfit;
    // Misfit that noise does not explain is the model's own: no weight by noise is right for it, so the model is
    // brought as near to both curves as it can be everywhere.
    const bool far = !simulated || path.misfit > 2 || (path.surprise > 4 && leaves_tolerance(path.choice));
    if (options_.objective == ModalObjective::log && far) {
      if (simulated)
        fit_.notes.push_back(fmt::format(
            "noise does not explain how far the model lies from the curves ({:.3g} times the misfit of replicas): its "
            "largest misfit was made least",
            path.misfit));
      path.choice = least_largest(path.choice);
      path.model = path.choice.model();
      path.beyond = false;
    }
    if (far) path.spread.left_out = left_out(path.choice);
    finish(path);
    return std::move(fit_);
  }

 private:
  struct Choice {
    ModalProblem problem;
    ModalProblem::Minimum minimum;
    bool macro_slip = false;
    [[nodiscard]] ModalIwan model() const { return problem.model(minimum.x); }
  };

  /// Where the rounds of replicas led.
  struct Path {
    Choice choice;    ///< of the points that are trusted
    ModalIwan model;  ///< the same, with macro-slip from the others where they alone show it
    Spread spread;
    std::vector<double> frequency_bias, damping_bias;  ///< of the estimator, relative
    double misfit = 0;                                 ///< over that of the replicas, root of the mean squares
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
  [[nodiscard]] Choice searched(ModalProblem problem, bool macro_slip) const {
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
    const Choice sticking = searched(problem, false);
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
      double& past = other.minimum.x[4];  // ln(phi_max/A_max)
      past = std::min(past + shift, 0.0);
      Path path = through_replicas(raw, other);
      if (path.misfit < best.misfit) best = std::move(path);
    }
    return best;
  }

  /// Replicas of all records at all points: [replica][point].
  struct Replicas {
    std::vector<std::vector<double>> frequency_hz, damping_ratio;
  };

  Replicas simulate(const ModalIwan& model, const ModalPoints& points, std::size_t n) {
    noise_.resize(decays_.size(), 0);
    Replicas all;
    all.frequency_hz.assign(n, std::vector<double>(points.size(), std::nan("")));
    all.damping_ratio = all.frequency_hz;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < decays_.size(); ++k) {
      std::size_t end = begin;
      while (end < places_.size() && places_[end].decay == k) ++end;
      if (end == begin) continue;
      const MeasuredDecay& d = decays_[k];
      const std::size_t first = places_[begin].point;
      const DecayReplicas replica(*d.setup, model, d.time[first], 1.01 * d.amplitude[first], noise_[k]);
      noise_[k] = replica.noise_deviation();
      const std::vector<double> amplitudes(points.amplitude.begin() + static_cast<std::ptrdiff_t>(begin),
                                           points.amplitude.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t r = 0; r < n; ++r) {
        progress_.at(static_cast<double>(k * n + r) / static_cast<double>(n * decays_.size()), "replicas");
        if (progress_.stopped()) throw NotConverged("stopped while simulating decays");
        try {
          const auto curves = replica(amplitudes, options_.seed + 7919 * (k + 1) + 104729 * (r + 1));
          std::copy(curves.frequency_hz.begin(), curves.frequency_hz.end(),
                    all.frequency_hz[r].begin() + static_cast<std::ptrdiff_t>(begin));
          std::copy(curves.damping_ratio.begin(), curves.damping_ratio.end(),
                    all.damping_ratio[r].begin() + static_cast<std::ptrdiff_t>(begin));
        } catch (const InvalidInput&) {  // a replica that cannot be read tells nothing: it stays not a number
        }
      }
      begin = end;
    }
    return all;
  }

  /// Takes the replicas' mean error off the points, weighs them with the replicas' scatter, and fills gaps of the
  /// replicas with their mean. Points that less than half of the replicas reach get no weight.
  ModalPoints corrected(const ModalPoints& raw, const ModalIwan& model, Replicas& replicas, Path& path) const {
    ModalPoints points = raw;
    const ModalIwanLaw law(model, options_.forms);
    path.frequency_bias.assign(raw.size(), 0);
    path.damping_bias.assign(raw.size(), 0);
    const std::size_t n = replicas.frequency_hz.size();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const ModalAt at = law(raw.amplitude[i]);
      double f_sum = 0, z_sum = 0, f_squares = 0, z_squares = 0;
      std::size_t count = 0;
      for (std::size_t r = 0; r < n; ++r) {
        const double f = std::log(replicas.frequency_hz[r][i] / at.frequency_hz);
        const double z = std::log(replicas.damping_ratio[r][i] / at.damping_ratio);
        if (!std::isfinite(f) || !std::isfinite(z)) continue;
        f_sum += f, z_sum += z, f_squares += f * f, z_squares += z * z, ++count;
      }
      const auto m = static_cast<double>(count);
      const bool enough = 2 * count >= n && count > 1;
      const double f_bias = enough ? f_sum / m : 0, z_bias = enough ? z_sum / m : 0;
      const auto deviation = [&](double squares, double bias, double least) {
        if (!enough) return 1e3;
        const double variance = std::max(squares - m * bias * bias, 0.0) / (m - 1);
        return std::max(std::sqrt(variance + 0.01 * bias * bias), least);
      };
      points.frequency_deviation[i] = deviation(f_squares, f_bias, least_frequency_deviation);
      points.damping_deviation[i] = deviation(z_squares, z_bias, least_damping_deviation);
      if (!decays_[places_[i].decay].flag[places_[i].point].empty()) {
        points.frequency_deviation[i] = std::max(points.frequency_deviation[i], raw.frequency_deviation[i]);
        points.damping_deviation[i] = std::max(points.damping_deviation[i], raw.damping_deviation[i]);
      }
      path.frequency_bias[i] = f_bias;
      path.damping_bias[i] = z_bias;
      points.frequency_hz[i] *= std::exp(-f_bias);
      points.damping_ratio[i] *= std::exp(-z_bias);
      for (std::size_t r = 0; r < n; ++r) {
        double& f = replicas.frequency_hz[r][i];
        double& z = replicas.damping_ratio[r][i];
        const bool gap = !std::isfinite(f) || !std::isfinite(z) || !(z > 0);
        f = gap ? at.frequency_hz : f * std::exp(-f_bias);
        z = gap ? at.damping_ratio : z * std::exp(-z_bias);
      }
    }
    return points;
  }

  /// Simulate, take the bias off, fit again: the first round, of few replicas, brings the model near. What is fitted
  /// are the points that ringdown trusts; those where the decay changes fast only tell how the replicas should begin.
  Path through_replicas(const ModalPoints& raw, const Choice& from) {
    constexpr int most_rounds = 6;
    const auto all = static_cast<std::size_t>(options_.replicas);
    Path path = path_of(from);
    for (int round = 0; round < most_rounds; ++round) {
      const ModalIwan simulated = path.model;
      Replicas replicas = simulate(simulated, raw, round == 0 ? std::min<std::size_t>(4, all) : all);
      const ModalPoints points = corrected(raw, simulated, replicas, path);
      ModalIwan whole = simulated;
      if (from.macro_slip) whole = refined(points, simulated, true).model();
      const ModalPoints trusted = only_trusted(points);
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
      path.spread.uncorrected = refined(untouched, path.choice.model(), slips).model();
      const double value = path.choice.minimum.value, expected = std::max(mean(path.spread.values), 1e-300);
      path.misfit = std::sqrt(value / expected);
      path.surprise = (value - expected) / std::max(deviation(path.spread.values), 1e-3 * expected);
      path.model = path.beyond ? joined(path.choice, whole, reach) : path.choice.model();
      if (round > 0 && near(path.model, simulated)) break;
    }
    return path;
  }

  [[nodiscard]] Choice refined(const ModalPoints& points, const ModalIwan& start, bool macro_slip) const {
    ModalProblem problem(points, problem_options_);
    if (options_.objective == ModalObjective::paper) problem.convert_with(start);
    const auto minimum = problem.local(problem.variables(start), macro_slip);
    return {std::move(problem), minimum, macro_slip};
  }

  /// Micro-slip of the trusted points, phi_max and the share of the stiffness that slips at once of all of them. Where
  /// that phi_max lies below the largest trusted amplitude, it is kept only if the trusted points like it better.
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
    return misfit(early) < misfit(late) ? early : late;
  }

  static bool near(const ModalIwan& a, const ModalIwan& b) {
    return std::abs(a.chi - b.chi) < 0.002 && std::abs(a.damping - b.damping) < 0.002 * b.damping &&
           std::abs(a.slip_force - b.slip_force) < 0.05 * b.slip_force;
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
    return {only_trusted(p.amplitude), only_trusted(p.frequency_hz), only_trusted(p.damping_ratio),
            only_trusted(p.frequency_deviation), only_trusted(p.damping_deviation)};
  }
  [[nodiscard]] Replicas only_trusted(const Replicas& all) const {
    Replicas kept;
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

  static Spread refit(const ModalProblem& problem, const ModalIwan& truth, bool macro_slip, const Replicas& replicas) {
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

  static std::array<bool, 6> bounds_met(const ModalProblem& problem, const ModalProblem::Variables& x) {
    std::array<bool, 6> met{};
    for (int i = 0; i < 6; ++i) met[static_cast<std::size_t>(i)] = problem.at_bound(x, i);
    return met;
  }

  /// The model whose largest misfit, over the tolerances or the points' own deviations, is least: by rising powers.
  /// Macro-slip is called for only where the model without it does not stay within them.
  Choice least_largest(const Choice& from) {
    const Trust trust = options_.use_flagged ? Trust::all : Trust::unflagged;
    ModalPoints points = points_at(decays_, places_of(decays_, trust, std::numeric_limits<std::size_t>::max()));
    for (double& deviation : points.frequency_deviation) deviation = std::max(deviation, options_.frequency_tolerance);
    for (double& deviation : points.damping_deviation) deviation = std::max(deviation, options_.damping_tolerance);
    fit_.least_largest = true;
    const ModalProblem squares(points, problem_options_);
    const auto start = squares.variables(from.model());
    Choice best = rising(squares, {squares.global(false).x, start}, false);
    if (options_.macro_slip && largest(best) > 1) {
      const Choice slipping = rising(squares, {squares.global(true).x, start, best.minimum.x}, true);
      if (largest(slipping) < 0.8 * largest(best)) best = slipping;
    }
    return best;
  }

  [[nodiscard]] Choice rising(const ModalProblem& squares, const std::vector<ModalProblem::Variables>& starts,
                              bool macro_slip) const {
    Choice best{squares, {}, macro_slip};
    double least = std::numeric_limits<double>::infinity();
    for (const auto& start : starts) {
      ModalProblem::Minimum m = squares.local(start, macro_slip);
      for (const double power : {4.0, 8.0, 16.0, 32.0, 64.0}) {
        ModalProblem::Options options = problem_options_;
        options.power = power;
        m = ModalProblem(squares.points(), options).local(m.x, macro_slip);
      }
      const Choice found{squares, {m.x, squares.value(m.x), m.converged}, macro_slip};
      if (largest(found) < least) best = found, least = largest(found);
    }
    return best;
  }

  /// Does the model miss a point by more than its tolerance and twice its deviation?
  [[nodiscard]] bool leaves_tolerance(const Choice& choice) const {
    ModalPoints points = choice.problem.points();
    for (double& d : points.frequency_deviation) d = std::max(2 * d, options_.frequency_tolerance);
    for (double& d : points.damping_deviation) d = std::max(2 * d, options_.damping_tolerance);
    return options_.objective == ModalObjective::log &&
           ModalProblem(std::move(points), problem_options_).residuals(choice.minimum.x).cwiseAbs().maxCoeff() > 1;
  }

  static double largest(const Choice& choice) {
    return choice.problem.residuals(choice.minimum.x).cwiseAbs().maxCoeff();
  }

  /// Fits with a tenth of the amplitudes left out in turn: a jackknife over blocks, for misfit is correlated.
  std::vector<ModalIwan> left_out(const Choice& choice) const {
    constexpr std::size_t n_blocks = 10;
    const ModalPoints& points = choice.problem.points();
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return points.amplitude[a] < points.amplitude[b]; });
    std::vector<ModalIwan> models;
    for (std::size_t b = 0; b < n_blocks; ++b) {
      ModalPoints kept = points;
      for (std::size_t j = b * order.size() / n_blocks; j < (b + 1) * order.size() / n_blocks; ++j)
        kept.frequency_deviation[order[j]] = kept.damping_deviation[order[j]] = 1e6;
      ModalProblem problem(kept, problem_options_);
      if (options_.objective == ModalObjective::paper) problem.convert_with(choice.model());
      models.push_back(fit_.least_largest ? rising(problem, {choice.minimum.x}, choice.macro_slip).model()
                                          : problem.model(problem.local(choice.minimum.x, choice.macro_slip).x));
    }
    return models;
  }

  void finish(const Path& path) {
    const Choice& choice = path.choice;
    const Spread& spread = path.spread;
    fit_.model = path.model;
    fit_.macro_slip = choice.macro_slip;
    fit_.macro_slip_beyond = path.beyond;
    fit_.replicas = static_cast<int>(spread.models.size());
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
        if (next < places_.size() && places_[next].decay == k && places_[next].point == i) {
          p.used = true;
          if (!path.frequency_bias.empty() && !fit_.least_largest)
            p.frequency_bias = path.frequency_bias[next], p.damping_bias = path.damping_bias[next];
          if (p.flag.empty() || options_.use_flagged) {
            loss += std::pow(std::log(p.damping_ratio / p.model.damping_ratio) - p.damping_bias, 2);
            frequency += std::pow(p.frequency_hz / p.model.frequency_hz - 1 - p.frequency_bias, 2);
            trusted += 1;
          }
          ++next;
        }
        fit_.points.push_back(std::move(p));
      }
    }
    fit_.residual = std::sqrt(loss / std::max(trusted, 1.0));
    fit_.frequency_residual = std::sqrt(frequency / std::max(trusted, 1.0));
  }

  const std::vector<MeasuredDecay>& decays_;
  const ModalFitOptions& options_;
  const Progress& progress_;
  std::vector<Place> places_;
  ModalProblem::Options problem_options_;
  std::vector<double> noise_;  ///< of each record
  ModalFit fit_;
};

}  // namespace

ModalFit fit_modal(const std::vector<MeasuredDecay>& decays, const ModalFitOptions& options, const Progress& progress) {
  check_decays(decays);
  if (options.replicas < 0 || options.replicas == 1 || options.replicas > 10000)
    throw InvalidInput(fmt::format("replicas must be 0 or from 2 to 10000, got {}", options.replicas));
  positive("frequency tolerance", options.frequency_tolerance);
  positive("damping tolerance", options.damping_tolerance);
  return Identification(decays, options, progress).run();
}

}  // namespace microslip
