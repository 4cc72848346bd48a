#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/identify/modal_replicas.hpp>

namespace microslip {

namespace {

using std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double least_steps_per_period = 300;
/// Sampling rate that replicas need, over the upper edge of the band: of an impulse nothing but the decay is sampled, a
/// blow that lasts has parts far above the band, which samples would fold into it.
constexpr double rate_of_decay = 7, rate_of_blow = 56;

/// The same decay sampled more slowly, by a whole factor.
DecaySetup thinned(DecaySetup setup) {
  if (!setup.band) return setup;
  const double rate = (setup.blow ? rate_of_blow : rate_of_decay) * setup.band->upper_hz;
  const double most = setup.sampling_rate_hz / rate;
  const auto factor = static_cast<std::size_t>(std::min(most, static_cast<double>(setup.n_samples)));
  if (factor > 1 && setup.n_samples / factor >= 64) {
    setup.sampling_rate_hz /= static_cast<double>(factor);
    setup.n_samples /= factor;
  }
  return setup;
}

/// The amplitude a time earlier: (ln A)' = -decay(A) backwards, by Runge and Kutta's method.
double earlier_amplitude(const AmplitudeLaw& law, double amplitude, double time) {
  constexpr int n = 200;
  const double h = time / n;
  double y = std::log(amplitude);
  const auto rate = [&](double ln_a) { return law(std::exp(std::min(ln_a, 300.0))).decay; };
  for (int i = 0; i < n; ++i) {
    const double k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return std::exp(y);
}

/// A half-sine of force that sets a mode at rest going.
struct Blow {
  double start;   ///< [s] from the first sample
  double length;  ///< [s]; 0 for an impulse, which counts as a velocity
  double size;    ///< force, or velocity
};

/// The motion that follows, sampled. Newmark's method slows a period by (omega h)^2/12, so its clock is set back by
/// atan(omega h/2)/(omega h/2): what is left is of fourth order.
std::vector<double> struck(const JointedMode& mode, const Blow& blow, const DecaySetup& setup, std::size_t n_samples) {
  const double omega = mode.low_amplitude_omega(), interval = 1 / setup.sampling_rate_hz;
  const auto every = static_cast<std::int64_t>(std::ceil(least_steps_per_period * interval * omega / (2 * pi)));
  double step = interval / static_cast<double>(every);
  for (int i = 0; i < 3; ++i)
    step = interval / static_cast<double>(every) * (0.5 * omega * step) / std::atan(0.5 * omega * step);
  TimePlan plan;
  plan.n_steps = every * static_cast<std::int64_t>(std::max<std::size_t>(n_samples, 2) - 1);
  plan.end = step * static_cast<double>(plan.n_steps);
  OutputPlan output;
  output.displacement = setup.quantity == Quantity::displacement || setup.quantity == Quantity::strain;
  output.velocity = setup.quantity == Quantity::velocity;
  output.acceleration = setup.quantity == Quantity::acceleration;
  output.envelope = false;
  output.every = every;
  const bool impulse = blow.length == 0;
  const Load load = impulse ? Load{} : Load(HalfSine{blow.size, blow.length}, blow.start);
  ModeRun run = run_mode(mode, load, 1, {0, impulse ? blow.size : 0, 0}, plan, output, {});
  if (output.displacement) return std::move(run.displacement);
  return std::move(output.velocity ? run.velocity : run.acceleration);
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

/// A blow of some length about `middle` that leaves the displacement which an impulse `velocity` reaches within two
/// periods.
Blow lasting(const JointedMode& mode, double middle, double length, double velocity) {
  const double omega = mode.low_amplitude_omega();
  DecaySetup fine;
  fine.quantity = Quantity::displacement;
  fine.sampling_rate_hz = 20 * omega;  // 126 samples in a period
  const auto n = static_cast<std::size_t>((4 * pi / omega + length) * fine.sampling_rate_hz);
  const double wanted = largest(struck(mode, {0, 0, velocity}, fine, n));
  Blow blow{0, length, 0.5 * pi * mode.mass * velocity / length};
  for (int i = 0; i < 5; ++i) blow.size *= wanted / largest(struck(mode, blow, fine, n));
  blow.start = middle - 0.5 * length;
  return blow;
}

/// How long after its start the motion shows: ringdown looks for a twentieth of the largest value, and sees it at the
/// next sample.
double delay(const JointedMode& mode, Blow blow, Quantity quantity, double sampling_rate_hz) {
  DecaySetup fine;
  fine.quantity = quantity;
  fine.sampling_rate_hz = 100 * mode.low_amplitude_omega();
  const double duration = 4 * pi / mode.low_amplitude_omega() + blow.length;
  blow.start = 0;
  const std::vector<double> x = struck(mode, blow, fine, static_cast<std::size_t>(duration * fine.sampling_rate_hz));
  const double threshold = 0.05 * largest(x);
  const auto first = std::find_if(x.begin(), x.end(), [&](double v) { return std::abs(v) > threshold; });
  return static_cast<double>(first - x.begin()) / fine.sampling_rate_hz + 0.5 / sampling_rate_hz;
}

/// The blow whose middle lies `gap` after it is seen; an impulse where it is too short to tell.
Blow seen_before(const JointedMode& mode, double gap, double velocity, Quantity quantity, double sampling_rate_hz) {
  const double period = 2 * pi / mode.low_amplitude_omega();
  double length = std::clamp(2 * gap, 0.0, 0.75 * period);
  for (int i = 0; i < 6 && length > 0.02 * period; ++i) {
    const Blow blow = lasting(mode, 0, length, velocity);
    const double change = 2 * (gap + delay(mode, blow, quantity, sampling_rate_hz)) - length;
    length = std::clamp(length + change, 0.0, 0.75 * period);
    if (std::abs(change) < 1e-3 * period) break;
  }
  return length > 0.02 * period ? lasting(mode, gap, length, velocity) : Blow{0, 0, velocity};
}

}  // namespace

std::size_t replica_samples(const DecaySetup& setup) { return thinned(setup).n_samples; }

DecayReplicas::DecayReplicas(const DecaySetup& setup, const ModalIwan& model, double time, double amplitude,
                             double noise_deviation)
    : setup_(thinned(setup)), clean_(setup_.n_samples, 0.0), deviation_(noise_deviation) {
  const AmplitudeLaw law(model.jointed(), Properties::exact);
  frequency_hz_ = law(amplitude).omega / (2 * pi);
  const double from = earlier_amplitude(law, amplitude, std::max(time - setup_.blow.value_or(setup_.onset), 0.0));
  // The onset is put on a sample, so that it is seen neither earlier nor later than in the record.
  const double rate = setup_.sampling_rate_hz;
  const auto onset = static_cast<std::size_t>(std::max(setup_.onset, 0.0) * rate);
  if (onset >= clean_.size()) throw InvalidInput("the onset of a decay lies past the end of its record");
  const JointedMode mode = model.jointed();
  Blow blow{0, 0, from * law(from).omega};
  if (setup_.blow)
    blow = seen_before(mode, *setup_.blow - setup_.onset, blow.size, setup_.quantity, setup.sampling_rate_hz);
  const auto before = std::min(onset, static_cast<std::size_t>(std::ceil(std::max(-blow.start, 0.0) * rate)));
  blow.start = std::max(blow.start + static_cast<double>(before) / rate, 0.0);
  const std::vector<double> ring = struck(mode, blow, setup_, clean_.size() - (onset - before));
  std::copy(ring.begin(), ring.end(), clean_.begin() + static_cast<std::ptrdiff_t>(onset - before));
  if (setup_.noise > 0 && !(deviation_ > 0)) {
    // White noise has about this amplitude in the band; reading it tells the rest.
    const double width = setup_.band ? setup_.band->width() : 0.5 * setup_.sampling_rate_hz;
    const double guess = setup_.noise / std::sqrt(4 * width / setup_.sampling_rate_hz);
    deviation_ = guess;
    try {
      double ratio = 0;
      for (std::uint64_t seed = 1; seed <= 2; ++seed)
        ratio += 0.5 * read(guess, 1000 + seed).window.noise / setup_.noise;
      if (ratio > 0) deviation_ = guess / ratio;
    } catch (const InvalidInput&) {  // no decay can be read in such noise: no replica will be either
    }
  }
}

signal::ModeRingdown DecayReplicas::read(double deviation, std::uint64_t seed) const {
  Record record;
  record.sampling_rate_hz = setup_.sampling_rate_hz;
  record.source = "replica";
  record.channels.push_back({"replica", "", setup_.quantity, clean_});
  if (deviation > 0) {
    const double duration = static_cast<double>(clean_.size()) / setup_.sampling_rate_hz;
    const SampledLoad white = noise(deviation, setup_.sampling_rate_hz, duration, seed);
    std::vector<double>& x = record.channels.front().samples;
    for (std::size_t i = 0; i < x.size() && i < white.value.size(); ++i) x[i] += white.value[i];
  }
  signal::RingdownOptions options;
  options.modes = {{frequency_hz_, setup_.band}};
  options.filter = setup_.band.has_value();
  options.filter_order = setup_.filter_order;
  options.noise_factor = setup_.noise_factor;
  options.method = setup_.pff ? signal::RingdownMethod::pff : signal::RingdownMethod::hilbert;
  return std::move(signal::measure_backbone(record, options).modes.front());
}

DecayReplicas::Curves DecayReplicas::operator()(const std::vector<double>& amplitudes, std::uint64_t seed) const {
  const signal::ModeRingdown found = read(deviation_, seed);
  // Amplitude falls along the decay; where noise lets it rise the point is passed over.
  std::vector<double> ln_a, f, zeta;
  for (std::size_t i = found.amplitude.size(); i-- > 0;) {
    const double x = std::log(found.amplitude[i]);
    if (!std::isfinite(x) || !(found.damping_ratio[i] > 0) || (!ln_a.empty() && x <= ln_a.back())) continue;
    ln_a.push_back(x);
    f.push_back(found.frequency_hz[i]);
    zeta.push_back(found.damping_ratio[i]);
  }
  Curves curves;
  for (const double amplitude : amplitudes) {
    const double x = std::log(amplitude);
    const auto above = static_cast<std::size_t>(std::lower_bound(ln_a.begin(), ln_a.end(), x) - ln_a.begin());
    if (above == 0 || above == ln_a.size()) {
      curves.frequency_hz.push_back(nan);
      curves.damping_ratio.push_back(nan);
      continue;
    }
    const double t = (x - ln_a[above - 1]) / (ln_a[above] - ln_a[above - 1]);
    curves.frequency_hz.push_back(f[above - 1] + t * (f[above] - f[above - 1]));
    curves.damping_ratio.push_back(zeta[above - 1] + t * (zeta[above] - zeta[above - 1]));
  }
  return curves;
}

}  // namespace microslip
