#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/identify/hammer_pulse.hpp>
#include <microslip/identify/prediction.hpp>
#include <microslip/signal/combine.hpp>
#include <microslip/signal/fft.hpp>
#include <microslip/signal/force_channel.hpp>
#include <microslip/signal/inspect.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

double sum_of_squares(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

double difference_squared(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/// The record's channel of each sensor, all of one quantity.
std::vector<const Channel*> channels_of(const ModalModel& model, const Record& record) {
  std::vector<std::string> names;
  for (const Channel& channel : record.channels) names.push_back(channel.name);
  std::vector<const Channel*> channels;
  for (const Sensor& sensor : model.sensors) {
    const auto found = std::find(names.begin(), names.end(), sensor.name);
    if (found == names.end())
      throw InvalidInput(fmt::format("{}: no channel for the model's sensor '{}'{}", record.source, sensor.name,
                                     suggestion(sensor.name, names)));
    channels.push_back(&record.channels[static_cast<std::size_t>(found - names.begin())]);
    const Quantity quantity = channels.back()->quantity;
    if (quantity != Quantity::displacement && quantity != Quantity::velocity && quantity != Quantity::acceleration)
      throw InvalidInput(fmt::format("{}: channel '{}' is no displacement, velocity or acceleration ({})",
                                     record.source, sensor.name, to_string(quantity)));
    if (quantity != channels.front()->quantity)
      throw InvalidInput(fmt::format("{}: channel '{}' measures {}, '{}' {}", record.source, channels.front()->name,
                                     to_string(channels.front()->quantity), sensor.name, to_string(quantity)));
  }
  return channels;
}

/// Which of them has its spectra compared, where one is named.
std::optional<std::size_t> chosen_of(const std::vector<const Channel*>& channels, const Record& record,
                                     const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    names.push_back(channels[c]->name);
    if (channels[c]->name != name) continue;
    if (!(sum_of_squares(channels[c]->samples) > 0))
      throw InvalidInput(
          fmt::format("{}: channel '{}' is zero throughout; its spectra compare with nothing", record.source, name));
    return c;
  }
  throw InvalidInput(fmt::format("channel: the model has no sensor '{}'{}", name, suggestion(name, names)));
}

ModalModel prepared(ModalModel model, const PredictionOptions& options) {
  model = checked(std::move(model), "model");
  if (model.modes.front().shape.size() == 0)
    throw InvalidInput(
        "model: its modes have no shapes, so nothing is known at the sensors; give mass-normalised ones to ringdown "
        "and "
        "fit its result, or here (shapes, --shapes FILE) where the modes are mass-normalised");
  if (model.sensors.empty())
    throw InvalidInput("model: it names no sensors, so its shapes cannot be matched to channels");
  if (options.hit.empty()) return model;
  std::vector<std::string> names;
  for (const Sensor& sensor : model.sensors) {
    names.push_back(sensor.name);
    if (sensor.name != options.hit) continue;
    for (Mode& mode : model.modes) mode.load_shape = sensor.row.dot(mode.shape);
    return model;
  }
  throw InvalidInput(fmt::format("hit: the model has no sensor '{}'{}", options.hit, suggestion(options.hit, names)));
}

/// |FFT| of all sensors near a mode: what is measured, what is missed.
double mode_error(const std::vector<std::vector<signal::Complex>>& measured,
                  const std::vector<std::vector<signal::Complex>>& predicted, double bin_hz, double frequency_hz) {
  const auto from = static_cast<std::size_t>(std::ceil(0.9 * frequency_hz / bin_hz));
  const auto to = std::min(measured.front().size() - 1, static_cast<std::size_t>(1.1 * frequency_hz / bin_hz));
  double missed = 0, all = 0;
  for (std::size_t c = 0; c < measured.size(); ++c)
    for (std::size_t i = from; i <= to; ++i) {
      missed += std::pow(std::abs(predicted[c][i]) - std::abs(measured[c][i]), 2);
      all += std::norm(measured[c][i]);
    }
  return std::sqrt(missed / all);
}

/// Relative rms of the difference of two spectra in the band.
double spectrum_error(const std::vector<double>& hz, const std::vector<double>& measured,
                      const std::vector<double>& predicted, const signal::Band& band) {
  double missed = 0, all = 0;
  for (std::size_t i = 0; i < hz.size(); ++i) {
    if (hz[i] < band.lower_hz || hz[i] > band.upper_hz) continue;
    missed += (predicted[i] - measured[i]) * (predicted[i] - measured[i]);
    all += measured[i] * measured[i];
  }
  return std::sqrt(missed / all);
}

/// The modes under the sampled force, at the record's times.
Simulation run(const ModalModel& model, const Record& record, const SampledLoad& load, Quantity quantity,
               const Progress& progress) {
  // Newmark lengthens a period by (omega h)^2/12: one part in 1e5 for the fastest mode.
  const double longest = std::sqrt(12e-5) / (2 * pi) * shortest_period(model);
  const auto every = static_cast<std::int64_t>(std::ceil(1 / (record.sampling_rate_hz * longest)));
  const auto n = static_cast<std::int64_t>(record.n_samples() - 1);
  const TimePlan plan{static_cast<double>(n) / record.sampling_rate_hz, every * n};
  OutputPlan output;
  output.displacement = quantity == Quantity::displacement;
  output.velocity = quantity == Quantity::velocity;
  output.acceleration = quantity == Quantity::acceleration;
  output.every = every;
  return simulate(model, {Load(load), false}, {}, plan, output, {}, progress);
}

/// The modes' frequencies, and the band of the comparison.
void set_modes(Prediction& result, const ModalModel& model, const Record& record, const PredictionOptions& options) {
  const double rate = record.sampling_rate_hz;
  double lowest = INFINITY, highest = 0;
  for (std::size_t k = 0; k < model.size(); ++k) {
    const double hz = jointed_mode(model.modes[k], fmt::format("mode {}", k + 1)).low_amplitude_omega() / (2 * pi);
    lowest = std::min(lowest, hz);
    highest = std::max(highest, hz);
    result.modes.push_back({hz, std::numeric_limits<double>::quiet_NaN(), 0});
  }
  if (highest > 0.45 * rate)
    throw InvalidInput(
        fmt::format("{}: sampled at {:g} Hz, too slowly for the mode at {:g} Hz", record.source, rate, highest));
  result.band = options.band.value_or(signal::Band{0.4 * lowest, std::min(1.3 * highest, 0.48 * rate)});
}

/// The force as applied, and the load that it is between its samples; `to` is the pulse's last sample.
SampledLoad set_force(Prediction& result, const Record& record, const PredictionOptions& options, std::size_t& to) {
  const double rate = record.sampling_rate_hz;
  const std::size_t n = record.n_samples();
  const Channel& force = record.channels[signal::force_channel(record, options.force_channel)];
  result.force = without_rest(force.samples);
  const auto [from, last] = pulse_of(result.force);
  to = last;
  const auto time_of = [&](std::size_t i) { return static_cast<double>(i) / rate; };
  result.pulse_from = record.start_time + time_of(from);
  result.pulse_to = record.start_time + time_of(to);
  if (options.window_force)
    for (std::size_t i = 0; i < n; ++i)
      if (i < from || i > to) result.force[i] = 0;
  if (const auto second = signal::second_pulse(force.samples, rate))
    result.notes.push_back(fmt::format("a second pulse of the hammer at {} s{}", time_text(record.start_time + *second),
                                       options.window_force ? " is left out: take the force whole" : ""));
  for (const double f : result.force) result.peak_force = std::max(result.peak_force, std::abs(f));
  if (!(result.peak_force > 0)) throw InvalidInput(fmt::format("{}: the force is zero throughout", record.source));
  for (std::size_t i = 0; i < n; ++i) result.time.push_back(record.start_time + time_of(i));
  if (options.window_force) return band_limited(result.force, from, to, rate);
  SampledLoad load;
  for (std::size_t i = 0; i < n; ++i) load.time.push_back(time_of(i));
  load.value = result.force;
  return load;
}

/// The sensors as measured and as predicted, in the band, and what is missed of them.
void compare_channels(Prediction& result, const std::vector<const Channel*>& channels,
                      const std::vector<std::vector<double>>& rows, const std::optional<std::size_t>& chosen,
                      const std::string& source) {
  const signal::Butterworth filter(result.band, result.sampling_rate_hz);
  double missed = 0, all = 0, most = 0;
  std::vector<std::vector<signal::Complex>> measured_bins, predicted_bins;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::vector<double>& samples = channels[c]->samples;
    PredictedChannel channel{channels[c]->name, filter.zero_phase(samples), filter.zero_phase(rows[c]), 0};
    const double square = sum_of_squares(channel.measured),
                 gap = difference_squared(channel.measured, channel.predicted);
    if (!(square > 0))
      result.notes.push_back(fmt::format("sensor {} does not move in the band: it has no error", channel.name));
    channel.error = square > 0 ? std::sqrt(gap / square) : std::numeric_limits<double>::quiet_NaN();
    missed += gap;
    all += square;
    if (square > most) {
      most = square;
      result.strongest = c;
    }
    measured_bins.push_back(signal::spectrum(samples));
    predicted_bins.push_back(signal::spectrum(rows[c]));
    result.channels.push_back(std::move(channel));
  }
  if (!(all > 0))
    throw InvalidInput(fmt::format("{}: no sensor of the model moves between {:.4g} and {:.4g} Hz", source,
                                   result.band.lower_hz, result.band.upper_hz));
  if (chosen) result.strongest = *chosen;
  result.error = std::sqrt(missed / all);
  const double bin_hz = result.sampling_rate_hz / static_cast<double>(result.time.size());
  for (PredictedMode& mode : result.modes)
    mode.error = mode_error(measured_bins, predicted_bins, bin_hz, mode.frequency_hz);
}

