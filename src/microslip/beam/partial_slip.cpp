#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/tools/minima.hpp>

#include <microslip/beam/gauss.hpp>
#include <microslip/beam/partial_slip.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

constexpr int n_samples = 256;  ///< of the interface, when looking for regions; narrower ones are found at their ends

double direction(ContactState state) {
  if (state == ContactState::slip_forward) return 1;
  if (state == ContactState::slip_backward) return -1;
  return 0;
}

/// The ends of [from, to], and the breaks inside it.
std::vector<double> cut(double from, double to, const std::vector<double>& breaks) {
  std::vector<double> cuts{from, to};
  for (double x : breaks)
    if (x > from && x < to) cuts.push_back(x);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace

PartialSlip::PartialSlip(const Model& model, Pressure pressure, NormalForce normal_force)
    : model_(checked(model)), pressure_(std::move(pressure)), normal_force_(normal_force) {
  positive("support.tangential_stiffness", model.support.tangential_stiffness);
  positive("support.friction_coefficient", model.support.friction_coefficient);
  check_resolution(model);
}

double PartialSlip::limit(const Field& field, double x) const {
  const double dynamic =
      normal_force_ == NormalForce::dynamic ? model_.support.normal_stiffness * field.at(x, Component::w) : 0;
  return model_.support.friction_coefficient * (pressure_.at(x) + dynamic);
}

ContactState PartialSlip::state_at(const Field& field, double x) const {
  const double most = limit(field, x);
  if (most <= 0) return ContactState::open;
  const double traction = model_.support.tangential_stiffness *
                          (field.at(x, Component::u) - model_.beam.height / 2 * field.at(x, Component::phi));
  if (std::abs(traction) <= most) return ContactState::stick;
  return traction > 0 ? ContactState::slip_forward : ContactState::slip_backward;
}

std::vector<Stretch> PartialSlip::stretches(const std::vector<Region>& regions) const {
  const auto& support = model_.support;
  const double kn = support.normal_stiffness;
  std::vector<Stretch> result;
  if (pressure_.from > 0) result.push_back({.from = 0, .to = pressure_.from});
  for (const Region& r : regions)
    result.push_back({.from = r.from,
                      .to = r.to,
                      .normal_stiffness = kn,
                      .tangential_stiffness = r.state == ContactState::stick ? support.tangential_stiffness : 0,
                      .slip = direction(r.state) * support.friction_coefficient,
                      .dynamic_pressure = normal_force_ == NormalForce::dynamic ? 1.0 : 0.0});
  result.push_back({.from = pressure_.to, .to = model_.beam.length});
  return result;
}

std::vector<Region> PartialSlip::regions(const Field& field, const std::vector<Region>& current) const {
  std::vector<Region> result;
  const double tiny = 1e-15 * model_.support.length;
  const auto change = [&](double x, ContactState next) {
    if (!result.empty()) result.back().to = x;
    result.push_back({x, x, next});
  };
  // Every change of state between a and b, by bisection; regions inside that are thinner than b - a are split off.
  const auto split = [&](const auto& self, double a, ContactState at_a, double b, ContactState at_b) -> void {
    if (at_a == at_b) return;
    const double middle = (a + b) / 2;
    if (b - a <= tiny || middle <= a || middle >= b) return change(middle, at_b);
    const ContactState at_middle = state_at(field, middle);
    self(self, a, at_a, middle, at_middle);
    self(self, middle, at_middle, b, at_b);
  };
  // The middle of every region met so far is looked at too, so that one thinner than the samples' distance stays.
  std::vector<double> samples;
  for (int i = 1; i < n_samples; ++i)
    samples.push_back(pressure_.from + (pressure_.to - pressure_.from) * i / n_samples);
  for (const Region& r : current) samples.push_back((r.from + r.to) / 2);
  samples.push_back(pressure_.to);
  std::sort(samples.begin(), samples.end());

  double previous = pressure_.from;
  ContactState before = state_at(field, previous);
  change(previous, before);
  for (double x : samples) {
    const ContactState now = state_at(field, x);
    split(split, previous, before, x, now);
    previous = x;
    before = now;
  }
  result.back().to = pressure_.to;
  return without_slivers(result, tiny);
}

/// Regions no wider than the bisection tells apart; and where a lifted edge ends, whose pressure is zero but for
/// rounding, open ones a thousand times as wide.
std::vector<Region> PartialSlip::without_slivers(const std::vector<Region>& regions, double tiny) const {
  std::vector<Region> kept;
  for (const Region& r : regions) {
    const bool at_edge = r.from == pressure_.from || r.to == pressure_.to;
    if (r.to - r.from <= (r.state == ContactState::open && at_edge ? 1000 : 2) * tiny) continue;
    if (kept.empty())
      kept.push_back({pressure_.from, r.to, r.state});
    else if (kept.back().state == r.state)
      kept.back().to = r.to;
    else
      kept.back().to = r.from, kept.push_back(r);
  }
  if (kept.empty()) return regions;
  kept.back().to = pressure_.to;
  return kept;
}

double PartialSlip::loss(const Field& field, const std::vector<Region>& regions) const {
  const double mu = model_.support.friction_coefficient, kt = model_.support.tangential_stiffness;
  double sum = 0;
  for (const Region& r : regions) {
    if (direction(r.state) == 0) continue;
    std::vector<double> breaks = pressure_.density.breaks();
    for (const auto& piece : field.pieces()) breaks.push_back(piece.to);
    const std::vector<double> cuts = cut(r.from, r.to, breaks);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      sum += gauss(cuts[i], cuts[i + 1], [&](double x) {
        const double s = field.at(x, Component::u) - model_.beam.height / 2 * field.at(x, Component::phi);
        const double most = mu * pressure_.at(x);
        return 4 * most * (std::abs(s) - most / kt);
      });
  }
  return sum;
}

Field PartialSlip::motion(const SlipState& state) const {
  return PiecewiseBeam(model_.beam, stretches(state.regions), attachments(model_, state.force), &pressure_.density)
      .solve(model_.load.omega());
}

SlipState PartialSlip::at(double force, const std::vector<Region>& guess) const {
  finite("force", force);
  SlipState state{.force = force, .regions = guess};
  if (guess.empty()) state.regions = {{pressure_.from, pressure_.to, ContactState::stick}};
  const double length = model_.support.length;
  constexpr int most_iterations = 60;
  state.outcome = Outcome::iteration_limit;
  for (int i = 1; i <= most_iterations; ++i) {
    state.iterations = i;
    const Field field = motion(state);
    std::vector<Region> next = regions(field, state.regions);
    state.gave_way = state.gave_way || std::none_of(next.begin(), next.end(),
                                                    [](const Region& r) { return r.state == ContactState::stick; });
    bool same = next.size() == state.regions.size();
    double moved = 0;
    for (std::size_t k = 0; same && k < next.size(); ++k) {
      same = next[k].state == state.regions[k].state;
      moved =
          std::max({moved, std::abs(next[k].from - state.regions[k].from), std::abs(next[k].to - state.regions[k].to)});
    }
    state.residual = same ? moved / length : std::numeric_limits<double>::infinity();
    if (same && moved <= 1e-10 * length) {
      state.outcome = Outcome::converged;
      state.displacement = displacement_at_load(model_, field);
      for (const Region& r : state.regions) {
        if (direction(r.state) != 0) state.slip_length += r.to - r.from;
        if (r.state == ContactState::stick) state.stick_length += r.to - r.from;
      }
      if (normal_force_ == NormalForce::constant) state.dissipation = loss(field, state.regions);
      state.gave_way = !(state.stick_length > 0);
      return state;
    }
    if (same && i > 20)  // fronts that swing about their place are met half-way
      for (std::size_t k = 0; k < next.size(); ++k) {
        next[k].from = (next[k].from + state.regions[k].from) / 2;
        next[k].to = (next[k].to + state.regions[k].to) / 2;
      }
    state.regions = std::move(next);
  }
  return state;
}

Onset PartialSlip::onset() const {
  const StuckBeam stuck(model_, pressure_);
  const Field unit = stuck.response(1);
  const double mu = model_.support.friction_coefficient, kt = model_.support.tangential_stiffness;
  // The force at which x slips, in whichever half-cycle slips first.
  const auto force = [&](double x) {
    const double s = unit.at(x, Component::u) - model_.beam.height / 2 * unit.at(x, Component::phi);
    double demand = std::abs(kt * s);
    if (normal_force_ == NormalForce::dynamic)
      demand += mu * model_.support.normal_stiffness * std::abs(unit.at(x, Component::w));
    const double available = mu * std::max(0.0, pressure_.at(x));
    return demand > 0 ? available / demand : std::numeric_limits<double>::max();
  };
  Onset least{std::numeric_limits<double>::infinity(), 0};
  for (const Interval& pressed : pressure_.pressed) {
    int best = 0;
    const auto place = [&, from = pressed.from, to = pressed.to](int i) {
      return from + (to - from) * std::clamp(i, 0, n_samples) / n_samples;
    };
    for (int i = 0; i <= n_samples; ++i)
      if (force(place(i)) < force(place(best))) best = i;
    const auto [x, f] = boost::math::tools::brent_find_minima(force, place(best - 1), place(best + 1), 50);
    const Onset here = force(place(best)) <= f ? Onset{force(place(best)), place(best)} : Onset{f, x};
    if (here.force < least.force) least = here;
  }
  return least;
}

SlipBackbone PartialSlip::backbone(const std::vector<double>& forces) const {
  SlipBackbone result;
  double least = 0;
  for (double force : forces) {
    if (!(force > least)) throw InvalidInput(fmt::format("forces must be > 0 and grow, got {} after {}", force, least));
    least = force;
    const std::vector<Region> guess = result.states.empty() ? std::vector<Region>{} : result.states.back().regions;
    SlipState state = at(force, guess);
    if (state.outcome != Outcome::converged) state = at(force);
    if (state.outcome == Outcome::converged && state.stick_length > 0) {
      result.states.push_back(std::move(state));
      continue;
    }
    // Nothing sticks, or the guess was too far off: the force is reached in steps as long as they succeed. Where no
    // step does, however small, and a little above nothing sticks, the interface has given way. (At the very edge the
    // fronts creep and do not get there within the iterations.)
    double gives_way = state.gave_way ? force : std::numeric_limits<double>::infinity();
    double reached = result.states.empty() ? 0 : result.states.back().force, step = (force - reached) / 2;
    std::vector<Region> regions = guess;
    while (step > 1e-9 * force) {
      const double next = std::min(force, reached + step);
      SlipState trial = at(next, regions);
      if (trial.outcome != Outcome::converged || !(trial.stick_length > 0)) {
        if (trial.gave_way) gives_way = std::min(gives_way, next);
        step /= 2;
        continue;
      }
      if (next == force) {
        state = std::move(trial);
        break;
      }
      reached = next;
      regions = std::move(trial.regions);
      step *= 1.5;
    }
    if (state.outcome == Outcome::converged && state.stick_length > 0) {
      result.states.push_back(std::move(state));
      continue;
    }
    if (!(gives_way - reached <= 1e-6 * force))
      throw NotConverged(
          fmt::format("partial slip: no state found between {} N and {} N, where the interface does not give way",
                      reached, std::min(gives_way, force)));
    result.macro_slip_force = reached;
    break;
  }
  return result;
}

LoopCurve masing_loop(const std::vector<SlipState>& virgin) {
  LoopCurve loop;
  loop.dissipation = virgin.back().dissipation;
  const double force = virgin.back().force, most = virgin.back().displacement;
  // From +force: the branch is the virgin curve, twice as large, turned about the reversal.
  for (int branch : {1, -1}) {
    loop.force.push_back(branch * force);
    loop.displacement.push_back(branch * most);
    for (const SlipState& s : virgin) {
      loop.force.push_back(branch * (force - 2 * s.force));
      loop.displacement.push_back(branch * (most - 2 * s.displacement));
    }
    loop.force.pop_back();
    loop.displacement.pop_back();
  }
  loop.force.push_back(force);
  loop.displacement.push_back(most);
  return loop;
}

std::vector<Traction> PartialSlip::tractions(const SlipState& state, int n) const {
  const Field field = motion(state);
  std::vector<Traction> result;
  for (int i = 0; i <= n; ++i) {
    const double x = pressure_.from + (pressure_.to - pressure_.from) * i / n;
    const double bearable = model_.support.friction_coefficient * std::max(0.0, pressure_.at(x));
    const double stuck = model_.support.tangential_stiffness *
                         (field.at(x, Component::u) - model_.beam.height / 2 * field.at(x, Component::phi));
    result.push_back({.position = x,
                      .value = std::clamp(stuck, -bearable, bearable),
                      .limit = bearable,
                      .sticks = std::abs(stuck) <= bearable});
  }
  return result;
}

LoopCurve PartialSlip::masing_loop(double force, int n) const {
  positive("force", force);
  if (n < 2) throw InvalidInput(fmt::format("a loop needs at least 2 points per branch, got {}", n));
  if (normal_force_ == NormalForce::dynamic)
    throw InvalidInput("Masing's rule needs a constant normal force; march the cycle instead");
  std::vector<double> forces;
  for (int i = 1; i <= n; ++i) forces.push_back(force * i / n);
  const SlipBackbone virgin = backbone(forces);
  if (virgin.macro_slip_force)
    throw InvalidInput(
        fmt::format("load.force {} N is past macro-slip, which comes at {} N", force, *virgin.macro_slip_force));
  return beam::masing_loop(virgin.states);
}

}  // namespace microslip::beam
