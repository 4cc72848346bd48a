#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/core/text.hpp>
#include <microslip/signal/combine.hpp>
#include <microslip/signal/dissipation.hpp>
#include <microslip/signal/flags.hpp>
#include <microslip/signal/hilbert_decay.hpp>
#include <microslip/signal/inspect.hpp>
#include <microslip/signal/mode_band.hpp>
#include <microslip/signal/pff.hpp>
#include <microslip/signal/responses.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip::signal {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A decay of displacement at one time.
struct Motion {
  double amplitude, velocity, acceleration, omega, zeta;
  double dlnomega_dt, decay;  // d ln(omega)/dt, -dlnA/dt
};

/// From the logarithm of the measured quantity to displacement: with X' = m X, a velocity has the rate
/// l = m + m'/m, an acceleration l = m + 2 m'/m, to first order in m'/m^2.
Motion motion(const LogDecay& p, Quantity quantity) {
  const int derivatives = quantity == Quantity::acceleration ? 2 : quantity == Quantity::velocity ? 1 : 0;
  const Complex l = p.rate, change = p.change;
  const Complex m = l - static_cast<double>(derivatives) * change / l;
  const double measured = std::exp(p.value.real());
  const double per_velocity = std::abs(m), per_acceleration = std::abs(m * m + change);
  const double a = derivatives == 2   ? measured / per_acceleration
                   : derivatives == 1 ? measured / per_velocity
                                      : measured;
  const double omega = std::abs(m);
  return {a, a * per_velocity, a * per_acceleration, omega, -m.real() / omega, (change / m).real(), -m.real()};
}

double energy_per_cycle(const Motion& m, Properties properties) {
  const double f = m.omega / (2 * pi), slope = m.decay != 0 ? -m.dlnomega_dt / m.decay : 0;
  return dissipation(m.amplitude, m.zeta,
                     properties == Properties::paper ? linear_energy_slope(m.amplitude, f)
                                                     : masing_energy_slope(m.amplitude, f, slope));
}

/// Power spectrum, summed over at most eight channels spread over the record.
std::vector<double> power_spectrum(const std::vector<const Channel*>& channels, const Offset& offset_of) {
  const std::size_t n = channels.front()->samples.size();
  const RealFft fft(fast_length(n));
  std::vector<double> power(fft.n_bins(), 0.0), x(fft.size());
  std::vector<Complex> bins(fft.n_bins());
  const std::size_t stride = (channels.size() + 7) / 8;
  for (std::size_t j = 0; j < channels.size(); j += stride) {
    std::fill(x.begin(), x.end(), 0.0);
    const double offset = offset_of(channels[j]->samples);
    for (std::size_t i = 0; i < n; ++i) x[i] = channels[j]->samples[i] - offset;
    fft.transform(x, bins);
    for (std::size_t k = 0; k < bins.size(); ++k) power[k] += std::norm(bins[k]);
  }
  return power;
}

/// Times spaced evenly in the mean of time and nepers, so that a steep start and a long tail both get their points.
std::vector<double> output_times(const SmoothDecay& smooth, double start, double end, std::size_t n) {
  constexpr std::size_t fine = 2000;
  std::vector<double> t(fine + 1), u(fine + 1, 0.0);
  const double first = smooth.value(start).real(), nepers = std::abs(first - smooth.value(end).real());
  for (std::size_t i = 0; i <= fine; ++i) {
    const double share = static_cast<double>(i) / fine;
    t[i] = start + (end - start) * share;
    const double fallen = nepers > 0 ? (first - smooth.value(t[i]).real()) / nepers : share;
    u[i] = i == 0 ? 0 : std::max(u[i - 1] + 1e-9, 0.5 * (share + fallen));
  }
  std::vector<double> times;
  std::size_t i = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double goal = u.back() * static_cast<double>(k) / static_cast<double>(n - 1);
    while (i + 1 < fine && u[i + 1] < goal) ++i;
    times.push_back(std::clamp(t[i] + (t[i + 1] - t[i]) * (goal - u[i]) / (u[i + 1] - u[i]), start, end));
  }
  return times;
}

