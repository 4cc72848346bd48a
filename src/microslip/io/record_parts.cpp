#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/core/letter_case.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/units.hpp>

namespace microslip::io {

std::string plain_name(std::string_view name) {
  std::string plain = lower_case(name);
  std::erase_if(plain, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return plain;
}

bool is_time_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> names{"time",   "t",          "times", "timestamp", "timestamps",
                                                  "xvalue", "timevector", "zeit",  "seconds"};
  const std::string plain = plain_name(name);
  return std::find(names.begin(), names.end(), plain) != names.end();
}

double agreed_rate(double from_file, const ReadOptions& options, const std::string& source) {
  const double given = options.sampling_rate_hz;
  if (given == 0) return from_file;
  if (!(given > 0) || !std::isfinite(given))
    throw InvalidInput(fmt::format("{}: the sampling rate must be > 0, got {}", source, given));
  // Files print the step with six digits at times: within that the caller's figure is the better one.
  if (from_file > 0 && std::abs(from_file - given) > 1e-5 * given)
    throw InvalidInput(
        fmt::format("{}: its time means {} Hz, but a sampling rate of {} Hz is given", source, from_file, given));
  return given;
}

double seconds_of_time(const std::string& unit, const std::string& source) {
  if (unit.empty()) return 1;
  const auto seconds = seconds_per(unit);
  if (!seconds) throw InvalidInput(fmt::format("{}: time is in '{}', s or ms is expected", source, unit));
  return *seconds;
}

void finish(Record& record, const ReadOptions& options) {
  std::vector<std::string> without_unit;
  bool by_name = false;
  for (Channel& channel : record.channels) {
    if (const auto unit = known_unit(channel.unit)) {
      if (channel.quantity != Quantity::unknown && channel.quantity != unit->quantity)
        record.warnings.push_back(fmt::format("channel '{}': the unit '{}' contradicts its type, {}: the unit is used",
                                              channel.name, channel.unit, to_string(channel.quantity)));
      channel.quantity = unit->quantity;
    }
    if (channel.unit.empty()) channel.unit = options.unit;
    if (channel.unit.empty()) without_unit.push_back(channel.name);
    if (channel.quantity == Quantity::unknown)
      if (const auto unit = known_unit(channel.unit)) channel.quantity = unit->quantity;
    if (channel.quantity == Quantity::unknown && channel.unit.empty()) {  // a name tells no factor of an unknown unit
      channel.quantity = quantity_of_name(channel.name);
      by_name = by_name || channel.quantity != Quantity::unknown;
    }
    if (channel.quantity == Quantity::unknown) channel.quantity = options.quantity;
    if (channel.samples.size() != record.n_samples())
      throw InvalidInput(fmt::format("{}: channel '{}' has {} samples, '{}' has {}", record.source, channel.name,
                                     channel.samples.size(), record.channels.front().name, record.n_samples()));
    for (std::size_t i = 0; i < channel.samples.size(); ++i)
      if (!std::isfinite(channel.samples[i]))
        throw InvalidInput(fmt::format("{}: channel '{}': sample {} of {} is {}: cut it off or fill it first",
                                       record.source, channel.name, i + 1, channel.samples.size(), channel.samples[i]));
  }
  if (record.n_samples() < 2)
    throw InvalidInput(fmt::format("{}: {} samples are too few for a signal", record.source, record.n_samples()));
  if (!(record.sampling_rate_hz > 0) || !std::isfinite(record.sampling_rate_hz))
    throw InvalidInput(
        fmt::format("{}: the sampling rate must be > 0, got {}", record.source, record.sampling_rate_hz));
  if (!without_unit.empty())
    record.warnings.push_back(fmt::format("no unit is declared for {}", join(without_unit, ", ")));
  if (by_name) record.warnings.emplace_back("what a channel measures is taken from its name where no unit tells");
}

Found records_from_table(const Table& table, const ReadOptions& options) {
  const std::size_t n_columns = table.columns.size();
  std::size_t time_column = n_columns;  // none
  Record record;
  record.source = table.source;
  record.warnings = table.warnings;
  if (!options.time.empty()) {
    time_column = table.column_index(options.time);
  } else {
    for (std::size_t column = 0; column < table.header.size() && time_column == n_columns; ++column)
      if (is_time_name(table.header[column])) time_column = column;
  }
  const auto place = [&](std::size_t row) { return fmt::format("line {}", table.line_numbers[row]); };
  if (time_column == n_columns && table.header.empty() && options.sampling_rate_hz == 0 && n_columns > 1) {
    try {
      (void)even_sampling(table.columns[0], table.source, place);
      time_column = 0;
      record.warnings.emplace_back(
          "the first column is taken for time in seconds: it rises evenly and no header tells");
    } catch (const InvalidInput&) {
    }
  }
  if (time_column < n_columns) {
    if (n_columns == 1) return {{}, "only a column of time, no signal"};
    const double seconds = seconds_of_time(table.units.empty() ? "" : table.units[time_column], table.source);
    std::vector<double> time = table.columns[time_column];
    for (double& t : time) t *= seconds;
    const Sampling sampling = even_sampling(time, table.source, place);
    record.sampling_rate_hz = agreed_rate(sampling.rate_hz, options, table.source);
    record.start_time = sampling.start;
    if (!sampling.warning.empty()) record.warnings.push_back(sampling.warning);
  } else {
    if (options.sampling_rate_hz == 0)
      return {{}, "no column is named time, and no sampling rate is given (--time NAME, --sampling-rate HZ)"};
    record.sampling_rate_hz = agreed_rate(0, options, table.source);
  }
  for (std::size_t column = 0; column < n_columns; ++column) {
    if (column == time_column) continue;
    Channel channel;
    channel.name = table.header.empty() ? fmt::format("column {}", column + 1) : table.header[column];
    if (!table.units.empty()) channel.unit = table.units[column];
    channel.samples = table.columns[column];
    record.channels.push_back(std::move(channel));
  }
  finish(record, options);
  return {{std::move(record)}, ""};
}

}  // namespace microslip::io
