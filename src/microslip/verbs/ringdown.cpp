#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/units.hpp>
#include <microslip/signal/lscf.hpp>
#include <microslip/signal/spectral_peaks.hpp>
#include <microslip/verbs/choice.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/ringdown.hpp>
#include <microslip/verbs/ringdown_page.hpp>

namespace microslip::verbs {

using signal::ModeRingdown;

namespace {

/// Linear modes of the hammer records, around the modes asked for.
signal::Shapes estimated_shapes(const std::vector<RingdownMeasurement>& all, const RingdownVerb& options,
                                std::vector<std::string>& notes) {
  std::vector<Record> hits;
  for (const auto& m : all) hits.push_back(m.record);
  const signal::Frf frf = signal::estimate_frf(hits, options.force_channel);
  double low = options.measuring.modes.front().frequency_hz, high = low;
  for (const auto& mode : options.measuring.modes) {
    low = std::min(low, mode.frequency_hz);
    high = std::max(high, mode.frequency_hz);
  }
  signal::ModalOptions modal;
  modal.band = {0.5 * low, std::min(1.5 * high, 0.49 * hits.front().sampling_rate_hz)};
  modal.driving_point = options.driving_point;
  signal::LinearModes modes = signal::estimate_modes(frf, modal);
  if (modes.shapes.value.empty())
    throw InvalidInput(fmt::format("driving point '{}': {}", options.driving_point, modes.notes.front()));
  notes.insert(notes.end(), modes.notes.begin(), modes.notes.end());
  for (std::size_t r = 0; r < modes.frequency_hz.size(); ++r)
    notes.push_back(
        fmt::format("linear mode at {:.5g} Hz, damping {:.4g} %", modes.frequency_hz[r], 100 * modes.damping_ratio[r]));
  return std::move(modes.shapes);
}

io::Json estimate_json(const signal::Estimate& e) {
  io::Json json = io::Json::object();
  io::set_numbers(json, "amplitude", e.amplitude);
  io::set_numbers(json, "frequency_hz", e.frequency_hz);
  io::set_numbers(json, "damping_ratio", e.damping_ratio);
  io::set_numbers(json, "dissipation", e.dissipation);
  return json;
}

io::Json mode_json(const RingdownVerb& options, const RingdownMeasurement& measurement, const ModeRingdown& m) {
  io::Json json;
  const CoordinateUnits units = units_of(m.coordinate, m.quantity);
  json["mode_hz"] = m.requested_hz;
  json["source"] = measurement.source;
  json["low_amplitude_frequency_hz"] = m.low_amplitude_frequency_hz;
  json["coordinate"] = m.coordinate;
  json["quantity"] = to_string(m.quantity);
  json["amplitude_unit"] = units.amplitude;
  json["dissipation_unit"] = units.dissipation;
  if (m.band) json["band_hz"] = {m.band->lower_hz, m.band->upper_hz};
  json["sampling_rate_hz"] = measurement.record.sampling_rate_hz;
  json["n_samples"] = measurement.record.n_samples();
  json["start_time"] = measurement.record.start_time;
  json["filter_order"] = options.measuring.filter_order;
  json["noise_factor"] = options.measuring.noise_factor;
  json["onset"] = m.window.onset + measurement.record.start_time;
  if (std::isfinite(m.blow)) json["blow"] = m.blow + measurement.record.start_time;
  json["end"] = m.window.end + measurement.record.start_time;
  json["start"] = m.window.kind == signal::DecayWindow::Start::impact ? "impact" : "release";
  json["noise"] = m.window.noise;
  json["damping_bias"] = m.damping_bias;
  json["degree"] = {{"log_amplitude", m.amplitude_degree}, {"phase", m.phase_degree}};
  io::set_numbers(json, "time", m.time);
  io::set_numbers(json, "amplitude", m.amplitude);
  io::set_numbers(json, "velocity_amplitude", m.velocity_amplitude);
  io::set_numbers(json, "acceleration_amplitude", m.acceleration_amplitude);
  io::set_numbers(json, "frequency_hz", m.frequency_hz);
  io::set_numbers(json, "damping_ratio", m.damping_ratio);
  io::set_numbers(json, "dissipation", m.dissipation);
  io::set_numbers(json, "frequency_band", m.frequency_band);
  io::set_numbers(json, "damping_band", m.damping_band);
  io::set_numbers(json, "residual", m.residual);
  json["flag"] = m.flag;
  json["estimates"] = io::Json::object();
  if (m.hilbert) json["estimates"]["hilbert"] = estimate_json(*m.hilbert);
  if (m.pff) json["estimates"]["pff"] = estimate_json(*m.pff);
  json["channels_used"] = m.channels_used;
  json["channels"] = io::Json::array();
  for (const auto& c : m.channels) {
    io::Json channel{{"name", c.name}, {"used", c.used}, {"reason", c.reason}, {"shape", c.shape}};
    const io::Json estimate = estimate_json(c.estimate);
    for (const auto& [key, value] : estimate.items()) channel[key] = value;
    json["channels"].push_back(std::move(channel));
  }
  json["notes"] = m.notes;
  return json;
}

std::string ringdown_json(const RingdownVerb& options, const RingdownAll& all) {
  io::Json json = begin_result("ringdown");
  json["files"] = io::Json::array();
  for (const auto& file : options.files) json["files"].push_back(file.string());
  json["modes"] = io::Json::array();
  for (const auto& m : all.measurements)
    for (const auto& mode : m.result.modes) json["modes"].push_back(mode_json(options, m, mode));
  if (!all.bands.empty()) {
    json["bands"] = io::Json::array();
    for (std::size_t r = 0; r < all.bands.size(); ++r) {
      const auto& b = all.bands[r];
      io::Json band{{"mode_hz", options.measuring.modes[r].frequency_hz}, {"level", "about 95 % of the points"}};
      io::set_numbers(band, "amplitude", b.amplitude);
      io::set_numbers(band, "frequency_hz", b.frequency_hz);
      io::set_numbers(band, "damping_ratio", b.damping_ratio);
      io::set_numbers(band, "frequency_band", b.frequency_band);
      io::set_numbers(band, "damping_band", b.damping_band);
      json["bands"].push_back(std::move(band));
    }
  }
  if (all.shapes) {
    json["shapes"] = {{"sensors", all.shapes->sensors}, {"mass_normalised", all.shapes->mass_normalised}};
    io::set_numbers(json["shapes"], "frequency_hz", all.shapes->frequency_hz);
    io::set_rows(json["shapes"], "shapes", all.shapes->value);
  }
  json["notes"] = all.notes;
  return io::to_text(json);
}

/// Numbers only, so that every table reader takes it; flags are 0 and 1.
std::string ringdown_csv(const RingdownAll& all) {
  io::Table table{
      .source = "",
      .header = {"mode_hz", "record", "time", "amplitude", "velocity_amplitude", "acceleration_amplitude",
                 "frequency_hz", "damping_ratio", "dissipation", "frequency_band", "damping_band", "flagged"},
      .units = {},
      .columns = std::vector<std::vector<double>>(12),
      .line_numbers = {},
      .warnings = {}};
  for (std::size_t k = 0; k < all.measurements.size(); ++k)
    for (const ModeRingdown& m : all.measurements[k].result.modes)
      for (std::size_t i = 0; i < m.time.size(); ++i) {
        const double row[] = {m.requested_hz,      static_cast<double>(k + 1), m.time[i],
                              m.amplitude[i],      m.velocity_amplitude[i],    m.acceleration_amplitude[i],
                              m.frequency_hz[i],   m.damping_ratio[i],         m.dissipation[i],
                              m.frequency_band[i], m.damping_band[i],          m.flag[i].empty() ? 0.0 : 1.0};
        for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c].push_back(row[c]);
        table.line_numbers.push_back(0);
      }
  return io::to_csv(table);
}

/// A unit for the head of a column of twelve letters.
std::string narrow(std::string unit) {
  if (const auto words = unit.find(" ("); words != std::string::npos) unit.resize(words);
  unit.erase(std::remove(unit.begin(), unit.end(), '^'), unit.end());
  if (unit.size() > 12) unit.erase(std::remove(unit.begin(), unit.end(), ' '), unit.end());
  return unit;
}

std::string mode_text(const RingdownMeasurement& measurement, const ModeRingdown& m) {
  const CoordinateUnits units = units_of(m.coordinate, m.quantity);
  std::string text =
      fmt::format("{}, mode at {:g} Hz, {}\n", measurement.source, m.requested_hz, coordinate_text(m.coordinate));
  text += fmt::format("  {:<26} {:.6g} Hz\n", "low-amplitude frequency", m.low_amplitude_frequency_hz);
  if (m.band)
    text += fmt::format("  {:<26} {:.5g} to {:.5g} Hz, Butterworth forward and backward\n", "band", m.band->lower_hz,
                        m.band->upper_hz);
  text += fmt::format("  {:<26} {:.2g} percentage points of damping at most, taken off\n", "bias of filter and ends",
                      100 * m.damping_bias);
  text += fmt::format("  {:<26} {}\n", "channels used", join(m.channels_used, ", "));
  text += fmt::format("  {:>8} {:>12} {:>12} {:>10} {:>9} {:>11} {:>11} {:>12}  {}\n", "time", "amplitude",
                      "acceleration", "frequency", "+-", "damping", "+-", "dissipation", "flag");
  text += fmt::format("  {:>8} {:>12} {:>12} {:>10} {:>9} {:>11} {:>11} {:>12}\n", "s", narrow(units.amplitude),
                      narrow(units.acceleration), "Hz", "Hz", "%", "%", narrow(units.dissipation));
  const std::size_t stride = std::max<std::size_t>(1, m.time.size() / 20);
  for (std::size_t i = 0; i < m.time.size(); i += stride)
    text += fmt::format("  {:8.4f} {:12.4e} {:12.4e} {:10.4f} {:9.4f} {:11.5f} {:11.5f} {:12.4e}  {}\n", m.time[i],
                        m.amplitude[i], m.acceleration_amplitude[i], m.frequency_hz[i], m.frequency_band[i],
                        100 * m.damping_ratio[i], 100 * m.damping_band[i], m.dissipation[i], m.flag[i]);
  return text;
}

std::string ringdown_text(const RingdownAll& all) {
  std::string text;
  for (const auto& m : all.measurements)
    for (const auto& mode : m.result.modes) text += mode_text(m, mode);
  return text;
}

void check_progress(const Progress& progress, double fraction, const std::string& what) {
  progress.at(fraction, what);
  if (progress.stopped()) throw NotConverged("ringdown: stopped");
}

}  // namespace

