#pragma once

#include <span>
#include <string>
#include <vector>

#include <microslip/core/record.hpp>

namespace microslip::signal {

/// Frequencies [Hz], rising, of the highest peaks of a spectrum: where modes are, or what drives the structure.
/// `power[k]` is the power at k bin_hz. A peak is the largest value within 4 % and stands out of the median within 30 %
/// by a factor of 36, which noise alone does not reach in a million bins; beside a peak a thousand times higher in
/// amplitude nothing counts. From four cycles in the record to 0.45 of the sampling rate.
std::vector<double> spectral_peaks(std::span<const double> power, double bin_hz, std::size_t most = 8);

/// The same of a record's signals: spectra of at most eight of them, each over its own power, added up. Forces, and
/// signals that stand still, are left out.
std::vector<double> spectral_peaks(const Record& record, std::size_t most = 8);

/// "80.6, 226.1 Hz".
std::string frequencies_text(std::span<const double> frequencies_hz);

}  // namespace microslip::signal