/// Spectra of the whole record and of what is left of it after some times. Of the times that are not asked for, those
/// after which a signal does not cross zero are left out.
void compare_spectra(Prediction& result, const std::vector<double>& measured, const std::vector<double>& predicted,
                     double pulse_end, double start_time, const std::vector<double>& zefft_times) {
  const double rate = result.sampling_rate_hz,
               last = std::min(signal::last_crossing(measured), signal::last_crossing(predicted)) / rate;
  const std::string& name = result.channels[result.strongest].name;
  std::vector<double> times;
  for (const double t : zefft_times) {
    if (t - start_time > last && t - start_time < static_cast<double>(measured.size()) / rate)
      throw InvalidInput(
          fmt::format("zeroed early-time spectra: sensor '{}', as measured or as predicted, does not cross zero after "
                      "{:.10g} s; the last time is {:.10g} s",
                      name, t, std::floor(1e6 * (start_time + std::max(last, 0.0))) / 1e6));  // itself accepted
    times.push_back(t - start_time);
  }
  if (zefft_times.empty()) {
    constexpr std::array<double, 5> shares{0.01, 0.1, 0.2, 0.3, 0.4};
    const double rest = static_cast<double>(result.time.size() - 1) / rate - pulse_end;
    for (const double share : shares)
      if (pulse_end + share * rest <= last) times.push_back(pulse_end + share * rest);
    if (times.size() < shares.size())
      result.notes.push_back(
          fmt::format("sensor '{}' does not cross zero any more after {} s: {} of {} zeroed "
                      "early-time spectra are left out",
                      name, time_text(start_time + std::max(last, 0.0)), shares.size() - times.size(), shares.size()));
  }
  result.measured_zefft = signal::whole_and_zeroed(measured, rate, times, start_time);
  result.predicted_zefft = signal::whole_and_zeroed(predicted, rate, times, start_time);
  for (signal::Zefft* spectra : {&result.measured_zefft, &result.predicted_zefft})
    for (double& until : spectra->zeroed_until) until += start_time;
  for (std::size_t k = 0; k <= times.size(); ++k)
    result.zefft_error.push_back(spectrum_error(result.measured_zefft.frequency_hz, result.measured_zefft.spectra[k],
                                                result.predicted_zefft.spectra[k], result.band));
}

}  // namespace