template <class Decay>
Estimate estimate_of(const Decay& decay, const std::vector<double>& times, double start, double end, Quantity quantity,
                     Properties properties) {
  Estimate e;
  for (const double t : times) {
    const bool inside = t >= start - 1e-9 && t <= end + 1e-9;
    const Motion m = motion(decay.at(t), quantity);
    e.amplitude.push_back(inside ? m.amplitude : nan);
    e.frequency_hz.push_back(inside ? m.omega / (2 * pi) : nan);
    e.damping_ratio.push_back(inside ? m.zeta : nan);
    e.dissipation.push_back(inside ? energy_per_cycle(m, properties) : nan);
  }
  return e;
}

/// The other modes' onset as the band sees it: a mode of amplitude A at w >> band starts like a step that the band
/// passes with about 2 B A / w; A/w from the record's peak and its mean frequency.
double onset_transient(std::span<const double> samples, double offset, double sampling_rate_hz, double onset,
                       const Band& band) {
  double peak = 0, squares = 0, slopes = 0;
  const auto first = static_cast<std::size_t>(onset * sampling_rate_hz);
  const std::size_t last =
      std::min(samples.size(), first + static_cast<std::size_t>(4 / band.width() * sampling_rate_hz));
  for (std::size_t i = first + 1; i < last; ++i) {
    const double x = samples[i] - offset, step = samples[i] - samples[i - 1];
    peak = std::max(peak, std::abs(x));
    squares += x * x;
    slopes += step * step;
  }
  if (!(squares > 0 && slopes > 0)) return 0;
  const double omega = std::sqrt(slopes / squares) * sampling_rate_hz;
  // Where the mode itself is all there is, nothing else starts: the excess over it is what counts.
  const double own = 2 * pi * band.upper_hz;
  return omega > own ? 2 * band.width() * peak / omega : 0;
}

/// A short symmetric blow leaves the motion of an impulse at its middle: there the displacement, followed back from
/// where the decay is smooth, crosses zero. Of its crossings the one from an eighth of a period before the motion is
/// seen to three eighths after it. Not told where the start of the motion is not in the record, by fewer than four
/// samples in a period, or across more than two periods (a narrow band) or much change of the frequency; nor from a
/// fifth of a period on, where a mode let go from rest looks alike.
double blow_of(const HilbertDecay& d, Quantity quantity, const DecayWindow& window, double interval) {
  const LogDecay p = d.smooth.at(d.start);
  const double omega = p.rate.imag(), back = window.onset - d.start, bent = 0.5 * p.change.imag() * back * back;
  const bool seen = window.kind == DecayWindow::Start::impact && window.onset > 0;
  const double period = 2 * pi / omega;
  if (!seen || !(4 * interval <= period && -back <= 2 * period) || !(std::abs(bent) < 0.02 * 2 * pi)) return nan;
  const double turns = quantity == Quantity::acceleration ? 2 : quantity == Quantity::velocity ? 1 : 0;
  const double at_onset = p.value.imag() - turns * std::arg(p.rate) + omega * back + bent;
  const double middle = 0.25 * pi - 0.5 * omega * interval;  // the onset is the sample after the motion is seen
  const double ahead = std::remainder(0.5 * pi - at_onset - middle, pi) + middle;
  return ahead < 0.2 * 2 * pi ? window.onset + ahead / omega : nan;
}

