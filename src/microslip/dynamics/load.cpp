#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/dynamics/load.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

void check_sizes(const SampledLoad& load, const std::string& where) {
  if (load.time.size() != load.value.size())
    throw InvalidInput(fmt::format("{}: {} times with {} values", where, load.time.size(), load.value.size()));
  if (load.time.size() < 2)
    throw InvalidInput(fmt::format("{}: two samples or more are expected, got {}", where, load.time.size()));
}

void check(const Load::Kind& kind) {
  const auto pulse = [](const auto& load) {
    finite("load.amplitude", load.amplitude);
    positive("load.duration", load.duration);
  };
  std::visit(
      Overloaded{
          [](const NoLoad&) {}, [&](const HalfSine& load) { pulse(load); }, [&](const Haversine& load) { pulse(load); },
          [](const Sine& load) {
            finite("load.amplitude", load.amplitude);
            positive("load.frequency_hz", load.frequency_hz);
            finite("load.phase", load.phase);
            if (!(load.duration > 0))
              throw InvalidInput(fmt::format("load.duration must be > 0, got {}", load.duration));
          },
          [&](const Sweep& load) {
            pulse(load);
            positive("load.from_hz", load.from_hz);
            positive("load.to_hz", load.to_hz);
          },
          [](const SampledLoad& load) {
            check_sizes(load, "load");
            for (std::size_t i = 0; i < load.time.size(); ++i) {
              finite("load.time", load.time[i]);
              finite("load.value", load.value[i]);
              if (i > 0 && !(load.time[i] > load.time[i - 1]))
                throw InvalidInput(fmt::format("load.time must grow, got {} after {}", load.time[i], load.time[i - 1]));
            }
          }},
      kind);
}

double sweep_phase(const Sweep& load, double s) {
  if (!load.logarithmic) return 2 * pi * s * (load.from_hz + 0.5 * (load.to_hz - load.from_hz) * s / load.duration);
  const double growth = std::log(load.to_hz / load.from_hz);
  if (growth == 0) return 2 * pi * load.from_hz * s;
  return 2 * pi * load.from_hz * load.duration / growth * std::expm1(growth * s / load.duration);
}

double sample(const SampledLoad& load, double s) {
  if (s < load.time.front() || s > load.time.back()) return 0;
  const auto n = load.time.size();
  // Samples are mostly equidistant: start at the guess and walk.
  const double guess = (s - load.time.front()) / (load.time.back() - load.time.front()) * static_cast<double>(n - 1);
  auto i = std::min(static_cast<std::size_t>(guess), n - 2);
  if (load.time[i] > s || load.time[i + 1] < s) {
    const auto after = std::upper_bound(load.time.begin(), load.time.end(), s);
    i = std::min(static_cast<std::size_t>(after - load.time.begin()), n - 1) - 1;
  }
  const double part = (s - load.time[i]) / (load.time[i + 1] - load.time[i]);
  return load.value[i] + part * (load.value[i + 1] - load.value[i]);
}

}  // namespace

Load::Load(Kind kind, double start) : kind_(std::move(kind)), start_(finite("load.start", start)) { check(kind_); }

double Load::operator()(double t) const {
  const double s = t - start_;
  return std::visit(
      Overloaded{[](const NoLoad&) { return 0.0; },
                 [s](const HalfSine& load) {
                   return s > 0 && s < load.duration ? load.amplitude * std::sin(pi * s / load.duration) : 0.0;
                 },
                 [s](const Haversine& load) {
                   if (!(s > 0 && s < load.duration)) return 0.0;
                   const double half = std::sin(pi * s / load.duration);
                   return load.amplitude * half * half;
                 },
                 [s](const Sine& load) {
                   return s >= 0 && s < load.duration
                              ? load.amplitude * std::sin(2 * pi * load.frequency_hz * s + load.phase)
                              : 0.0;
                 },
                 [s](const Sweep& load) {
                   return s >= 0 && s < load.duration ? load.amplitude * std::sin(sweep_phase(load, s)) : 0.0;
                 },
                 [s](const SampledLoad& load) { return sample(load, s); }},
      kind_);
}

double Load::end() const {
  return start_ + std::visit(Overloaded{[](const NoLoad&) { return 0.0; },
                                        [](const SampledLoad& load) { return load.time.back(); },
                                        [](const auto& load) { return load.duration; }},
                             kind_);
}

