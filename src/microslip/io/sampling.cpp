#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/io/sampling.hpp>

namespace microslip::io {

namespace {

/// One in the last printed digit, where all times are multiples of a power of ten; 0 where they are not.
double rounding(std::span<const double> time) {
  for (int digits = 0; digits <= 9; ++digits) {
    const double scale = std::pow(10.0, digits);
    if (std::all_of(time.begin(), time.end(), [&](double t) {
          return std::abs(t * scale - std::round(t * scale)) <= 1e-6 + 1e-15 * std::abs(t) * scale;
        }))
      return 1 / scale;
  }
  return 0;
}

/// The spacing of single precision at the largest time, where all times are of that precision; 0 where they are not.
double single_spacing(std::span<const double> time) {
  float largest = 0;
  for (const double t : time) {
    const auto single = static_cast<float>(t);
    if (static_cast<double>(single) != t) return 0;
    largest = std::max(largest, std::abs(single));
  }
  return static_cast<double>(std::nextafter(largest, std::numeric_limits<float>::infinity())) - largest;
}

struct Line {
  double slope;
  double half_range;  ///< half the distance between the highest and the lowest point about it
};

Line least_squares_line(std::span<const double> time) {
  const auto n = static_cast<double>(time.size());
  double mean = 0, moment = 0;
  for (const double t : time) mean += t / n;
  for (std::size_t i = 0; i < time.size(); ++i) moment += (static_cast<double>(i) - (n - 1) / 2) * (time[i] - mean);
  const double slope = moment / (n * (n * n - 1) / 12);
  double low = 0, high = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double off = time[i] - mean - slope * (static_cast<double>(i) - (n - 1) / 2);
    low = std::min(low, off);
    high = std::max(high, off);
  }
  return {.slope = slope, .half_range = (high - low) / 2};
}

}  // namespace

Sampling even_sampling(std::span<const double> time, const std::string& source,
                       const std::function<std::string(std::size_t)>& place) {
  const std::size_t n = time.size();
  if (n < 2) throw InvalidInput(fmt::format("{}: {} samples are too few for a signal", source, n));
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(time[i])) throw InvalidInput(fmt::format("{}: time is {} at {}", source, time[i], place(i)));
    if (i > 0 && time[i] < time[i - 1])
      throw InvalidInput(
          fmt::format("{}: time runs backwards at {}: {} after {}", source, place(i), time[i], time[i - 1]));
  }
  const double step = (time[n - 1] - time[0]) / static_cast<double>(n - 1);
  if (!(step > 0)) throw InvalidInput(fmt::format("{}: time does not move: {} throughout", source, time[0]));

  // The steps against their mean, and the times against a straight line through the ends.
  std::size_t worst = 1;
  double deviation = 0, jump = 0;
  for (std::size_t i = 1; i < n; ++i) {
    deviation = std::max(deviation, std::abs(time[i] - (time[0] + static_cast<double>(i) * step)));
    const double off = std::abs(time[i] - time[i - 1] - step);
    if (off > jump) {
      jump = off;
      worst = i;
    }
  }
  const double resolution =
      8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time[0]), std::abs(time[n - 1]));
  Sampling sampling{.rate_hz = 1 / step, .start = time[0], .warning = ""};
  const double nearest_whole = std::round(sampling.rate_hz);
  if (std::abs(sampling.rate_hz - nearest_whole) <= 1e-9 * sampling.rate_hz) sampling.rate_hz = nearest_whole;
  if (deviation <= 0.01 * step + resolution) return sampling;

  // Rounded times stay within half a digit of some straight line. Only where a digit is well below a step: otherwise a
  // missing sample looks the same.
  const double digit = std::max(rounding(time), single_spacing(time));
  if (digit <= 0.5 * step) {
    const Line line = least_squares_line(time);
    if (line.half_range <= 0.525 * digit) {
      sampling.rate_hz = 1 / line.slope;
      sampling.warning = fmt::format(
          "times are rounded to {:.3g} s, {:.0f} % of a step: the sampling rate {:.6g} Hz is that of the best straight "
          "line",
          digit, 100 * digit / step, sampling.rate_hz);
      return sampling;
    }
  }
  const double met = time[worst] - time[worst - 1];
  throw InvalidInput(
      fmt::format("{}: uneven sampling: the step is {:.6g} s on average and {:.6g} s at {}; resample it, or "
                  "leave time out and give the sampling rate",
                  source, step, met, place(worst)));
}

}  // namespace microslip::io