void refuse_what_is_no_decay(const HilbertDecay& d, const DecayWindow& window, double mode_hz, double start_time) {
  const double nepers = d.smooth.value(d.start).real() - d.smooth.value(d.end).real();
  std::vector<double> slopes;
  for (int i = 1; i < 20; ++i) {
    const LogDecay p = d.smooth.at(d.start + (d.end - d.start) * i / 20);
    slopes.push_back(std::abs((p.change / p.rate).real()) / std::max(1e-300, std::abs(p.rate.real())));
  }
  std::nth_element(slopes.begin(), slopes.begin() + 10, slopes.end());
  const double f0 = d.smooth.at(d.start).rate.imag() / (2 * pi), f1 = d.smooth.at(d.end).rate.imag() / (2 * pi);
  if (slopes[10] > 1 && std::abs(f1 - f0) > 0.01 * std::abs(f0))
    throw InvalidInput(
        fmt::format("mode at {} Hz: no free decay: the frequency runs from {:.4g} to {:.4g} Hz while the "
                    "amplitude falls by {:.3g} nepers, as in a sine sweep",
                    mode_hz, f0, f1, nepers));
  if (!(nepers > 0.02))
    throw InvalidInput(
        fmt::format("mode at {} Hz: no free decay: the amplitude falls by {:.3g} nepers between {} and {} s, "
                    "expected at least 0.02",
                    mode_hz, nepers, time_text(window.onset + start_time), time_text(window.end + start_time)));
  if (d.scatter > 0.3)
    throw InvalidInput(
        fmt::format("mode at {} Hz: no free decay: the signal in the band scatters by {:.0f} % about a smooth "
                    "one",
                    mode_hz, 100 * d.scatter));
}

void append(std::string& flags, std::string_view added) {
  if (!flags.empty()) flags += flag::separator;
  flags += added;
}

class ModeAnalysis {
 public:
  ModeAnalysis(const Record& record, const RingdownOptions& options, Quantity quantity, const BandExtractor& extractor,
               std::size_t band, const CombinedSensors& sensors, const Faults& faults)
      : record_(record),
        options_(options),
        quantity_(quantity),
        extractor_(extractor),
        band_(band),
        sensors_(sensors),
        faults_(faults) {}

  ModeRingdown run(const ModeRequest& request) {
    const double fs = record_.sampling_rate_hz;
    ModeRingdown mode;
    mode.band = options_.filter ? request.band : std::nullopt;
    mode.coordinate = sensors_.coordinate;
    mode.quantity = quantity_;
    HilbertSettings settings;
    settings.start_time = record_.start_time;
    settings.resolution = mode.band ? 1 / mode.band->width() : 1 / request.frequency_hz;
    settings.smoothing.amplitude_degree = settings.smoothing.phase_degree = options_.degree;
    mode.window =
        find_decay(sensors_.band, sensors_.samples, fs, settings.resolution, options_.noise_factor, record_.start_time);
    if (mode.band) {
      settings.transient = onset_transient(sensors_.samples, 0, fs, mode.window.onset, *mode.band);
      const Butterworth filter(*mode.band, fs, options_.filter_order);
      settings.transient_rate = fs / static_cast<double>(filter.settling_samples(std::exp(-1.0)));
    }
    mode.notes = mode.window.notes;
    const HilbertDecay h = hilbert_decay(sensors_.band, sensors_.samples, fs, extractor_, band_, mode.window, settings);
    refuse_what_is_no_decay(h, mode.window, request.frequency_hz, record_.start_time);
    mode.blow = blow_of(h, quantity_, mode.window, 1 / fs);
    mode.damping_bias = h.damping_bias;
    mode.amplitude_degree = h.smooth.amplitude_degree();
    mode.phase_degree = h.smooth.phase_degree();

    std::optional<PffDecay> pff;
    if (options_.method != RingdownMethod::hilbert) {
      const auto y = mode.band ? Butterworth(*mode.band, fs, options_.filter_order).zero_phase(sensors_.samples)
                               : sensors_.samples;
      const double start = mode.band ? h.start : mode.window.onset, end = mode.band ? h.end : mode.window.end;
      pff.emplace(y, fs, h.smooth.at(0.5 * (h.start + h.end)).rate.imag() / (2 * pi), start, end, record_.start_time);
    }
    const bool pff_alone = options_.method == RingdownMethod::pff;  // its points lie between its first and last peak
    std::vector<double> times =
        output_times(h.smooth, pff_alone ? std::max(h.start, pff->start()) : h.start,
                     pff_alone ? std::min(h.end, pff->end()) : h.end, static_cast<std::size_t>(options_.n_points));
    if (pff) mode.pff = estimate_of(*pff, times, pff->start(), pff->end(), quantity_, options_.properties);
    if (!pff_alone) mode.hilbert = estimate_of(h.smooth, times, h.start, h.end, quantity_, options_.properties);
    const auto deviations =
        pff_alone ? pff->rate_deviations(times, settings.resolution) : rate_deviations(h.samples, h.smooth, times);
    for (std::size_t i = 0; i < times.size(); ++i)
      add_point(mode, pff_alone ? pff->at(times[i]) : h.smooth.at(times[i]), deviations[i].whole());
    note_what_did_not_settle(mode, h, pff);
    flag_points(mode, times, deviations, settings);
    add_channels(mode, h, settings, times);
    for (double& t : times) t += record_.start_time;
    mode.time = times;
    mode.low_amplitude_frequency_hz = low_amplitude_frequency(mode);
    return mode;
  }

