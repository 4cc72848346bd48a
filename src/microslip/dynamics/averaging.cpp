#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/averaging.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

/// A with A = size(properties at A), from a first guess, by secants: the properties change slowly with A. A corner of
/// the law, across which the decay jumps, leads them astray, so A stays between one that is below its size and one that
/// is above. Where the size falls past A at the corner no A agrees, and the corner is the answer.
template <class Law, class Size>
double self_consistent(const Law& law, double guess, const Size& size) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), accuracy = 1e-13;
  double a = guess, low = 0, high = infinity, last = 0, last_rise = 0;
  for (int i = 0; i < 120; ++i) {
    const double next = size(law(a)), rise = next - a;
    if (std::abs(rise) <= accuracy * next) return next;
    (rise > 0 ? low : high) = a;
    if (high < infinity && high - low <= accuracy * high) return high;
    const auto inside = [&](double x) { return x >= low && x < high; };
    const double secant = i > 0 ? a + rise * (a - last) / (last_rise - rise) : next;
    last = a, last_rise = rise;
    const double middle = high < infinity ? 0.5 * (low + high) : 2 * low;
    a = i >= 40 ? middle : inside(secant) ? secant : inside(next) ? next : middle;
  }
  throw NotConverged(
      fmt::format("averaging: no amplitude agrees with its own frequency and decay; {:.6g} was the last", a));
}

template <class Law>
double amplitude_of(const Law& law, double u, double v, double guess) {
  return self_consistent(law, guess,
                         [&](const AtAmplitude& at) { return std::hypot(u, (v + at.decay * u) / damped_omega(at)); });
}

/// An amplitude law with the jump of the decay at its corner made smooth. A jump leaves motions with two amplitudes or
/// none, and a load may hold the motion on it, where no step is short enough. Spread over 2 jump/omega of the corner
/// beyond it, A's size rises 3/8 as fast as A, so that each motion has one amplitude, and those below have their own.
class Rounded {
 public:
  explicit Rounded(const AmplitudeLaw& law) : law_(law) {
    const double corner = law.corner();
    if (!std::isfinite(corner)) return;
    const AtAmplitude at = law(corner);
    const double jump = law(corner * (1 + 1e-12)).decay - at.decay, width = std::min(0.5, std::abs(jump) / at.omega);
    from_ = corner, to_ = corner * (1 + 2 * width);
    below_ = law(from_).decay, above_ = law(to_).decay;
  }
  AtAmplitude operator()(double a) const {
    AtAmplitude at = law_(a);
    if (a > from_ && a < to_) {
      const double x = (a - from_) / (to_ - from_);
      at.decay = below_ + x * x * (3 - 2 * x) * (above_ - below_);
    }
    return at;
  }

 private:
  const AmplitudeLaw& law_;
  double from_ = std::numeric_limits<double>::infinity(), to_ = from_, below_ = 0, above_ = 0;
};

}  // namespace

double damped_omega(const AtAmplitude& at) {
  if (!(at.decay < at.omega))
    throw InvalidInput(
        fmt::format("averaging needs a mode that oscillates; its damping ratio is {:.4g}, below 1 is "
                    "expected (use method newmark)",
                    at.decay / at.omega));
  return std::sqrt((at.omega - at.decay) * (at.omega + at.decay));
}

AmplitudePhase amplitude_and_phase(const AmplitudeLaw& law, double u, double v) {
  if (u == 0 && v == 0) return {0, 0};
  const double a = amplitude_of(law, u, v, std::hypot(u, v / law.mode().low_amplitude_omega()));
  const AtAmplitude at = law(a);
  return {a, std::atan2(-(v + at.decay * u) / damped_omega(at), u)};
}

AmplitudePhase amplitude_and_phase_at_extremum(const AmplitudeLaw& law, double peak) {
  const double a = self_consistent(law, std::abs(peak),
                                   [&](const AtAmplitude& at) { return std::abs(peak) * at.omega / damped_omega(at); });
  const AtAmplitude at = law(a);
  // v = 0: tan(phase) = -decay/omega_d, on the side of the peak.
  return {a, std::atan2(-at.decay * peak, damped_omega(at) * peak)};
}