signal::RingdownMethod method_from(const std::string& name) {
  using signal::RingdownMethod;
  return choice<RingdownMethod, 3>(
      "method", name,
      {{{"both", RingdownMethod::both}, {"hilbert", RingdownMethod::hilbert}, {"pff", RingdownMethod::pff}}});
}
signal::Combination combination_from(const std::string& name) {
  using signal::Combination;
  return choice<Combination, 2>("combination", name,
                                {{{"average", Combination::average}, {"modal_filter", Combination::modal_filter}}});
}
signal::Properties properties_from(const std::string& name) {
  using signal::Properties;
  return choice<Properties, 2>("properties", name, {{{"energy", Properties::energy}, {"paper", Properties::paper}}});
}

std::vector<signal::ModeRequest> mode_requests(const std::vector<double>& modes, const std::vector<double>& bands) {
  if (!bands.empty() && bands.size() != 2 * modes.size())
    throw InvalidInput(
        fmt::format("band: {} numbers for {} modes, expected LO HI for each", bands.size(), modes.size()));
  std::vector<signal::ModeRequest> requests;
  for (std::size_t r = 0; r < modes.size(); ++r) {
    requests.push_back({positive("mode", modes[r]), {}});
    if (!bands.empty()) requests.back().band = signal::Band{bands[2 * r], bands[2 * r + 1]};
  }
  return requests;
}

