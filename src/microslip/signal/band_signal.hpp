#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <microslip/signal/butterworth.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip::signal {

/// The analytic signal of one band of a record, with its carrier taken out so that few values hold it:
///   V(t_j) = values[j] exp(i carrier t_j),  t_j = j step, counted from the record's first sample           (1)
struct BandSignal {
  double step = 0;     ///< [s]
  double carrier = 0;  ///< [rad/s]
  std::vector<Complex> values;

  [[nodiscard]] double time(std::size_t j) const { return step * static_cast<double>(j); }
};

/// Takes records of one length into the frequency domain once, and any number of bands out of it: zero-phase
/// Butterworth filter, Hilbert transform and decimation in one pass. The record is continued by zeros, as a structure
/// at rest before the hit is; over the record this equals the forward-backward filter of the zero-continued record to
/// about 1e-6 of its peak, since the frequencies left out have a gain below that and the continuation outlasts the
/// filter by as much.
class BandExtractor {
 public:
  /// No band: the analytic signal of the record as it is, less its mean, at half its rate or a little more.
  BandExtractor(std::size_t n_samples, double sampling_rate_hz, const std::vector<std::optional<Band>>& bands,
                int order = 4);

  [[nodiscard]] std::size_t n_bins() const { return fft_.n_bins(); }
  [[nodiscard]] double bin_hz() const;

  /// The spectrum of the record less its offset, continued by zeros. Room once made serves the next record.
  struct Spectrum {
    std::vector<double> padded;
    std::vector<Complex> bins;
  };
  void transform(std::span<const double> samples, double offset, Spectrum& spectrum) const;
  [[nodiscard]] BandSignal extract(std::span<const Complex> bins, std::size_t band) const;
  [[nodiscard]] BandSignal operator()(std::span<const double> samples, std::size_t band) const;

 private:
  struct Slot {
    std::size_t first, centre, count;  // bins
    std::vector<double> gain;          // 2 |H|^2 / L
    Fft inverse;
  };
  static std::size_t padded(std::size_t n_samples, double sampling_rate_hz,
                            const std::vector<std::optional<Band>>& bands, int order);

  std::size_t n_samples_;
  double sampling_rate_hz_;
  RealFft fft_;
  std::vector<Slot> bands_;
};

}  // namespace microslip::signal
