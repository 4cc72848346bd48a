#include <algorithm>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/uff.hpp>
#include <microslip/io/units.hpp>

namespace microslip::io {

namespace {

Quantity quantity_of_code(int code) {
  switch (code) {
    case 3:
      return Quantity::strain;
    case 8:
      return Quantity::displacement;
    case 11:
      return Quantity::velocity;
    case 12:
      return Quantity::acceleration;
    case 9:
    case 13:
      return Quantity::force;
    default:
      return Quantity::unknown;
  }
}

std::string_view si_unit(Quantity quantity) {
  switch (quantity) {
    case Quantity::displacement:
      return "m";
    case Quantity::velocity:
      return "m/s";
    case Quantity::acceleration:
      return "m/s^2";
    case Quantity::force:
      return "N";
    default:
      return "";
  }
}

std::string channel_name(const UffFunction& function, std::size_t index) {
  if (!function.response_name.empty()) return function.response_name;
  if (function.response_node != 0)
    return fmt::format("{}{}", function.response_node, uff_direction_name(function.response_direction));
  if (!function.id[0].empty()) return function.id[0];
  return fmt::format("function {}", index + 1);
}

/// Turns the samples to SI by the file's factors, which multiply SI: hence the division.
void divide_out(const UffUnits& units, const UffAxis& axis, Channel& channel, std::vector<std::string>& warnings) {
  int length = axis.length_exponent, force = axis.force_exponent;
  const Quantity quantity = quantity_of_code(axis.type);
  if (length == 0 && force == 0) {  // most programs leave the exponents at zero: the type tells
    length = quantity == Quantity::displacement || quantity == Quantity::velocity || quantity == Quantity::acceleration;
    force = quantity == Quantity::force;
  }
  const double factor = std::pow(units.length, length) * std::pow(units.force, force);
  if (factor == 1) return;
  if (const auto unit = known_unit(channel.unit)) {
    // The label is the clearer declaration. Where both agree, the label serves; where not, it must be said.
    if (std::abs(unit->si_factor * factor - 1) > 1e-6)
      warnings.push_back(
          fmt::format("channel '{}': the unit '{}' contradicts the factor {} of data set 164: the unit is used",
                      channel.name, channel.unit, factor));
    return;
  }
  for (double& sample : channel.samples) sample /= factor;
  channel.unit = std::string(si_unit(quantity));
  warnings.push_back(fmt::format("channel '{}': divided by {}, the factor of data set 164 ({})", channel.name, factor,
                                 units.name.empty() ? "no name" : units.name));
}

bool same_sampling(const Record& record, double rate, double start, std::size_t count) {
  return record.n_samples() == count && std::abs(record.sampling_rate_hz - rate) <= 1e-9 * rate &&
         std::abs(record.start_time - start) * rate < 1e-3;
}

bool same_dof(const UffFunction& a, const UffFunction& b) {
  return a.response_name == b.response_name && a.response_node == b.response_node &&
         a.response_direction == b.response_direction;
}

/// The same degree of freedom again is a repeat of the test, unless the first line names another channel of the same
/// date: programs copy the degree of freedom of one channel to another.
bool repeats(const UffFunction& earlier, const UffFunction& later) {
  return same_dof(earlier, later) && (earlier.id[0] == later.id[0] || earlier.id[2] != later.id[2]);
}

}  // namespace

std::vector<Record> records_from_uff(const UffFile& file, const std::string& source, const ReadOptions& options) {
  std::vector<Record> records;
  std::vector<std::vector<const UffFunction*>> members;  // of each record
  for (std::size_t index = 0; index < file.functions.size(); ++index) {
    const UffFunction& function = file.functions[index];
    const bool time_response = function.type == 1 || (function.type == 0 && function.abscissa.type == 17);
    if (!time_response || function.complex || function.values.empty()) continue;
    const std::string where = fmt::format("{}: data set 58 at byte {}", source, file.function_offsets[index]);
    const double seconds = seconds_of_time(function.abscissa.unit, where);
    double rate = 0, start = function.start * seconds;
    std::string warning;
    if (function.even) {
      if (!(function.increment > 0) || !std::isfinite(function.increment))
        throw InvalidInput(fmt::format("{}: the step of time must be > 0, got {}", where, function.increment));
      rate = 1 / (function.increment * seconds);
    } else {
      std::vector<double> time = function.x;
      for (double& t : time) t *= seconds;
      const Sampling sampling =
          even_sampling(time, where, [](std::size_t i) { return fmt::format("value {}", i + 1); });
      rate = sampling.rate_hz;
      start = sampling.start;
      warning = sampling.warning;
    }
    rate = agreed_rate(rate, options, where);

    Channel channel;
    channel.name = channel_name(function, index);
    channel.unit = function.ordinate.unit;
    channel.quantity = quantity_of_code(function.ordinate.type);
    channel.node = function.response_node;
    channel.direction = uff_direction_name(function.response_direction);
    channel.samples = function.values;

    std::size_t home = 0;
    for (; home < records.size(); ++home)
      if (same_sampling(records[home], rate, start, channel.samples.size()) &&
          std::none_of(members[home].begin(), members[home].end(),
                       [&](const UffFunction* member) { return repeats(*member, function); }))
        break;
    if (home == records.size()) {
      Record record;
      record.sampling_rate_hz = rate;
      record.start_time = start;
      record.source = source;
      record.warnings = file.warnings;
      records.push_back(std::move(record));
      members.emplace_back();
    }
    if (std::any_of(members[home].begin(), members[home].end(),
                    [&](const UffFunction* member) { return same_dof(*member, function); }))
      channel.name = fmt::format("{} ({})", channel.name, function.id[0]);
    members[home].push_back(&function);
    if (file.has_units) divide_out(file.units, function.ordinate, channel, records[home].warnings);
    if (!warning.empty()) records[home].warnings.push_back(warning);
    records[home].channels.push_back(std::move(channel));
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.size() > 1) records[i].name = fmt::format("record {}", i + 1);
    finish(records[i], options);
  }
  return records;
}

std::string uff_direction_name(int direction) {
  constexpr std::array<std::string_view, 7> names{"", "X", "Y", "Z", "RX", "RY", "RZ"};
  const auto index = static_cast<std::size_t>(std::abs(static_cast<long>(direction)));
  if (index == 0 || index >= names.size()) return "";
  return fmt::format("{}{}", direction > 0 ? '+' : '-', names[index]);
}

std::string_view uff_function_name(int type) {
  constexpr std::array<std::string_view, 15> names{"general function",
                                                   "time response",
                                                   "auto spectrum",
                                                   "cross spectrum",
                                                   "frequency response function",
                                                   "transmissibility",
                                                   "coherence",
                                                   "auto correlation",
                                                   "cross correlation",
                                                   "power spectral density",
                                                   "energy spectral density",
                                                   "probability density",
                                                   "spectrum",
                                                   "cumulative distribution",
                                                   "peaks and valleys"};
  return type >= 0 && static_cast<std::size_t>(type) < names.size() ? names[static_cast<std::size_t>(type)]
                                                                    : "function";
}

std::string_view uff_set_name(int number) {
  switch (number) {
    case 15:
      return "nodes";
    case 18:
      return "coordinate systems";
    case 55:
      return "data at nodes";
    case 58:
      return "function";
    case 82:
      return "trace lines";
    case 151:
      return "header";
    case 164:
      return "units";
    case 2400:
      return "model header";
    case 2411:
      return "nodes";
    case 2412:
      return "elements";
    case 2414:
      return "analysis data";
    case 2420:
      return "coordinate systems";
    default:
      return "not read";
  }
}

}  // namespace microslip::io
