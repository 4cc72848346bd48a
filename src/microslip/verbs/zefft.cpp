#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/units.hpp>
#include <microslip/signal/inspect.hpp>
#include <microslip/signal/zefft.hpp>
#include <microslip/verbs/zefft.hpp>

namespace microslip::verbs {

namespace {

struct ZefftResult {
  std::string channel, unit;
  double start_time = 0;
  signal::Zefft spectra;
  std::vector<std::string> notes;
};

const Channel& chosen(const Record& record, const std::string& name) {
  std::vector<std::string> names;
  for (const Channel& c : record.channels) {
    if (name.empty() ? c.quantity != Quantity::force : c.name == name) return c;
    names.push_back(c.name);
  }
  if (name.empty()) throw InvalidInput(fmt::format("{}: only force channels; name one with --channel", record.source));
  throw InvalidInput(fmt::format("{}: no channel '{}'{}", record.source, name, suggestion(name, names)));
}

std::string zefft_json(const ZefftVerb& options, const ZefftResult& result) {
  io::Json json = begin_result("zefft");
  json["file"] = options.file.string();
  json["channel"] = result.channel;
  json["unit"] = result.unit.empty() ? std::string("unknown") : result.unit + " s";
  io::set_numbers(json, "times", options.times);
  std::vector<double> until = result.spectra.zeroed_until;
  for (double& t : until) t += result.start_time;
  io::set_numbers(json, "zeroed_until", until);
  io::set_numbers(json, "frequency_hz", result.spectra.frequency_hz);
  io::set_rows(json, "spectra", result.spectra.spectra);
  json["notes"] = result.notes;
  return io::to_text(json);
}

std::string zefft_csv(const ZefftResult& result) {
  io::Table table{.source = "",
                  .header = {"frequency_hz"},
                  .units = {},
                  .columns = {result.spectra.frequency_hz},
                  .line_numbers = {},
                  .warnings = {}};
  for (std::size_t k = 0; k < result.spectra.spectra.size(); ++k) {
    table.header.push_back(fmt::format("from_{}_s", time_text(result.spectra.zeroed_until[k] + result.start_time)));
    table.columns.push_back(result.spectra.spectra[k]);
  }
  table.line_numbers.resize(result.spectra.frequency_hz.size());
  return io::to_csv(table);
}

std::string zefft_text(const ZefftResult& result) {
  std::string text =
      fmt::format("channel {}\n  {:>14} {:>14} {:>14}\n", result.channel, "zeroed until", "highest peak", "height");
  for (std::size_t k = 0; k < result.spectra.spectra.size(); ++k) {
    const auto& s = result.spectra.spectra[k];
    const auto top = static_cast<std::size_t>(std::max_element(s.begin() + 1, s.end()) - s.begin());
    text +=
        fmt::format("  {:>12} s {:11.6g} Hz {:14.6g}\n", time_text(result.spectra.zeroed_until[k] + result.start_time),
                    result.spectra.frequency_hz[top], s[top]);
  }
  return text;
}

report::Page zefft_page(const ZefftVerb& options, const ZefftResult& result) {
  report::Page page{.title = "Zeroed early-time spectra", .subtitle = options.file.filename().string()};
  report::Figure figure{.id = "zefft", .title = "Zeroed early-time spectra, channel " + result.channel};
  figure.wide = true;
  figure.x = {.title = "frequency", .unit = "Hz"};
  figure.y = {{.title = "|FFT| / sampling rate",
               .unit = result.unit.empty() ? "unit x s" : result.unit + " s",
               .scale = report::Scale::log}};
  for (std::size_t k = 0; k < result.spectra.spectra.size(); ++k)
    figure.traces.push_back(
        {.name = fmt::format("from {} s", time_text(result.spectra.zeroed_until[k] + result.start_time)),
         .x = {result.spectra.frequency_hz.begin() + 1, result.spectra.frequency_hz.end()},
         .y = {result.spectra.spectra[k].begin() + 1, result.spectra.spectra[k].end()}});
  figure.caption = "What moves from one to the next is nonlinear.";
  report::Section section{.title = "Spectra"};
  section.figures.push_back(std::move(figure));
  page.sections.push_back(std::move(section));
  for (const std::string& note : result.notes) page.notes.push_back({.text = note});
  return page;
}

}  // namespace

Output zefft(const ZefftVerb& options) {
  auto records = io::read_records(options.file, options.reading);
  if (records.empty()) throw InvalidInput(fmt::format("{}: no signals in it", options.file.string()));
  Record& record = records.front();
  io::convert_to_si(record);
  signal::check_record(record);
  const Channel& channel = chosen(record, options.channel);
  std::vector<double> times = options.times;
  for (double& t : times) t -= record.start_time;
  std::vector<std::string> notes = record.warnings;
  if (records.size() > 1)
    notes.push_back(fmt::format("{}: the first of {} records", options.file.string(), records.size()));
  const auto spectra = times.empty() ? signal::whole_and_zeroed : signal::zefft;
  const auto result = std::make_shared<const ZefftResult>(
      ZefftResult{channel.name, channel.unit, record.start_time,
                  spectra(channel.samples, record.sampling_rate_hz, times, record.start_time), std::move(notes)});
  Output output;
  output.text = [result] { return zefft_text(*result); };
  output.json = [options, result] { return zefft_json(options, *result); };
  output.csv = [result] { return zefft_csv(*result); };
  output.page = [options, result] { return zefft_page(options, *result); };
  output.notes = result->notes;
  output.inputs = {options.file};
  return output;
}

}  // namespace microslip::verbs
