#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/identify/modal_points.hpp>
#include <microslip/signal/flags.hpp>

namespace microslip {

namespace {

/// Does a flag tell of the estimator alone? Replicas meet the same trouble and take it off.
bool estimators_trouble(const std::string& flag) {
  std::size_t begin = 0;
  while (begin < flag.size()) {
    const std::size_t end = std::min(flag.find(signal::flag::separator, begin), flag.size());
    const std::string_view word = std::string_view(flag).substr(begin, end - begin);
    if (word != signal::flag::changes_fast && word != signal::flag::estimators_disagree) return false;
    begin = end + signal::flag::separator.size();
  }
  return true;
}

bool usable(const MeasuredDecay& d, std::size_t i, Trust trust) {
  return (trust == Trust::all || d.flag[i].empty() ||
          (trust == Trust::through_replicas && estimators_trouble(d.flag[i]))) &&
         d.amplitude[i] > 0 && d.frequency_hz[i] > 0 && d.damping_ratio[i] > 0 &&
         std::isfinite(d.amplitude[i] + d.frequency_hz[i] + d.damping_ratio[i]);
}

}  // namespace

void check_decays(const std::vector<MeasuredDecay>& decays) {
  if (decays.empty()) throw InvalidInput("fit modal: no decay given");
  for (const MeasuredDecay& d : decays) {
    const std::size_t n = d.amplitude.size();
    for (const auto* column : {&d.frequency_hz, &d.damping_ratio, &d.frequency_band, &d.damping_band})
      if (column->size() != n)
        throw InvalidInput(fmt::format("{}: {} amplitudes but {} values beside them", d.source, n, column->size()));
    if (d.flag.size() != n) throw InvalidInput(fmt::format("{}: {} amplitudes, {} flags", d.source, n, d.flag.size()));
    if (d.setup) {
      positive(d.source + ": sampling_rate_hz", d.setup->sampling_rate_hz);
      non_negative(d.source + ": noise", d.setup->noise);
      if (d.time.size() != n)
        throw InvalidInput(fmt::format("{}: {} amplitudes, {} times", d.source, n, d.time.size()));
      if (d.setup->n_samples < 64 || d.setup->n_samples > 100'000'000)
        throw InvalidInput(fmt::format("{}: n_samples must lie in [64, 1e8], got {}", d.source, d.setup->n_samples));
    }
  }
}

std::vector<Place> places_of(const std::vector<MeasuredDecay>& decays, Trust trust, std::size_t most) {
  std::vector<Place> places;
  for (std::size_t k = 0; k < decays.size(); ++k) {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < decays[k].size(); ++i)
      if (usable(decays[k], i, trust)) fit.push_back(i);
    const std::size_t n = std::min(fit.size(), most);
    for (std::size_t j = 0; j < n; ++j) places.push_back({k, fit[n == 1 ? 0 : j * (fit.size() - 1) / (n - 1)]});
  }
  if (places.size() < least_points)
    throw InvalidInput(fmt::format("{}: {} points that ringdown trusts, at least {} are needed{}",
                                   decays.front().source, places.size(), least_points,
                                   trust == Trust::all ? "" : " (--use-flagged takes the others too)"));
  return places;
}

ModalPoints points_at(const std::vector<MeasuredDecay>& decays, const std::vector<Place>& places) {
  ModalPoints points;
  const auto deviation = [](double band, double value, double least) {
    const double relative = band / (1.96 * value);
    return std::isfinite(relative) ? std::max(relative, least) : 1.0;
  };
  for (const Place& p : places) {
    const MeasuredDecay& d = decays[p.decay];
    points.amplitude.push_back(d.amplitude[p.point]);
    points.frequency_hz.push_back(d.frequency_hz[p.point]);
    points.damping_ratio.push_back(d.damping_ratio[p.point]);
    points.frequency_deviation.push_back(
        deviation(d.frequency_band[p.point], d.frequency_hz[p.point], least_frequency_deviation));
    points.damping_deviation.push_back(
        deviation(d.damping_band[p.point], d.damping_ratio[p.point], least_damping_deviation));
  }
  return points;
}

}  // namespace microslip
