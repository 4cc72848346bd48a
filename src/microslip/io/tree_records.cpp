#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/sampling.hpp>
#include <microslip/io/sep005.hpp>
#include <microslip/io/tree_records.hpp>
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
class Units {
 public:
  Units(const Archive& group, bool has_time) : group_(group) {
    for (const auto& [key, value] : group.entries()) {
      const std::string plain = plain_name(key);
      if (plain != "units" && plain != "unit" && plain != "unitstr") continue;
      if (const auto* text = std::get_if<std::string>(&value)) list_ = words(*text);
      if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) list_ = *texts;
      by_name_ = std::get_if<Archive>(&value);
    }
    leads_with_time_ = has_time && !list_.empty() && seconds_per(list_.front()).has_value();
  }

  /// Of the variable that holds time; empty where none is declared.
  [[nodiscard]] std::string of_time(const std::string& name) const {
    const std::string unit = of(name, leads_with_time_ ? list_.front() : "");
    return unit.substr(0, unit.find(" since "));  // "seconds since 1970-01-01", as climate data have it
  }

  void declare(Record& record) const {
    const std::size_t n = record.channels.size();
    for (std::size_t i = 0; i < n; ++i) {
      Channel& channel = record.channels[i];
      if (list_.size() == n && !leads_with_time_)
        channel.unit = list_[i];
      else if (list_.size() == n + 1 && leads_with_time_)
        channel.unit = list_[i + 1];
      else if (list_.size() == 2 && leads_with_time_)
        channel.unit = list_[1];
      else if (list_.size() == 1 && !leads_with_time_)
        channel.unit = list_[0];
      channel.unit = of(channel.name, channel.unit);
    }
    if (list_.size() > 1 && n > 0 && record.channels.front().unit.empty())
      record.warnings.push_back(fmt::format("{} units are declared for {} channels: not used", list_.size(), n));
  }

 private:
  /// What is declared for the variable by its name, else what the list says.
  [[nodiscard]] std::string of(const std::string& name, std::string unit) const {
    if (by_name_ != nullptr) unit = text_of(*by_name_, name).value_or("");
    for (const char* suffix : {"@unit", "@units", "@unit_str", "_unit", "_units"})
      if (const auto text = text_of(group_, name + suffix)) unit = *text;
    return unit;
  }

  const Archive& group_;
  std::vector<std::string> list_;
  const Archive* by_name_ = nullptr;
  bool leads_with_time_ = false;
};

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
      for (const Sep005& signal : dictionaries)
        if (signal.time.empty())
          names_.insert(signal.name);
        else
          note_name("", "time");
      for (Record& record : from_sep005(dictionaries, source_, options_)) found.records.push_back(std::move(record));
      return;
    }
    one_record(group, path, rate);
    for (const auto& [name, value] : group.entries())
      if (const auto* inner = std::get_if<Archive>(&value))
        look(*inner, path.empty() ? name : fmt::format("{}.{}", path, name), rate, depth + 1);
  }

  /// A time that the caller named must be there: without it a rate beside the signals would be used, unasked.
  void refuse_unknown_time() const {
    if (options_.time.empty() || time_seen_ || names_.empty()) return;
    std::vector<std::string> known(names_.begin(), names_.end());
    constexpr std::size_t enough = 20;
    if (known.size() > enough && !nearest(options_.time, known)) known.resize(enough);
    throw InvalidInput(
        fmt::format("{}: no variable is named '{}'{}", source_, options_.time, suggestion(options_.time, known)));
  }

 private:
  /// Whether it is the time that the caller named, by itself or with its path.
  bool note_name(const std::string& path, const std::string& name) {
    const std::string full = path.empty() ? name : fmt::format("{}.{}", path, name);
    names_.insert({name, full});
    const bool named = name == options_.time || full == options_.time;
    time_seen_ = time_seen_ || named;
    return named;
  }

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
    auto time = series.end();
    for (auto s = series.begin(); s != series.end(); ++s) {
      const bool named = note_name(path, s->name);
      if (time == series.end() && (options_.time.empty() ? is_time_name(s->name) : named)) time = s;
    }
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
    const Units units(group, has_time);
    if (has_time) {
      const double seconds = seconds_of_time(units.of_time(time->name), where);
      for (double& t : time->samples) t *= seconds;
      const Sampling sampling =
          even_sampling(time->samples, where, [](std::size_t i) { return fmt::format("sample {}", i + 1); });
      record.sampling_rate_hz = agreed_rate(sampling.rate_hz, options_, where);
      record.start_time = sampling.start;
      if (!sampling.warning.empty()) record.warnings.push_back(sampling.warning);
      if (const auto own = rate_of(group); own && !(std::abs(*own - sampling.rate_hz) <= 1e-3 * sampling.rate_hz))
        record.warnings.push_back(fmt::format("its sampling rate is {:.6g} Hz, its time means {:.6g} Hz: time is used",
                                              *own, sampling.rate_hz));
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
    units.declare(record);
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
  std::set<std::string> names_;  ///< of what could be time
  bool time_seen_ = false;
};

}  // namespace

Found records_from_tree(const Archive& tree, const std::string& source, const ReadOptions& options) {
  Finder finder(source, options);
  finder.look(tree, "", std::nullopt, 0);
  finder.refuse_unknown_time();
  if (finder.found.records.empty() && finder.found.reason.empty()) finder.found.reason = "holds no signals";
  return std::move(finder.found);
}

}  // namespace microslip::io