double Load::shortest_period() const {
  return std::visit(
      Overloaded{[](const NoLoad&) { return std::numeric_limits<double>::infinity(); },
                 [](const HalfSine& load) { return 2 * load.duration; },
                 [](const Haversine& load) { return load.duration; },
                 [](const Sine& load) { return std::min(2 * load.duration, 1 / load.frequency_hz); },
                 [](const Sweep& load) { return std::min(2 * load.duration, 1 / std::max(load.from_hz, load.to_hz)); },
                 [](const SampledLoad& load) {
                   double shortest = load.time[1] - load.time[0];
                   for (std::size_t i = 2; i < load.time.size(); ++i)
                     shortest = std::min(shortest, load.time[i] - load.time[i - 1]);
                   return 2 * shortest;
                 }},
      kind_);
}

double Load::largest(double from, double to) const {
  const auto crest = [&](const auto& pulse) {  // rises to the middle and falls after it
    return std::abs((*this)(std::clamp(start_ + 0.5 * pulse.duration, from, to)));
  };
  return std::visit(
      Overloaded{[](const NoLoad&) { return 0.0; }, [&](const HalfSine& load) { return crest(load); },
                 [&](const Haversine& load) { return crest(load); },
                 [&](const SampledLoad& load) {  // straight between samples
                   double most = std::max(std::abs((*this)(from)), std::abs((*this)(to)));
                   for (std::size_t i = 0; i < load.time.size(); ++i)
                     if (start_ + load.time[i] >= from && start_ + load.time[i] <= to)
                       most = std::max(most, std::abs(load.value[i]));
                   return most;
                 },
                 [&](const auto& load) { return start_ < to && end() > from ? std::abs(load.amplitude) : 0.0; }},
      kind_);
}

std::vector<double> Load::kinks(double from, double to) const {
  std::vector<double> times;
  const auto add = [&](double t) {
    if (t > from && t < to) times.push_back(t);
  };
  if (const auto* samples = std::get_if<SampledLoad>(&kind_)) {
    for (const double t : samples->time) add(start_ + t);
  } else if (!none()) {
    add(start_);
    add(end());
  }
  return times;
}

SampledLoad noise(double rms, double rate_hz, double duration, std::uint64_t seed) {
  non_negative("load.amplitude", rms);
  positive("load.rate_hz", rate_hz);
  positive("load.duration", duration);
  const double count = std::floor(duration * rate_hz) + 1;
  if (!(count >= 2 && count <= 1e8))
    throw InvalidInput(fmt::format("load: noise of {} samples; between 2 and 1e8 are possible", count));
  const auto n = static_cast<std::size_t>(count);
  SampledLoad samples;
  samples.time.resize(n);
  samples.value.resize(n);
  // Box and Muller's transform of our own, because std::normal_distribution differs between libraries.
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53; };
  for (std::size_t i = 0; i < n; i += 2) {
    const double radius = rms * std::sqrt(-2 * std::log(uniform())), angle = 2 * pi * uniform();
    samples.value[i] = radius * std::cos(angle);
    if (i + 1 < n) samples.value[i + 1] = radius * std::sin(angle);
  }
  for (std::size_t i = 0; i < n; ++i) samples.time[i] = static_cast<double>(i) / rate_hz;
  return samples;
}

SampledLoad without_gaps(SampledLoad samples, const std::vector<std::string>& where) {
  const std::vector<double>& t = samples.time;
  check_sizes(samples, where.empty() ? "load" : where[0]);
  std::vector<double> intervals;
  for (std::size_t i = 0; i < t.size(); ++i) {
    finite(fmt::format("{}: time", where.at(i)), t[i]);
    finite(fmt::format("{}: value", where.at(i)), samples.value[i]);
    if (i == 0) continue;
    if (!(t[i] > t[i - 1]))
      throw InvalidInput(fmt::format("{}: time must grow, got {} after {}", where.at(i), t[i], t[i - 1]));
    intervals.push_back(t[i] - t[i - 1]);
  }
  const double common = median(intervals);
  const auto equal = std::count_if(intervals.begin(), intervals.end(),
                                   [&](double d) { return std::abs(d - common) <= 0.01 * common; });
  const bool sampled =
      intervals.size() >= 8 && static_cast<double>(equal) >= 0.9 * static_cast<double>(intervals.size());
  for (std::size_t i = 0; sampled && i < intervals.size(); ++i)
    if (intervals[i] > 1.5 * common)
      throw InvalidInput(
          fmt::format("{}: a gap of {:.6g} s in samples that are {:.6g} s apart; fill it or start the "
                      "table after it",
                      where.at(i + 1), intervals[i], common));
  return samples;
}

}  // namespace microslip