 private:
  /// Iterations that ended before they settled, where that could show in the damping.
  void note_what_did_not_settle(ModeRingdown& mode, const HilbertDecay& h, const std::optional<PffDecay>& pff) const {
    double least = std::numeric_limits<double>::infinity();
    for (const double zeta : mode.damping_ratio) least = std::min(least, std::abs(zeta));
    const double shows = options_.damping_tolerance * least;
    if (h.outcome != Outcome::converged && h.correction > shows)
      mode.notes.push_back(
          fmt::format("hilbert has not settled: its damping ratio still changes by {:.1g} after {} passes",
                      h.correction, h.iterations));
    if (pff && pff->outcome() != Outcome::converged && pff->change() / (10 * pi) > shows)
      mode.notes.push_back(
          fmt::format("pff has not settled: its damping ratio still changes by {:.1g}", pff->change() / (10 * pi)));
  }

  void add_point(ModeRingdown& mode, const LogDecay& p, const Complex& deviation) const {
    const Motion m = motion(p, quantity_);
    mode.amplitude.push_back(m.amplitude);
    mode.velocity_amplitude.push_back(m.velocity);
    mode.acceleration_amplitude.push_back(m.acceleration);
    const double f = m.omega / (2 * pi);
    mode.frequency_hz.push_back(f);
    mode.damping_ratio.push_back(m.zeta);
    mode.residual.push_back(std::abs(p.change) / (m.omega * m.omega));
    mode.dissipation.push_back(energy_per_cycle(m, options_.properties));
    mode.frequency_band.push_back(1.96 * deviation.imag() / (2 * pi));
    mode.damping_band.push_back(1.96 * deviation.real() / m.omega);
    std::string flags;
    if (!(m.zeta > 0)) append(flags, flag::negative_damping);
    const double cycle = 1 / f;  // the change of -zeta omega relative to itself, and of omega, over a cycle
    if (std::abs(m.dlnomega_dt) * cycle > 2e-3 || std::abs(p.change.real()) * cycle > 0.1 * std::abs(p.rate.real()))
      append(flags, flag::changes_fast);
    mode.flag.push_back(flags);
  }