FreeDecay::FreeDecay(const AmplitudeLaw& law, double from, double to, AmplitudePhase start, double offset)
    : from_(from), offset_(offset), phase_(start.phase) {
  omega_reference_ = damped_omega(law(0));
  if (!(start.amplitude > 0) || !(to > from)) return;
  const auto rate = [&](double /*t*/, const std::array<double, 3>& y) {
    const AtAmplitude at = law(std::exp(y[0]));
    return std::array<double, 3>{-at.decay, damped_omega(at) - omega_reference_, at.dissipation * at.omega / (2 * pi)};
  };
  const double pace = law(start.amplitude).decay + 1 / (to - from);
  // Where the damper alone is left ln A falls evenly and allows any step; the loss does not.
  const double energy = std::max(law.energy(start.amplitude), std::numeric_limits<double>::min());
  pieces_.reserve(256);
  runge_kutta<3>(rate, from, to, {std::log(start.amplitude), start.phase, 0}, {1e-10, 1e-8, 1e-8 * energy}, 0.01 / pace,
                 to - from, 100'000, [&](const DenseStep<3>& step) { pieces_.push_back(step); });
}

AmplitudePhase FreeDecay::amplitude_and_phase_at(double t) const {
  if (pieces_.empty()) return {0, phase_ + omega_reference_ * (t - from_)};
  const auto& piece = piece_at(pieces_, t, hint_);
  return {std::exp(piece.value(0, t)), piece.value(1, t) + omega_reference_ * (t - from_)};
}

FreeDecay::Motion FreeDecay::at(double t) const {
  const auto [amplitude, phase] = amplitude_and_phase_at(t);
  if (pieces_.empty()) return {0, phase, offset_, 0};
  const auto& piece = piece_at(pieces_, t, hint_);
  const double x = amplitude * std::cos(phase), y = amplitude * std::sin(phase);
  return {amplitude, phase, offset_ + x, piece.rate(0, t) * x - (piece.rate(1, t) + omega_reference_) * y};
}

double FreeDecay::dissipated(double t) const { return pieces_.empty() ? 0 : piece_at(pieces_, t, hint_).value(2, t); }

ForcedAveraging::ForcedAveraging(const AmplitudeLaw& exact, const Load& load, double factor, double from, double to,
                                 double u, double v) {
  const JointedMode& mode = exact.mode();
  const Rounded law(exact);
  double a = std::hypot(u, v / mode.low_amplitude_omega());
  const auto rate = [&](double t, const std::array<double, 4>& y) {
    const double force = factor * load(t);
    a = y[0] == 0 && y[1] == 0 ? 0 : amplitude_of(law, y[0], y[1], a);
    const AtAmplitude at = law(a);
    return std::array<double, 4>{y[1], force / mode.mass - 2 * at.decay * y[1] - at.omega * at.omega * y[0],
                                 force * y[1], 2 * at.decay * mode.mass * y[1] * y[1]};
  };
  // Tolerances follow the size of the response, for which the deflection under the largest load is the yardstick.
  const double omega = mode.low_amplitude_omega(), period = 2 * pi / omega;
  const double pushed = std::abs(factor) * load.largest(from, to) / (mode.mass * omega * omega);
  double largest = std::max(std::hypot(u, v / omega), pushed);
  if (!(largest > 0)) largest = std::numeric_limits<double>::min() * 1e20;
  const double energy = mode.mass * omega * omega * largest * largest;
  const std::array<double, 4> tolerance{1e-10 * largest, 1e-10 * largest * omega, 1e-9 * energy, 1e-8 * energy};
  end_ = {u, v, 0, 0};
  const double fastest = std::min(period, load.shortest_period());
  const auto most_steps = [&](double length) { return static_cast<std::size_t>(1000 * (1 + length / fastest)); };
  std::vector<double> stops = load.kinks(from, to);
  stops.push_back(to);
  double t = from;
  for (const double stop : stops) {
    // Just inside the interval, so that a jump at its end is not felt before it.
    const double inside = std::nextafter(stop, t), first = std::nextafter(t, stop);
    const auto within_piece = [&](double s, const std::array<double, 4>& y) {
      return rate(std::clamp(s, first, inside), y);
    };
    end_ = runge_kutta<4>(within_piece, t, stop, end_, tolerance, std::min(0.01 * period, stop - t), 0.25 * period,
                          most_steps(stop - t), [&](const DenseStep<4>& step) {
                            pieces_.push_back(step);
                            largest_amplitude_ = std::max(largest_amplitude_, a);
                          });
    t = stop;
  }
}

ForcedAveraging::Motion ForcedAveraging::at(double t) const {
  const auto& piece = piece_at(pieces_, t, hint_);
  return {piece.value(0, t), piece.value(1, t), piece.value(2, t), piece.value(3, t)};
}

}  // namespace microslip
