#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/steady_response.hpp>
#include <microslip/joints/describing_function.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int per_decade = 64;        // amplitudes at which folds are looked for
constexpr double endless = 1e12;      // an amplitude so many times that of the stuck mode is taken for no bound at all
constexpr double fold_width = 1e-10;  // relative frequency to which a fold is located

/// The sign change of f in [low, high], to the last digits.
template <class F>
double root_between(const F& f, double low, double high) {
  const double at_low = f(low), at_high = f(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  std::uintmax_t iterations = 200;
  const auto bracket = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                         boost::math::tools::eps_tolerance<double>(50), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

struct Crossing {
  double amplitude;
  bool upward;
};

/// The amplitudes at which the excess of a force vanishes, rising; `value` is the excess at `amplitude`.
template <class F>
std::vector<Crossing> crossings(const std::vector<double>& amplitude, const std::vector<double>& value, const F& excess,
                                double force) {
  std::vector<Crossing> found;
  const auto cross = [&](double low, double high, bool upward) {
    const double a = root_between(excess, low, high);
    // A law whose force falls when it slips jumps over the force here: no harmonic motion answers it.
    if (std::abs(excess(a)) <= 1e-6 * force) found.push_back({a, upward});
  };
  for (std::size_t j = 1; j < amplitude.size(); ++j) {
    const double low = amplitude[j - 1], high = amplitude[j];
    if (std::isnan(value[j - 1]) || std::isnan(value[j])) continue;  // the mode is no spring there: it has no frequency
    if ((value[j - 1] < 0) != (value[j] < 0)) {
      cross(low, high, value[j - 1] < 0);
      continue;
    }
    // Two answers within an interval show as an extremum on the way to zero beside it.
    if (j + 1 >= amplitude.size()) continue;
    const double sign = value[j] < 0 ? -1 : 1, next = amplitude[j + 1];
    const bool extremum = sign * value[j] <= sign * value[j - 1] && sign * value[j] < sign * value[j + 1];
    if (!extremum || (value[j + 1] < 0) != (value[j] < 0)) continue;
    const auto [at, least] =
        boost::math::tools::brent_find_minima([&](double a) { return sign * excess(a); }, low, next, 30);
    if (least >= 0) continue;
    cross(low, at, sign < 0);
    cross(at, next, sign > 0);
  }
  return found;
}

/// Third harmonic of the force for u = a cos(theta). The two halves of a loop mirror one another.
template <class Law>
double third_force_harmonic(const Law& law, double a) {
  if constexpr (std::same_as<Law, ElasticDryFriction<double>>) {
    return third_force_harmonic(law.element(), a);
  } else {
    constexpr Framework framework = Law::masing ? Framework::masing : Framework::reversal;
    const auto top = steady_state(law, a);
    const double tolerance = 1e-9 * std::abs(loop_force(law, a, framework));
    const auto part = [&](auto trigonometric) {
      return detail::integrate_branch(law, top, a, framework, tolerance, [&](double theta) {
        return unloading_force(law, top, a, a * std::cos(theta), framework) * trigonometric(3 * theta);
      });
    };
    return 2 / pi * std::hypot(part([](double angle) { return std::cos(angle); }), part([](double angle) {
                                 return std::sin(angle);
                               }));
  }
}

}  // namespace

SteadyResponse::SteadyResponse(const JointedMode& mode)
    : law_(checked(mode, "mode"), Properties::exact),
      stuck_stiffness_(std::pow(mode.low_amplitude_omega(), 2) * mode.mass - mode.linear_stiffness),
      corner_(mode.joint ? std::visit([](const auto& law) { return detail::corner(law); }, *mode.joint) : 0) {}

SteadyResponse::Impedance SteadyResponse::impedance(double amplitude) const {
  const AtAmplitude at = law_(amplitude);
  const double c = mode().damping;
  return {mode().mass * at.omega * at.omega,
          std::max(0.0, at.dissipation / (pi * amplitude * amplitude) - c * at.omega)};
}

double SteadyResponse::force_of(const Entry& entry, double omega) const {
  const JointedMode& m = mode();
  return entry.amplitude *
         std::hypot(entry.impedance.stiffness - m.mass * omega * omega, entry.impedance.loss + m.damping * omega);
}

double SteadyResponse::force_at(double amplitude, double omega) const {
  return force_of({amplitude, impedance(amplitude)}, omega);
}

HeldForce SteadyResponse::force_for(double amplitude, double frequency_hz) const {
  return held({amplitude, impedance(positive("amplitude", amplitude))}, frequency_hz);
}

HeldForce SteadyResponse::held(const Entry& entry, double frequency_hz) const {
  const double omega = 2 * pi * non_negative("frequency_hz", frequency_hz);
  const double real = entry.impedance.stiffness - mode().mass * omega * omega;
  const double imaginary = entry.impedance.loss + mode().damping * omega;
  return {entry.amplitude * std::hypot(real, imaginary), -180 / pi * std::atan2(imaginary, real)};
}

HeldCurve SteadyResponse::hold(double amplitude, std::vector<double> frequency_hz) const {
  const Entry entry{amplitude, impedance(positive("amplitude", amplitude))};
  const double f_3 = third_force(amplitude);
  HeldCurve curve{amplitude, std::move(frequency_hz), {}, {}, {}};
  for (const double hz : curve.frequency_hz) {
    const HeldForce needed = held(entry, hz);
    curve.force.push_back(needed.force);
    curve.phase.push_back(needed.phase);
    curve.third_harmonic.push_back(f_3 > 0 ? f_3 / force_of(entry, 6 * pi * hz) : 0);
  }
  return curve;
}

RidgePoint SteadyResponse::ridge(double amplitude) const {
  const Impedance z = impedance(positive("amplitude", amplitude));
  const double omega = std::sqrt(z.stiffness / mode().mass), loss = z.loss + mode().damping * omega;
  return {omega / (2 * pi), amplitude, amplitude * loss, loss / (2 * z.stiffness)};
}

double SteadyResponse::ridge_start(double force) const {
  // Losses never exceed those of the rectangle around the loop.
  return 0.5 * force / (4 / pi * stuck_stiffness_ + mode().damping * mode().low_amplitude_omega() + 1e-300);
}

std::optional<RidgePoint> SteadyResponse::resonance(double force) const {
  positive("force", force);
  const auto excess = [&](double a) { return ridge(a).force - force; };
  const double start = ridge_start(force), damper = mode().damping * std::sqrt(mode().linear_stiffness / mode().mass);
  std::vector<double> amplitude, value;
  // True where the ridge has come up to the force; a jump over it does not count, and the ridge may come back.
  const auto reached_at = [&](double a) {
    const bool jump = !amplitude.empty() && amplitude.back() < corner_ && corner_ < a;
    const bool below = !value.empty() && value.back() < 0;
    amplitude.push_back(a);
    value.push_back(excess(a));
    return below && !jump && value.back() >= 0;
  };
  bool reached = false;
  for (double a = start; a < endless * start && !reached; a *= 2) {
    if (a < corner_ && corner_ < 2 * a)
      reached = reached_at(a) || reached_at(corner_ * (1 - 1e-13)) || reached_at(corner_ * (1 + 1e-13));
    else
      reached = reached_at(a);
    if (a > corner_ && damper * a > 2 * force) break;  // nothing brings the ridge back from here
  }
  for (const Crossing& found : crossings(amplitude, value, excess, force))
    if (found.upward) return ridge(found.amplitude);
  return std::nullopt;
}

bool SteadyResponse::bounded(double force) const {
  if (!mode().joint) return mode().damping > 0;
  return ridge(endless * ridge_start(positive("force", force))).force >= force;
}

double SteadyResponse::smallest_amplitude(double force, double omega) const {
  const JointedMode& m = mode();
  const double inertia = m.mass * omega * omega;
  const double stiffness =
      std::max(std::abs(m.linear_stiffness - inertia), std::abs(m.linear_stiffness + stuck_stiffness_ - inertia));
  // A loop lies within a rectangle of height 2 K_T a, so L <= 4 K_T / pi.
  return 0.5 * force / (stiffness + 4 / pi * stuck_stiffness_ + m.damping * omega);
}

double SteadyResponse::largest_amplitude(double force, double omega) const {
  const double start = smallest_amplitude(force, omega);
  // No answer lies beyond where the losses alone take the force for good. D/A grows with A up to a law's corner and
  // jumps up there if at all; beyond it, it goes one way to its limit. Its least value from A on is thus that at A or
  // the limit.
  const auto taken = [&](double at, double a) { return at * impedance(at).loss + a * mode().damping * omega; };
  // Where they never do, none lies beyond where the joint no longer matters and the force exceeds F.
  for (double a = 2 * start; a < endless * start; a *= 2) {
    if (taken(a, a) >= force && (corner_ == 0 || taken(1e6 * std::max(a, corner_), a) >= force)) return a;
    const double held = force_at(a, omega);
    if (held > 2 * force && force_at(2 * a, omega) > 1.95 * held && force_at(16 * a, omega) > 15.5 * held) return a;
  }
  throw NotConverged(
      fmt::format("no bounded response at {:.9g} Hz under a modal force of {:g}: the joint slides and nothing else is "
                  "damped",
                  omega / (2 * pi), force));
}

std::vector<SteadyResponse::Entry> SteadyResponse::table(double from, double to) const {
  const int n = static_cast<int>(std::ceil(per_decade * std::log10(to / from))) + 1;
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(n) + 1);
  for (int i = 0; i <= n; ++i) {
    const double a = i == n ? to : from * std::pow(to / from, static_cast<double>(i) / n);
    // Beyond a corner losses and stiffness change with the root of the distance: denser there.
    if (!entries.empty() && entries.back().amplitude < corner_ && corner_ < a)
      for (const double away : {-1e-13, 1e-13, 1e-11, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 2e-2})
        if (const double side = corner_ * (1 + away); side > entries.back().amplitude && side < a)
          entries.push_back({side, impedance(side)});
    entries.push_back({a, impedance(a)});
  }
  return entries;
}

