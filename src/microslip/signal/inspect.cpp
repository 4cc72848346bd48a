#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/core/text.hpp>
#include <microslip/signal/inspect.hpp>

namespace microslip::signal {

void check_record(const Record& record) {
  const std::string where = record.source.empty() ? "record" : record.source;
  if (record.channels.empty()) throw InvalidInput(fmt::format("{}: no channels", where));
  if (!(record.sampling_rate_hz > 0) || std::isinf(record.sampling_rate_hz))
    throw InvalidInput(fmt::format("{}: sampling rate {} Hz, expected > 0", where, record.sampling_rate_hz));
  for (const Channel& channel : record.channels) {
    if (channel.samples.size() != record.n_samples())
      throw InvalidInput(fmt::format("{}: channel '{}' has {} samples, '{}' has {}", where, channel.name,
                                     channel.samples.size(), record.channels.front().name, record.n_samples()));
    for (std::size_t i = 0; i < channel.samples.size(); ++i)
      if (!std::isfinite(channel.samples[i]))
        throw InvalidInput(
            fmt::format("{}: channel '{}' sample {} ({:.6g} s) is not a number: cut or repair the record", where,
                        channel.name, i + 1, record.start_time + static_cast<double>(i) / record.sampling_rate_hz));
  }
}

std::optional<double> last_clipped(std::span<const double> x, double sampling_rate_hz) {
  if (x.size() < 8) return std::nullopt;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double range = *high - *low;
  if (!(range > 0)) return std::nullopt;
  double quantum = std::numeric_limits<double>::infinity(), steepest = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double step = std::abs(x[i] - x[i - 1]);
    if (step > 0) quantum = std::min(quantum, step);
    steepest = std::max(steepest, step);
  }
  // A sinusoid of this range and steepness, rounded to the quantum, stays at its extreme for
  // (2/w) sqrt(2 q/A) seconds, with w A = steepest slope.
  const double amplitude = 0.5 * range;
  const double natural = 2 * amplitude / steepest * std::sqrt(2 * quantum / amplitude);
  const auto longest = static_cast<std::size_t>(std::ceil(2 * natural)) + 2;
  std::optional<double> last;
  for (const double extreme : {*low, *high}) {
    std::size_t run = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      run = x[i] == extreme ? run + 1 : 0;
      if (run > longest) last = std::max(last.value_or(0), static_cast<double>(i) / sampling_rate_hz);
    }
  }
  return last;
}

std::optional<double> second_pulse(std::span<const double> force, double sampling_rate_hz, double share) {
  if (force.empty()) return std::nullopt;
  const double rest = median({force.begin(), force.end()});
  std::size_t peak = 0;
  for (std::size_t i = 0; i < force.size(); ++i)
    if (std::abs(force[i] - rest) > std::abs(force[peak] - rest)) peak = i;
  const double top = force[peak] - rest;  // pulses push the same way
  if (top == 0) return std::nullopt;
  // The pulse has ended once the force stays below the share for 1 ms or as long as it took to fall.
  std::size_t i = peak;
  while (i < force.size() && (force[i] - rest) / top > share) ++i;
  const std::size_t pause = std::max<std::size_t>(i - peak, static_cast<std::size_t>(1e-3 * sampling_rate_hz));
  for (i += pause; i < force.size(); ++i)
    if ((force[i] - rest) / top > share) return static_cast<double>(i) / sampling_rate_hz;
  return std::nullopt;
}

std::optional<double> sudden_rise(std::span<const double> x, double sampling_rate_hz) {
  const auto block = std::max<std::size_t>(16, static_cast<std::size_t>(5e-3 * sampling_rate_hz));
  std::vector<double> power;
  for (std::size_t i = 0; i + block < x.size(); i += block) {
    double sum = 0;
    for (std::size_t k = i; k < i + block; ++k) sum += (x[k + 1] - x[k]) * (x[k + 1] - x[k]);  // high frequencies count
    power.push_back(sum);
  }
  if (power.size() < 16) return std::nullopt;
  const auto top = static_cast<std::size_t>(std::max_element(power.begin(), power.end()) - power.begin());
  for (std::size_t b = 0; b + 4 < power.size(); ++b) {
    if (b > top && b < top + 6) continue;
    // Before the largest block only a hit that rings on counts: one well before it.
    const double before = b >= 5 ? *std::max_element(power.begin() + static_cast<std::ptrdiff_t>(b) - 5,
                                                     power.begin() + static_cast<std::ptrdiff_t>(b))
                                 : 0;
    const bool jump = b >= 6 && power[b] > 9 * before && power[b] > 0.002 * power[top];
    if (b > top && jump) return static_cast<double>(b * block) / sampling_rate_hz;
    if (b < top && jump && b + 6 < top && power[top] > 9 * power[top - 2])
      return static_cast<double>(top * block) / sampling_rate_hz;
  }
  return std::nullopt;
}

Faults find_faults(const Record& record, std::span<const Channel* const> responses) {
  Faults faults;
  const double fs = record.sampling_rate_hz;
  const auto hit_at = [&](const std::optional<double>& t) {
    if (t) faults.second_hit = std::min(faults.second_hit.value_or(*t), *t);
  };
  for (const Channel* c : responses) {
    if (const auto t = last_clipped(c->samples, fs)) {
      faults.clipped = std::max(faults.clipped.value_or(0), *t);
      faults.notes.push_back(
          fmt::format("channel '{}' is clipped, the last time at {} s", c->name, time_text(*t + record.start_time)));
    }
    hit_at(sudden_rise(c->samples, fs));
  }
  for (const Channel& c : record.channels)
    if (c.quantity == Quantity::force) hit_at(second_pulse(c.samples, fs));
  if (faults.second_hit)
    faults.notes.push_back(fmt::format("a second hit at {} s: what follows is not a free decay from the first",
                                       time_text(*faults.second_hit + record.start_time)));
  return faults;
}

}  // namespace microslip::signal