  void flag_points(ModeRingdown& mode, const std::vector<double>& times, const std::vector<RateDeviation>& deviations,
                   const HilbertSettings& settings) const {
    mode.notes.insert(mode.notes.end(), faults_.notes.begin(), faults_.notes.end());
    const auto& [clipped, rise, notes] = faults_;
    std::size_t disagreeing = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::string& flags = mode.flag[i];
      const double x = settings.transient_rate * (times[i] - mode.window.onset);
      const double measured = quantity_ == Quantity::acceleration ? mode.acceleration_amplitude[i]
                              : quantity_ == Quantity::velocity   ? mode.velocity_amplitude[i]
                                                                  : mode.amplitude[i];
      if (settings.transient * (1 + x) * std::exp(-x) > 0.02 * measured) append(flags, flag::other_modes);
      if (clipped && times[i] < *clipped + settings.resolution) append(flags, flag::clipped);
      if (rise && times[i] > *rise - settings.resolution) append(flags, flag::second_hit);
      const double noise = 1.96 * deviations[i].even_noise.real() / (2 * pi * mode.frequency_hz[i]);
      if (noise > options_.damping_tolerance * std::abs(mode.damping_ratio[i])) append(flags, flag::noise);
      if (options_.method != RingdownMethod::both) {
        append(flags, flag::one_estimator);
        continue;
      }
      if (std::isnan(mode.pff->frequency_hz[i])) {
        append(flags, flag::no_second_estimate);
        continue;
      }
      const double df = std::abs(mode.pff->frequency_hz[i] - mode.hilbert->frequency_hz[i]);
      const double dz = std::abs(mode.pff->damping_ratio[i] - mode.hilbert->damping_ratio[i]);
      const double dd = std::abs(mode.pff->dissipation[i] - mode.hilbert->dissipation[i]);
      mode.frequency_band[i] = std::max(mode.frequency_band[i], df);
      mode.damping_band[i] = std::max(mode.damping_band[i], dz);
      if (df > options_.frequency_tolerance * mode.frequency_hz[i] ||
          dz > options_.damping_tolerance * std::abs(mode.damping_ratio[i]) ||
          dd > options_.damping_tolerance * std::abs(mode.dissipation[i])) {
        append(flags, flag::estimators_disagree);
        ++disagreeing;
      }
    }
    if (disagreeing > 0)
      mode.notes.push_back(fmt::format("hilbert and pff disagree at {} of {} points", disagreeing, times.size()));
  }

  void add_channels(ModeRingdown& mode, const HilbertDecay& h, const HilbertSettings& settings,
                    const std::vector<double>& times) const {
    for (std::size_t j = 0; j < sensors_.channels.size(); ++j) {
      ChannelResult c;
      c.name = sensors_.channels[j]->name;
      c.used = sensors_.weights.weight[j] != 0;
      c.reason = sensors_.weights.reason[j];
      c.shape = sensors_.shape[j];
      HilbertSettings own = settings;
      if (mode.band)
        own.transient = onset_transient(sensors_.channels[j]->samples, sensors_.offsets[j], record_.sampling_rate_hz,
                                        mode.window.onset, *mode.band);
      DecayWindow window = mode.window;
      window.noise = noise_amplitude(sensors_.bands[j].values,
                                     static_cast<std::size_t>(settings.resolution / sensors_.bands[j].step));
      const SmoothDecay smooth = channel_decay(h, sensors_.bands[j], window, own);
      c.estimate = estimate_of(smooth, times, h.start, h.end, quantity_, options_.properties);
      if (c.used) mode.channels_used.push_back(c.name);
      mode.channels.push_back(std::move(c));
    }
  }

  static double low_amplitude_frequency(const ModeRingdown& mode) {
    double least = std::numeric_limits<double>::infinity(), f = median(mode.frequency_hz);
    for (std::size_t i = 0; i < mode.amplitude.size(); ++i)
      if (mode.flag[i].empty() && mode.amplitude[i] < least) {
        least = mode.amplitude[i];
        f = mode.frequency_hz[i];
      }
    return f;
  }

  const Record& record_;
  const RingdownOptions& options_;
  Quantity quantity_;
  const BandExtractor& extractor_;
  std::size_t band_;
  const CombinedSensors& sensors_;
  const Faults& faults_;
};

