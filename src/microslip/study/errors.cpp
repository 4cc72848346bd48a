#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/study/errors.hpp>

namespace microslip::study {

void ErrorSums::add(const ErrorSums& other) {
  for (std::size_t k = 0; k < 2; ++k) squares[k] += other.squares[k];
  residual += other.residual;
  count += other.count;
  negative_damping += other.negative_damping;
  failed += other.failed;
  if (slope.size() == 0)
    slope = other.slope;
  else if (other.slope.size() > 0)
    slope += other.slope;
}

Point ErrorSums::errors() const { return {std::sqrt(squares[0] / count), std::sqrt(squares[1] / count)}; }

Point ErrorSums::objectives(bool penalised) const {
  // A perfect fit has no logarithm; below the smallest square of a double nothing is better than anything else.
  const auto level = [&](double sum) {
    return std::log10(std::max(sum / count, std::numeric_limits<double>::min())) + (penalised ? residual : 0);
  };
  return {level(squares[0]), level(squares[1])};
}

Eigen::Matrix2Xd ErrorSums::objective_slopes() const {
  Eigen::Matrix2Xd slopes = slope;
  for (Eigen::Index k = 0; k < 2; ++k)
    slopes.row(k) /=
        std::max(squares[static_cast<std::size_t>(k)], std::numeric_limits<double>::min()) * std::numbers::ln10;
  return slopes;
}

ErrorSums compare(const Computed& computed, const Measured& measured) {
  const std::size_t n = measured.backbone.size();
  const bool sloped = computed.frequency_slope.size() > 0;
  ErrorSums sums;
  sums.count = static_cast<int>(n);
  if (sloped) sums.slope.setZero(2, computed.frequency_slope.cols());
  for (std::size_t i = 0; i < n; ++i) {
    const double f_m = measured.backbone.frequency_hz[i], ln_m = std::log(measured.backbone.damping_ratio[i]);
    const double f = computed.frequency_hz[i], zeta = computed.damping_ratio[i];
    const auto row = static_cast<Eigen::Index>(i);
    if (!std::isfinite(f) || !std::isfinite(zeta)) {
      sums.squares[0] += 1;
      sums.squares[1] += 1;
      sums.residual += 1;
      ++sums.failed;
      continue;
    }
    if (i < computed.residual.size() && std::isfinite(computed.residual[i])) sums.residual += computed.residual[i];
    const double e_f = (f - f_m) / f_m;
    sums.squares[0] += e_f * e_f;
    if (sloped) sums.slope.row(0) += 2 * e_f / f_m * computed.frequency_slope.row(row);
    if (!(zeta > 0)) {
      sums.squares[1] += 1;
      ++sums.negative_damping;
      continue;
    }
    const double e_z = (std::log(zeta) - ln_m) / ln_m;
    sums.squares[1] += e_z * e_z;
    if (sloped) sums.slope.row(1) += 2 * e_z / (ln_m * zeta) * computed.damping_slope.row(row);
  }
  return sums;
}

std::optional<Variability> variability(const Measured& measured) {
  const std::size_t n = measured.backbone.size();
  if (measured.frequency_band.size() != n || measured.damping_band.size() != n) return std::nullopt;
  const auto moved = [&](double sign) -> Point {
    Computed edge;
    bool positive_damping = true;
    for (std::size_t i = 0; i < n; ++i) {
      edge.frequency_hz.push_back(measured.backbone.frequency_hz[i] + sign * measured.frequency_band[i]);
      edge.damping_ratio.push_back(measured.backbone.damping_ratio[i] + sign * measured.damping_band[i]);
      positive_damping &= edge.damping_ratio.back() > 0;
    }
    Point errors = compare(edge, measured).errors();
    if (!positive_damping) errors[1] = std::nan("");
    return errors;
  };
  return Variability{moved(1), moved(-1)};
}

Measured checked(Measured m, const std::string& what) {
  const Backbone& b = m.backbone;
  const std::size_t n = b.size();
  if (m.mode < 1) throw InvalidInput(fmt::format("{}: modes count from 1, got {}", what, m.mode));
  if (n < 2) throw InvalidInput(fmt::format("{}: at least 2 amplitudes are expected, got {}", what, n));
  if (b.frequency_hz.size() != n || b.damping_ratio.size() != n)
    throw InvalidInput(fmt::format("{}: {} amplitudes, {} frequencies and {} damping ratios: one of each is expected",
                                   what, n, b.frequency_hz.size(), b.damping_ratio.size()));
  for (const auto* band : {&m.frequency_band, &m.damping_band})
    if (!band->empty() && band->size() != n)
      throw InvalidInput(fmt::format("{}: {} values in a band, {} are expected", what, band->size(), n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::string row = fmt::format("{}: row {}: ", what, i + 1);
    positive(row + "amplitude", b.amplitude[i]);
    positive(row + "frequency_hz", b.frequency_hz[i]);
    if (i > 0 && !(b.amplitude[i] > b.amplitude[i - 1]))
      throw InvalidInput(
          fmt::format("{}amplitudes must grow, got {} after {}", row, b.amplitude[i], b.amplitude[i - 1]));
    if (!(b.damping_ratio[i] > 0 && b.damping_ratio[i] < 1))
      throw InvalidInput(
          fmt::format("{}damping_ratio must lie in (0, 1), a fraction of critical, got {}", row, b.damping_ratio[i]));
    if (!m.frequency_band.empty()) non_negative(row + "frequency_band", m.frequency_band[i]);
    if (!m.damping_band.empty()) non_negative(row + "damping_band", m.damping_band[i]);
  }
  return m;
}

}  // namespace microslip::study
