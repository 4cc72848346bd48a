#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <microslip/dynamics/load.hpp>

namespace microslip {

/// A hammer's force less what its channel reads at rest: the median, for a pulse is short.
std::vector<double> without_rest(std::vector<double> force);

/// First and last sample of the pulse: where the force around its peak stands above five times the noise of the
/// record's second half, with as much and eight samples more on both sides for its feet and the ringing of the
/// recorder's filter. For a force that is zero at rest.
std::pair<std::size_t, std::size_t> pulse_of(const std::vector<double>& force);

/// A recorder's samples hold all of a pulse up to half their rate: between them lies their sum of sinc functions, not
/// straight lines, which would take off 1 - sinc^2(f/rate) of it. From 16 samples before `from` to 16 after `to`, at 16
/// times the rate, zero at both ends.
SampledLoad band_limited(const std::vector<double>& force, std::size_t from, std::size_t to, double rate);

}  // namespace microslip
