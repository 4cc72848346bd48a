#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/sep005.hpp>
#include <microslip/io/units.hpp>

namespace microslip::io {

namespace {

constexpr std::size_t least_samples = 8;  // where only a rate is known, a shorter vector is a parameter, not a signal

/// One line of numbers in the tree.
struct Series {
  std::string name;
  std::vector<double> samples;
};

std::optional<std::string> text_of(const Archive& group, const std::string& name) {
  for (const auto& [key, value] : group.entries())
    if (key == name)
      if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::nullopt;
}

/// A single number under one of the names, however it is spelt.
std::optional<double> number_named(const Archive& group, std::span<const std::string_view> names) {
  for (const auto& [key, value] : group.entries()) {
    const std::size_t at = key.find('@');  // attributes of data sets count as well: fs beside or on the signal
    const std::string plain = plain_name(at == std::string::npos ? key : key.substr(at));
    if (std::find(names.begin(), names.end(), plain) == names.end()) continue;
    if (const auto* number = std::get_if<double>(&value)) return *number;
    if (const auto* array = std::get_if<NamedArray>(&value))
      if (array->data.size() == 1) return array->data.front();
  }
  return std::nullopt;
}

std::optional<double> rate_of(const Archive& group) {
  constexpr std::array<std::string_view, 9> rates{
      "fs",           "fsamp",    "samplingrate", "samplingratehz", "samplerate", "samplingfrequency",
      "samplingfreq", "sampfreq", "rate"};
  constexpr std::array<std::string_view, 6> steps{"dt", "deltat", "ts", "timestep", "samplingperiod", "sampleinterval"};
  if (const auto rate = number_named(group, rates)) return rate;
  if (const auto step = number_named(group, steps); step && *step > 0) return 1 / *step;
  return std::nullopt;
}

/// Every vector, and every row or column of a matrix whose longer side is time.
std::vector<Series> series_of(const Archive& group) {
  std::vector<Series> list;
  for (const auto& [name, value] : group.entries()) {
    const auto* array = std::get_if<NamedArray>(&value);
    if (array == nullptr || array->data.size() < 2 || name.find('@') != std::string::npos) continue;
    const bool matrix = array->shape.size() == 2 && array->shape[0] > 1 && array->shape[1] > 1;
    if (!matrix) {
      if (array->shape.size() <= 2) list.push_back({name, array->data});
      continue;
    }
    const std::size_t rows = array->shape[0], columns = array->shape[1];
    const bool time_down = rows >= columns;
    const std::size_t n_signals = time_down ? columns : rows, n_samples = time_down ? rows : columns;
    if (n_signals > 4096) continue;  // a matrix of another kind
    for (std::size_t signal = 0; signal < n_signals; ++signal) {
      Series series{.name = fmt::format("{}({})", name, signal + 1), .samples = std::vector<double>(n_samples)};
      for (std::size_t i = 0; i < n_samples; ++i)
        series.samples[i] = time_down ? array->data[i * columns + signal] : array->data[signal * columns + i];
      list.push_back(std::move(series));
    }
  }
  return list;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  const char separator = text.find(';') != std::string::npos ? ';' : ',';
  for (const std::string& word : split(text, separator)) list.emplace_back(trim(word));
  return list;
}

/// Units as people declare them: an attribute, `acc1_unit`, a struct by name, a list in the order of the channels
/// (with or without time), or one for all.
void declare_units(const Archive& group, bool has_time, Record& record) {
  std::vector<std::string> list;
  const Archive* by_name = nullptr;
  for (const auto& [key, value] : group.entries()) {
    const std::string plain = plain_name(key);
    if (plain != "units" && plain != "unit" && plain != "unitstr") continue;
    if (const auto* text = std::get_if<std::string>(&value)) list = words(*text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) list = *texts;
    by_name = std::get_if<Archive>(&value);
  }
  const std::size_t n = record.channels.size();
  const bool leads_with_time = has_time && !list.empty() && seconds_per(list.front()).has_value();
  for (std::size_t i = 0; i < n; ++i) {
    Channel& channel = record.channels[i];
    if (list.size() == n && !leads_with_time)
      channel.unit = list[i];
    else if (list.size() == n + 1 && leads_with_time)
      channel.unit = list[i + 1];
    else if (list.size() == 2 && leads_with_time)
      channel.unit = list[1];
    else if (list.size() == 1 && !leads_with_time)
      channel.unit = list[0];
    if (by_name != nullptr) channel.unit = text_of(*by_name, channel.name).value_or("");
    for (const char* suffix : {"@unit", "@units", "@unit_str", "_unit", "_units"})
      if (const auto text = text_of(group, channel.name + suffix)) channel.unit = *text;
  }
  if (!list.empty() && n > 0 && record.channels.front().unit.empty() && list.size() > 1)
    record.warnings.push_back(fmt::format("{} units are declared for {} channels: not used", list.size(), n));
}

class Finder {
 public:
  Finder(std::string source, const ReadOptions& options) : source_(std::move(source)), options_(options) {}