signal::Shapes read_shapes(const std::filesystem::path& path) {
  signal::Shapes shapes;
  if (path.extension() == ".json") {
    const io::Json json = io::read_json(path);
    const io::JsonReader reader(json, path.string());
    // The result of `ringdown --driving-point` holds them under "shapes".
    const bool result = json.contains("shapes") && json["shapes"].is_object();
    const io::JsonReader object = result ? reader.object("shapes") : reader;
    shapes.value = object.rows("shapes");
    shapes.frequency_hz = object.contains("frequency_hz") ? object.numbers("frequency_hz") : std::vector<double>{};
    shapes.sensors = object.contains("sensors") ? object.texts("sensors") : std::vector<std::string>{};
    if (object.contains("mass_normalised")) {
      const io::Json& flag = result ? json["shapes"]["mass_normalised"] : json["mass_normalised"];
      if (!flag.is_boolean())
        throw InvalidInput(fmt::format("{}: expected true or false", object.where("mass_normalised")));
      shapes.mass_normalised = flag.get<bool>();
    }
    return shapes;
  }
  const io::Table table = io::read_csv(path);
  shapes.value = table.columns;
  for (const std::string& title : table.header) {
    const std::string number = title.substr(0, title.find_first_of(" H"));
    const auto f = parse_number(number);
    if (!f)
      throw InvalidInput(fmt::format("{}: column '{}' does not name its mode; expected a frequency such as '121.3Hz'",
                                     path.string(), title));
    shapes.frequency_hz.push_back(*f);
  }
  return shapes;
}

