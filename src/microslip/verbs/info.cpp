#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/io/csv.hpp>
#include <microslip/signal/spectral_peaks.hpp>
#include <microslip/verbs/info.hpp>

namespace microslip::verbs {

namespace {

struct Extent {
  double minimum, maximum, rms;
};

Extent extent(const std::vector<double>& samples) {
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  double sum = 0;
  for (const double x : samples) sum += x * x;
  return {*low, *high, std::sqrt(sum / static_cast<double>(samples.size()))};
}

double duration(const Record& record) { return static_cast<double>(record.n_samples()) / record.sampling_rate_hz; }

std::string unit_text(const std::string& unit) { return unit.empty() ? "no unit" : unit; }

io::Json list(const std::vector<io::ContentInfo>& contents) {
  io::Json result = io::Json::array();
  for (const io::ContentInfo& content : contents)
    result.push_back({{"name", content.name}, {"summary", content.summary}});
  return result;
}

io::Json record_json(const Record& record) {
  io::Json json{{"name", record.name},
                {"sampling_rate_hz", record.sampling_rate_hz},
                {"start_time", record.start_time},
                {"samples", record.n_samples()},
                {"duration", duration(record)}};
  json["channels"] = io::Json::array();
  for (const Channel& channel : record.channels) {
    const Extent e = extent(channel.samples);
    io::Json entry{
        {"name", channel.name}, {"unit", channel.unit}, {"quantity", std::string(to_string(channel.quantity))},
        {"minimum", e.minimum}, {"maximum", e.maximum}, {"rms", e.rms}};
    if (channel.node != 0) entry["node"] = channel.node;
    if (!channel.direction.empty()) entry["direction"] = channel.direction;
    json["channels"].push_back(std::move(entry));
  }
  io::set_numbers(json, "peaks_hz", signal::spectral_peaks(record));
  json["warnings"] = record.warnings;
  return json;
}

std::string info_json(const io::FileInfo& file) {
  io::Json json = begin_result("info");
  json["file"] = file.path;
  json["format"] = file.format;
  json["size"] = file.size;
  json["records"] = io::Json::array();
  for (const Record& record : file.records) json["records"].push_back(record_json(record));
  json["data_sets"] = list(file.data_sets);
  json["matrices"] = list(file.matrices);
  json["warnings"] = file.warnings;
  return io::to_text(json);
}

std::string info_csv(const io::FileInfo& file) {
  std::string csv = "record,channel,unit,quantity,sampling_rate_hz,start_time,samples,minimum,maximum,rms\n";
  for (const Record& record : file.records)
    for (const Channel& channel : record.channels) {
      const Extent e = extent(channel.samples);
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", io::csv_cell(record.name), io::csv_cell(channel.name),
                         io::csv_cell(channel.unit), to_string(channel.quantity), record.sampling_rate_hz,
                         record.start_time, record.n_samples(), e.minimum, e.maximum, e.rms);
    }
  return csv;
}

std::string info_text(const io::FileInfo& file) {
  std::string text = fmt::format("{}: {}, {} bytes\n", file.path, file.format, file.size);
  for (const Record& record : file.records) {
    text += fmt::format("signals{}{}: {} samples at {:g} Hz from {:g} s, {:g} s long\n", record.name.empty() ? "" : " ",
                        record.name, record.n_samples(), record.sampling_rate_hz, record.start_time, duration(record));
    for (const Channel& channel : record.channels) {
      const Extent e = extent(channel.samples);
      text += fmt::format("  {:<24} {:<14} {:<10} {:>12.5g} to {:<12.5g} rms {:.5g}\n", channel.name,
                          to_string(channel.quantity), unit_text(channel.unit), e.minimum, e.maximum, e.rms);
    }
    if (const auto peaks = signal::spectral_peaks(record); !peaks.empty())
      text += fmt::format("  {:<24} {}\n", "peaks of the spectra", signal::frequencies_text(peaks));
    for (const std::string& warning : record.warnings) text += fmt::format("  warning: {}\n", warning);
  }
  const auto section = [&](std::string_view title, const std::vector<io::ContentInfo>& contents) {
    if (contents.empty()) return;
    text += fmt::format("{}\n", title);
    for (const io::ContentInfo& content : contents) text += fmt::format("  {:<24} {}\n", content.name, content.summary);
  };
  section("contents", file.data_sets);
  section("matrices", file.matrices);
  for (const std::string& warning : file.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

}  // namespace

Output info(const InfoOptions& options) {
  const auto file = std::make_shared<const io::FileInfo>(io::describe(options.file, options.read));
  Output output;
  output.text = [file] { return info_text(*file); };
  output.json = [file] { return info_json(*file); };
  output.csv = [file] { return info_csv(*file); };
  return output;
}

}  // namespace microslip::verbs
