#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace microslip {

/// Nothing acts.
struct NoLoad {};

/// amplitude sin(pi s / duration) for 0 < s < duration, s the time since the start.
struct HalfSine {
  double amplitude = 0;
  double duration = 0;
};

/// amplitude (1 - cos(2 pi s / duration)) / 2: starts and ends without a kink.
struct Haversine {
  double amplitude = 0;
  double duration = 0;
};

struct Sine {
  double amplitude = 0;
  double frequency_hz = 0;
  double phase = 0;  ///< [rad]
  double duration = std::numeric_limits<double>::infinity();
};

/// amplitude sin(phi(s)); the frequency phi'/(2 pi) runs from from_hz to to_hz, linearly or by equal octaves.
struct Sweep {
  double amplitude = 0;
  double from_hz = 0;
  double to_hz = 0;
  double duration = 0;
  bool logarithmic = false;
};

/// Straight lines between samples, zero outside them.
struct SampledLoad {
  std::vector<double> time;
  std::vector<double> value;
};

/// A load as a function of time. The simulation multiplies it by where it acts.
class Load {
 public:
  using Kind = std::variant<NoLoad, HalfSine, Haversine, Sine, Sweep, SampledLoad>;

  Load() = default;
  /// Refused where an amplitude is not finite, a duration or frequency not positive, or samples are not in order.
  explicit Load(Kind kind, double start = 0);

  [[nodiscard]] double operator()(double t) const;
  [[nodiscard]] bool none() const { return std::holds_alternative<NoLoad>(kind_); }
  [[nodiscard]] double start() const { return start_; }
  /// When it stops acting: its start where there is no load, infinity where it never does.
  [[nodiscard]] double end() const;
  /// The shortest period in it: that of a sine, twice a half-sine's duration, a haversine's duration, twice the
  /// smallest interval between samples. Infinity without a load.
  [[nodiscard]] double shortest_period() const;
  /// Its largest size within [from, to], however briefly it acts there; of a sine or sweep the amplitude, also where it
  /// is cut before its first crest.
  [[nodiscard]] double largest(double from, double to) const;
  /// Where it has a kink, within (from, to), in order.
  [[nodiscard]] std::vector<double> kinks(double from, double to) const;

 private:
  Kind kind_ = NoLoad{};
  double start_ = 0;
};

/// White Gaussian noise of standard deviation `rms`, sampled at `rate_hz` and joined by straight lines. The same seed
/// gives the same samples on every machine.
SampledLoad noise(double rms, double rate_hz, double duration, std::uint64_t seed);

/// The samples, if they are at least two, finite and in order of time. Where nearly all intervals are equal, one that
/// is longer is a gap and refused: `where[i]` begins the message about sample i.
SampledLoad without_gaps(SampledLoad samples, const std::vector<std::string>& where);

}  // namespace microslip