std::vector<SteadyPoint> SteadyResponse::solve(const std::vector<Entry>& table, double force,
                                               double frequency_hz) const {
  const double omega = 2 * pi * frequency_hz;
  const auto excess = [&](double a) { return force_at(a, omega) - force; };
  std::vector<double> amplitude, value;
  for (const Entry& entry : table) {
    amplitude.push_back(entry.amplitude);
    value.push_back(force_of(entry, omega) - force);
  }
  std::vector<SteadyPoint> points;
  for (const auto& [a, upward] : crossings(amplitude, value, excess, force))
    points.push_back({frequency_hz, a, force_for(a, frequency_hz).phase, upward});
  std::reverse(points.begin(), points.end());
  return points;
}

std::vector<SteadyPoint> SteadyResponse::at(double force, double frequency_hz) const {
  positive("force", force);
  const double omega = 2 * pi * non_negative("frequency_hz", frequency_hz);
  return solve(table(smallest_amplitude(force, omega), largest_amplitude(force, omega)), force, frequency_hz);
}

SteadyCurve SteadyResponse::curve(double force, std::span<const double> frequency_hz) const {
  positive("force", force);
  if (frequency_hz.empty()) throw InvalidInput("frequencies: at least one is expected");
  double from = 0, to = 0;
  for (std::size_t i = 0; i < frequency_hz.size(); ++i) {
    const double omega = 2 * pi * non_negative("frequency_hz", frequency_hz[i]);
    if (i > 0 && !(frequency_hz[i] > frequency_hz[i - 1])) throw InvalidInput("frequencies must grow");
    const double low = smallest_amplitude(force, omega), high = largest_amplitude(force, omega);
    from = i == 0 ? low : std::min(from, low);
    to = std::max(to, high);
  }
  const std::vector<Entry> entries = table(from, to);
  SteadyCurve curve;
  curve.force = force;
  std::vector<SteadyPoint> last;
  std::vector<int> open;  // the branch to which the answers of the last frequency belong; the largest has none
  for (std::size_t i = 0; i < frequency_hz.size(); ++i) {
    const std::vector<SteadyPoint> points = solve(entries, force, frequency_hz[i]);
    if (i > 0 && points.size() != last.size()) open.clear();
    if (i > 0 && (points.size() == last.size() + 2 || last.size() == points.size() + 2)) {
      double few = frequency_hz[i - 1], many = frequency_hz[i];
      std::vector<SteadyPoint> more = points;
      if (points.size() < last.size()) std::swap(few, many), more = last;
      const std::size_t n_few = std::min(points.size(), last.size());
      while (std::abs(many - few) > fold_width * many) {
        const double middle = 0.5 * (few + many);
        const auto found = solve(entries, force, middle);
        (found.size() > n_few ? many : few) = middle;
        if (found.size() > n_few) more = found;
      }
      // The two that merge are the neighbours closest to one another.
      std::size_t pair = 0;
      for (std::size_t k = 1; k + 1 < more.size(); ++k)
        if (more[k].amplitude / more[k + 1].amplitude < more[pair].amplitude / more[pair + 1].amplitude) pair = k;
      curve.folds.push_back({many, 0.5 * (more[pair].amplitude + more[pair + 1].amplitude)});
    }
    curve.frequency_hz.push_back(frequency_hz[i]);
    const bool answered = !points.empty();
    curve.amplitude.push_back(answered ? points.front().amplitude : nan);
    curve.phase.push_back(answered ? points.front().phase : nan);
    curve.third_harmonic.push_back(answered ? third_harmonic(points.front().amplitude, frequency_hz[i]) : nan);
    for (std::size_t k = 1; k < points.size(); ++k) {
      if (open.size() < k) {
        open.push_back(static_cast<int>(curve.branches.size()));
        curve.branches.push_back({points[k].stable, {}, {}, {}});
      }
      SteadyBranch& branch = curve.branches[static_cast<std::size_t>(open[k - 1])];
      branch.frequency_hz.push_back(frequency_hz[i]);
      branch.amplitude.push_back(points[k].amplitude);
      branch.phase.push_back(points[k].phase);
    }
    last = points;
  }
  curve.resonance = resonance(force);
  return curve;
}

double SteadyResponse::third_force(double amplitude) const {
  if (!mode().joint) return 0;
  return std::visit([&](const auto& law) { return third_force_harmonic(law, amplitude); }, *mode().joint);
}

double SteadyResponse::third_harmonic(double amplitude, double frequency_hz) const {
  const double f_3 = third_force(amplitude);
  return f_3 > 0 ? f_3 / force_at(amplitude, 6 * pi * frequency_hz) : 0;
}

}  // namespace microslip