  Found found;

  void look(const Archive& group, const std::string& path, std::optional<double> inherited_rate, int depth) {
    if (depth > 64) return;
    std::optional<double> rate = rate_of(group);
    if (!rate) rate = inherited_rate;
    std::vector<Sep005> dictionaries;
    for (const auto& [name, value] : group.entries())
      if (const auto* inner = std::get_if<Archive>(&value))
        if (auto signal = as_sep005(*inner)) dictionaries.push_back(*std::move(signal));
    if (auto itself = path.empty() ? as_sep005(group) : std::nullopt) dictionaries.push_back(*std::move(itself));
    if (!dictionaries.empty()) {
      for (Record& record : from_sep005(dictionaries, source_, options_)) found.records.push_back(std::move(record));
      return;
    }
    one_record(group, path, rate);
    for (const auto& [name, value] : group.entries())
      if (const auto* inner = std::get_if<Archive>(&value))
        look(*inner, path.empty() ? name : fmt::format("{}.{}", path, name), rate, depth + 1);
  }

 private:
  static std::optional<Sep005> as_sep005(const Archive& group) {
    const auto name = text_of(group, "name"), unit = text_of(group, "unit_str");
    if (!name || !unit || !group.contains("data")) return std::nullopt;
    Sep005 signal;
    signal.name = *name;
    signal.unit_str = *unit;
    for (const auto& [key, value] : group.entries()) {
      const auto* array = std::get_if<NamedArray>(&value);
      const auto* number = std::get_if<double>(&value);
      if (key == "data" && array != nullptr) signal.data = array->data;
      if (key == "time" && array != nullptr) signal.time = array->data;
      if (key == "fs" && number != nullptr) signal.fs = *number;
      if (key == "start_time" && number != nullptr) signal.start_time = *number;
    }
    return signal;
  }

  void one_record(const Archive& group, const std::string& path, std::optional<double> rate) {
    std::vector<Series> series = series_of(group);
    const auto time = std::find_if(series.begin(), series.end(), [&](const Series& s) {
      return options_.time.empty() ? is_time_name(s.name)
                                   : s.name == options_.time || path + "." + s.name == options_.time;
    });
    const bool has_time = time != series.end();
    Record record;
    record.source = source_;
    record.name = path;
    std::size_t n_samples = 0;
    const std::string where = path.empty() ? source_ : fmt::format("{}: '{}'", source_, path);
    if (has_time) {
      n_samples = time->samples.size();
    } else {
      for (const Series& s : series)
        if (s.samples.size() >= least_samples) n_samples = std::max(n_samples, s.samples.size());
    }
    std::vector<std::string> others;
    for (Series& s : series) {
      if (has_time && &s == &*time) continue;
      if (s.samples.size() != n_samples) {
        others.push_back(s.name);
        continue;
      }
      Channel channel;
      channel.name = s.name;
      channel.samples = std::move(s.samples);
      record.channels.push_back(std::move(channel));
    }
    if (record.channels.empty()) return;
    if (has_time) {
      const Sampling sampling =
          even_sampling(time->samples, where, [](std::size_t i) { return fmt::format("sample {}", i + 1); });
      record.sampling_rate_hz = agreed_rate(sampling.rate_hz, options_, where);
      record.start_time = sampling.start;
      if (!sampling.warning.empty()) record.warnings.push_back(sampling.warning);
    } else {
      if (!rate && options_.sampling_rate_hz == 0) {
        if (found.reason.empty())
          found.reason =
              fmt::format("{} has numbers but neither time nor a sampling rate: give the rate, or name the time",
                          path.empty() ? "it" : "'" + path + "'");
        return;
      }
      record.sampling_rate_hz = agreed_rate(rate.value_or(0), options_, where);
    }
    if (!others.empty()) record.warnings.push_back(fmt::format("left out, of another length: {}", join(others, ", ")));
    name_channels(group, record);
    declare_units(group, has_time, record);
    finish(record, options_);
    found.records.push_back(std::move(record));
  }

  /// A list of as many texts as there are channels names them.
  static void name_channels(const Archive& group, Record& record) {
    for (const auto& [key, value] : group.entries()) {
      const auto* texts = std::get_if<std::vector<std::string>>(&value);
      const std::string plain = plain_name(key);
      if (texts == nullptr || texts->size() != record.channels.size()) continue;
      if (plain != "names" && plain != "labels" && plain != "channels" && plain != "channelnames") continue;
      for (std::size_t i = 0; i < texts->size(); ++i) record.channels[i].name = (*texts)[i];
    }
  }

  std::string source_;
  const ReadOptions& options_;
};

}  // namespace

Found records_from_tree(const Archive& tree, const std::string& source, const ReadOptions& options) {
  Finder finder(source, options);
  finder.look(tree, "", std::nullopt, 0);
  if (finder.found.records.empty() && finder.found.reason.empty()) finder.found.reason = "holds no signals";
  return std::move(finder.found);
}

}  // namespace microslip::io
