#include <cmath>
#include <optional>
#include <variant>

#include <microslip/io/units.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/ringdown.hpp>

#include "bindings.hpp"
#include "sep005.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;
using Pair = std::pair<double, double>;

py::dict estimate_dict(const signal::Estimate& e) {
  return py::dict("amplitude"_a = to_array(e.amplitude), "frequency_hz"_a = to_array(e.frequency_hz),
                  "damping_ratio"_a = to_array(e.damping_ratio), "dissipation"_a = to_array(e.dissipation));
}

/// The keys of `microslip ringdown --json`, but for those that repeat the call and those of single channels.
py::dict mode_dict(const signal::ModeRingdown& m, const Record& record) {
  const verbs::CoordinateUnits units = verbs::units_of(m.coordinate, m.quantity);
  py::dict result("mode_hz"_a = m.requested_hz, "low_amplitude_frequency_hz"_a = m.low_amplitude_frequency_hz,
                  "coordinate"_a = m.coordinate, "quantity"_a = std::string(to_string(m.quantity)),
                  "amplitude_unit"_a = units.amplitude, "dissipation_unit"_a = units.dissipation,
                  "damping_bias"_a = m.damping_bias, "flag"_a = m.flag, "channels_used"_a = m.channels_used,
                  "notes"_a = m.notes);
  const auto set = [&](const char* key, const std::vector<double>& values) { result[key] = to_array(values); };
  set("time", m.time);
  set("amplitude", m.amplitude);
  set("velocity_amplitude", m.velocity_amplitude);
  set("acceleration_amplitude", m.acceleration_amplitude);
  set("frequency_hz", m.frequency_hz);
  set("damping_ratio", m.damping_ratio);
  set("dissipation", m.dissipation);
  set("frequency_band", m.frequency_band);
  set("damping_band", m.damping_band);
  set("residual", m.residual);
  result["sampling_rate_hz"] = record.sampling_rate_hz;
  result["n_samples"] = record.n_samples();
  result["start_time"] = record.start_time;
  result["onset"] = m.window.onset + record.start_time;
  if (std::isfinite(m.blow)) result["blow"] = m.blow + record.start_time;
  result["end"] = m.window.end + record.start_time;
  result["start"] = m.window.kind == signal::DecayWindow::Start::impact ? "impact" : "release";
  result["degree"] = py::dict("log_amplitude"_a = m.amplitude_degree, "phase"_a = m.phase_degree);
  result["noise"] = m.window.noise;
  if (m.band) result["band_hz"] = py::make_tuple(m.band->lower_hz, m.band->upper_hz);
  py::dict estimates;
  if (m.hilbert) estimates["hilbert"] = estimate_dict(*m.hilbert);
  if (m.pff) estimates["pff"] = estimate_dict(*m.pff);
  result["estimates"] = estimates;
  return versioned(result);
}

py::list ringdown(const py::list& signals, const std::variant<double, std::vector<double>>& mode,
                  const std::variant<std::monostate, Pair, std::vector<Pair>>& band,
                  const std::optional<std::string>& quantity, const std::string& method,
                  const std::vector<std::string>& channels, std::optional<int> degree) {
  Record record = record_from(signals);
  io::convert_to_si(record);
  for (const std::string& warning : record.warnings) warn(warning);
  std::vector<double> modes;
  std::vector<Pair> bands;
  if (const auto* one = std::get_if<double>(&mode)) modes.push_back(*one);
  if (const auto* several = std::get_if<std::vector<double>>(&mode)) modes = *several;
  if (modes.empty()) throw InvalidInput("ringdown: give the frequency of a mode");
  if (const auto* one = std::get_if<Pair>(&band)) bands.push_back(*one);
  if (const auto* several = std::get_if<std::vector<Pair>>(&band)) bands = *several;
  if (!bands.empty() && bands.size() != modes.size())
    throw InvalidInput(
        fmt::format("ringdown: {} bands for {} modes; give one band per mode, or none", bands.size(), modes.size()));
  signal::RingdownOptions options;
  for (std::size_t r = 0; r < modes.size(); ++r) {
    options.modes.push_back({positive("ringdown: mode", modes[r]), {}});
    if (!bands.empty()) options.modes[r].band = signal::Band{bands[r].first, bands[r].second};
  }
  options.method = verbs::method_from(method);
  options.channels = channels;
  options.degree = degree;
  if (quantity) options.quantity = quantity_from(*quantity);
  const signal::RingdownResult result = [&] {
    const py::gil_scoped_release release;
    return signal::measure_backbone(record, options);
  }();
  for (const std::string& note : result.notes) warn(note);
  py::list all;
  for (const signal::ModeRingdown& m : result.modes) all.append(mode_dict(m, record));
  return all;
}

}  // namespace

void bind_signal(py::module_& m) {
  m.def(
      "ringdown", &ringdown, "signals"_a, "mode"_a, "band"_a = std::monostate{}, "quantity"_a = py::none(),
      "method"_a = "both", "channels"_a = std::vector<std::string>{}, "degree"_a = py::none(),
      "Frequency and damping against amplitude of one mode (or several) from the decay in measured signals.\n\n"
      "`signals` is a list of SEP005 dictionaries that share rate and length; `mode` a frequency [Hz] near each mode;\n"
      "`band` its pass band (low, high) [Hz], chosen from the spectrum by default; `quantity` what the signals\n"
      "measure where their units do not tell; `method` 'both', 'hilbert' or 'pff'; `channels` names, all by default;\n"
      "`degree` of the smoothing polynomials, by cross-validation by default. Returns one dictionary per mode with "
      "the\n"
      "keys of `microslip ringdown --json`, without those of its single channels and of the call itself.");
}

}  // namespace microslip::python