Prediction predict(const ModalModel& given, const Record& record, const PredictionOptions& options,
                   const Progress& progress) {
  signal::check_record(record);
  const ModalModel model = prepared(given, options);
  const std::vector<const Channel*> channels = channels_of(model, record);
  const std::optional<std::size_t> chosen = chosen_of(channels, record, options.channel);
  Prediction result;
  result.sampling_rate_hz = record.sampling_rate_hz;
  result.quantity = channels.front()->quantity;
  set_modes(result, model, record, options);
  const auto untold = [](const Mode& mode) { return mode.load_shape == 1; };
  if (options.hit.empty() && std::all_of(model.modes.begin(), model.modes.end(), untold))
    result.notes.emplace_back(
        "hit: no sensor at the hammer is named and every load_shape is 1: the force acts as if each shape were 1 "
        "there");
  std::size_t pulse_end = 0;
  const SampledLoad load = set_force(result, record, options, pulse_end);

  const Simulation simulated = run(model, record, load, result.quantity, progress);
  if (simulated.stopped) throw NotConverged(fmt::format("stopped at {:.6g} s of the record", simulated.plan.end));
  for (std::size_t k = 0; k < model.size(); ++k)
    for (const double a : simulated.envelopes[k].amplitude)
      if (std::isfinite(a) && !(a <= result.modes[k].peak)) result.modes[k].peak = a;
  const auto& rows = result.quantity == Quantity::displacement ? simulated.displacement
                     : result.quantity == Quantity::velocity   ? simulated.velocity
                                                               : simulated.acceleration;

  compare_channels(result, channels, rows, chosen, record.source);
  // An offset would never let a signal cross zero.
  compare_spectra(result, signal::without_offset(channels[result.strongest]->samples),
                  signal::without_offset(rows[result.strongest]),
                  static_cast<double>(pulse_end) / record.sampling_rate_hz, record.start_time, options.zefft_times);
  return result;
}

}  // namespace microslip