void check(const RingdownOptions& options) {
  if (options.modes.empty()) throw InvalidInput("ringdown: no mode given");
  if (options.n_points < 2 || options.n_points > 1000000)
    throw InvalidInput(fmt::format("ringdown: points must lie in [2, 1000000], got {}", options.n_points));
  if (options.degree && *options.degree < 1)
    throw InvalidInput(fmt::format("ringdown: degree must be at least 1, got {}", *options.degree));
  checked_order(options.filter_order);
  positive("noise factor", options.noise_factor);
  non_negative("damping tolerance", options.damping_tolerance);
  non_negative("frequency tolerance", options.frequency_tolerance);
  const AveragingRule& rule = options.averaging;
  if (!(rule.trimmed_share >= 0 && rule.trimmed_share < 0.5))
    throw InvalidInput(fmt::format("the trimmed share must lie in [0, 0.5), got {}", rule.trimmed_share));
  if (!(rule.kept_within > 0))  // infinity keeps all
    throw InvalidInput(
        fmt::format("the share of the mean that sensors are kept within must be > 0, got {}", rule.kept_within));
}

}  // namespace

Backbone ModeRingdown::backbone() const {
  return {coordinate, amplitude, frequency_hz, damping_ratio, dissipation, flag};
}

RingdownResult measure_backbone(const Record& record, const RingdownOptions& options) {
  check_record(record);
  check(options);
  if (record.n_samples() < 64)
    throw InvalidInput(
        fmt::format("{}: {} samples, too short for a ring-down (at least 64)", record.source, record.n_samples()));
  RingdownResult result;
  auto [channels, quantity, notes] = choose_responses(record, options);
  result.notes = std::move(notes);
  const double fs = record.sampling_rate_hz, duration = static_cast<double>(record.n_samples()) / fs;

  if (quantity == Quantity::strain) result.notes.emplace_back("strain is taken as proportional to displacement");
  const Offset offset_of(record.n_samples());
  std::vector<ModeRequest> requests = options.modes;
  std::vector<std::optional<Band>> bands;
  std::vector<double> power;
  for (ModeRequest& request : requests) {
    within("mode", request.frequency_hz, 1e-12, fs / 2);
    if (!options.filter) {
      bands.emplace_back();
      continue;
    }
    if (!request.band) {
      if (power.empty()) power = power_spectrum(channels, offset_of);
      const double bin_hz = fs / static_cast<double>(fast_length(record.n_samples()));
      const ModeBand chosen = choose_band(power, bin_hz, request.frequency_hz, options.filter_order);
      request.band = chosen.band;
      request.frequency_hz = chosen.peak_hz;
    }
    const Band& band = *request.band;
    if (!(band.lower_hz < band.upper_hz))
      throw InvalidInput(fmt::format("band {} to {} Hz: the lower edge comes first", band.lower_hz, band.upper_hz));
    if (!(band.lower_hz < request.frequency_hz && request.frequency_hz < band.upper_hz))
      throw InvalidInput(fmt::format("band {} to {} Hz does not hold the mode at {} Hz", band.lower_hz, band.upper_hz,
                                     request.frequency_hz));
    if (band.width() * duration < 6)
      throw InvalidInput(
          fmt::format("band {:.5g} to {:.5g} Hz is too narrow for a record of {:.4g} s: it settles in {:.3g} s; "
                      "expected at least {:.4g} Hz",
                      band.lower_hz, band.upper_hz, duration, 1 / band.width(), 6 / duration));
    bands.push_back(band);
  }
  const BandExtractor extractor(record.n_samples(), fs, bands, options.filter_order);
  const auto sensors = combine_sensors(channels, extractor, requests, options, offset_of);
  const Faults faults = find_faults(record, channels);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    result.modes.push_back(ModeAnalysis(record, options, quantity, extractor, r, sensors[r], faults).run(requests[r]));
    result.modes.back().requested_hz = options.modes[r].frequency_hz;
  }
  return result;
}

}  // namespace microslip::signal