namespace {

/// Asks for the frequency of a mode, with those that the first record suggests.
[[noreturn]] void ask_for_mode(const RingdownMeasurement& first) {
  const std::vector<double> peaks = signal::spectral_peaks(first.record);
  throw InvalidInput(
      fmt::format("{}: give the frequency near a mode (--mode F0){}", first.source,
                  peaks.empty() ? "" : fmt::format("; the spectra have peaks at {}", signal::frequencies_text(peaks))));
}

}  // namespace

RingdownAll run_ringdown(const RingdownVerb& options) {
  if (options.files.empty()) throw InvalidInput("ringdown: no file given");
  RingdownAll all;
  for (const auto& file : options.files) {
    check_progress(options.progress, 0, "reading");
    auto records = io::read_records(file, options.reading);
    for (std::size_t k = 0; k < records.size(); ++k) {
      io::convert_to_si(records[k]);
      for (const std::string& warning : records[k].warnings)
        all.notes.push_back(fmt::format("{}: {}", file.string(), warning));
      all.measurements.push_back(
          {records.size() > 1 ? fmt::format("{} record {}", file.string(), k + 1) : file.string(),
           std::move(records[k]),
           {}});
    }
  }
  if (all.measurements.empty()) throw InvalidInput(fmt::format("{}: no signals in it", options.files[0].string()));
  if (options.measuring.modes.empty()) ask_for_mode(all.measurements.front());
  signal::RingdownOptions measuring = options.measuring;
  if (options.shapes) measuring.shapes = read_shapes(*options.shapes);
  if (!options.force_channel.empty() && options.driving_point.empty())
    throw InvalidInput("ringdown: the force channel is needed for a driving point (--driving-point) alone");
  if (!options.driving_point.empty()) {
    if (options.shapes)
      throw InvalidInput("ringdown: give either shapes (--shapes) or a driving point to estimate them");
    measuring.shapes = estimated_shapes(all.measurements, options, all.notes);
  }
  all.shapes = measuring.shapes;
  double done = 0;
  for (auto& m : all.measurements) {
    check_progress(options.progress, done++ / static_cast<double>(all.measurements.size()), m.source);
    m.record.source = m.source;
    try {
      m.result = signal::measure_backbone(m.record, measuring);
    } catch (const InvalidInput& error) {
      const std::string text = error.what();  // one line that names the file, whichever part refused
      throw InvalidInput(text.rfind(m.source, 0) == 0 ? text : fmt::format("{}: {}", m.source, text));
    }
    for (const std::string& note : m.result.notes) all.notes.push_back(fmt::format("{}: {}", m.source, note));
    for (const auto& mode : m.result.modes)
      for (const std::string& note : mode.notes)
        all.notes.push_back(fmt::format("{}: mode at {:g} Hz: {}", m.source, mode.requested_hz, note));
  }
  for (std::size_t r = 0; all.measurements.size() > 1 && r < measuring.modes.size(); ++r) {
    std::vector<Backbone> repeats;
    for (const auto& m : all.measurements) repeats.push_back(m.result.modes[r].backbone());
    all.bands.push_back(signal::backbone_bands(repeats));
  }
  return all;
}

Output ringdown(const RingdownVerb& options) {
  const auto json = [options](const RingdownAll& done) { return ringdown_json(options, done); };
  const auto page = [options](const RingdownAll& done) { return ringdown_page(options, done); };
  Output output = output_of(run_ringdown(options), ringdown_text, json, ringdown_csv, page, &RingdownAll::notes);
  output.inputs = options.files;
  if (options.shapes) output.inputs.push_back(*options.shapes);
  return output;
}

}  // namespace microslip::verbs
