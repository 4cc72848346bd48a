#include <algorithm>

#include <microslip/core/check.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/sep005.hpp>

namespace microslip::io {

std::vector<Record> from_sep005(std::span<const Sep005> signals, const std::string& source,
                                const ReadOptions& options) {
  std::vector<Record> records;
  for (const Sep005& signal : signals) {
    const std::string where = fmt::format("{}: '{}'", source, signal.name);
    if (signal.name.empty()) throw InvalidInput(fmt::format("{}: a signal has no 'name'", source));
    double rate = agreed_rate(signal.fs, options, where), start = signal.start_time;
    std::string warning;
    if (!signal.time.empty()) {
      if (signal.time.size() != signal.data.size())
        throw InvalidInput(
            fmt::format("{}: 'time' has {} entries, 'data' {}", where, signal.time.size(), signal.data.size()));
      const Sampling sampling =
          even_sampling(signal.time, where, [](std::size_t i) { return fmt::format("entry {}", i + 1); });
      rate = agreed_rate(sampling.rate_hz, {.sampling_rate_hz = rate, .time = "", .unit = ""}, where);
      start = sampling.start;
      warning = sampling.warning;
    } else if (rate == 0) {
      throw InvalidInput(fmt::format("{}: has neither 'fs' nor 'time'", where));
    }
    Channel channel;
    channel.name = signal.name;
    channel.unit = signal.unit_str;
    channel.samples = signal.data;
    auto same = std::find_if(records.begin(), records.end(), [&](const Record& record) {
      return record.sampling_rate_hz == rate && record.start_time == start && record.n_samples() == signal.data.size();
    });
    if (same == records.end()) {
      Record record;
      record.sampling_rate_hz = rate;
      record.start_time = start;
      record.source = source;
      same = records.insert(records.end(), std::move(record));
    }
    same->channels.push_back(std::move(channel));
    if (!warning.empty()) same->warnings.push_back(signal.name + ": " + warning);
  }
  for (Record& record : records) finish(record, options);
  return records;
}

std::vector<Sep005> to_sep005(const Record& record) {
  std::vector<Sep005> signals;
  for (const Channel& channel : record.channels)
    signals.push_back({.data = channel.samples,
                       .name = channel.name,
                       .unit_str = channel.unit,
                       .fs = record.sampling_rate_hz,
                       .time = {},
                       .start_time = record.start_time});
  return signals;
}

}  // namespace microslip::io
