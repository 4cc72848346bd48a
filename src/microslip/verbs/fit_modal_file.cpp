#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/median.hpp>
#include <microslip/identify/modal_replicas.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/json.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/fit_modal.hpp>

namespace microslip::verbs {

namespace {

using io::JsonReader;

constexpr double most_samples = 1e7;  // that a decay is simulated with, tens of times

/// A whole number in [1, most].
double whole_number(const JsonReader& mode, const std::string& key, double value, double most) {
  if (!(value >= 1 && value <= most && value == std::floor(value)))
    throw InvalidInput(fmt::format("{} must be a whole number from 1 to {:g}, got {}", mode.where(key), most, value));
  return value;
}

double positive_number(const JsonReader& mode, const std::string& key) {
  const double x = mode.number(key);
  if (!(x > 0) || !std::isfinite(x)) throw InvalidInput(fmt::format("{} must be > 0, got {}", mode.where(key), x));
  return x;
}

/// How the decay was recorded, where the file says all of it.
std::optional<DecaySetup> read_setup(const JsonReader& mode) {
  for (const char* key : {"sampling_rate_hz", "n_samples", "onset", "noise", "quantity"})
    if (!mode.contains(key)) return std::nullopt;
  DecaySetup setup;
  setup.sampling_rate_hz = positive_number(mode, "sampling_rate_hz");
  setup.n_samples = static_cast<std::size_t>(whole_number(mode, "n_samples", mode.number("n_samples"), 1e9));
  setup.onset = mode.number("onset") - mode.number("start_time", 0);
  setup.noise = mode.number("noise");
  if (!(setup.noise >= 0) || !std::isfinite(setup.noise))
    throw InvalidInput(fmt::format("{} must be >= 0", mode.where("noise")));
  const double length = static_cast<double>(setup.n_samples) / setup.sampling_rate_hz;
  if (!(setup.onset > -1 / setup.sampling_rate_hz && setup.onset < length))
    throw InvalidInput(fmt::format("{} must lie within the record of {:.4g} s", mode.where("onset"), length));
  setup.quantity = quantity_from(mode.text("quantity"));
  if (mode.contains("band_hz")) {
    const std::vector<double> band = mode.numbers("band_hz");
    if (band.size() != 2 || !(0 < band[0] && band[0] < band[1] && band[1] < 0.5 * setup.sampling_rate_hz))
      throw InvalidInput(
          fmt::format("{}: expected two rising frequencies below half the sampling rate", mode.where("band_hz")));
    setup.band = signal::Band{band[0], band[1]};
  }
  if (mode.contains("blow")) {
    setup.blow = mode.number("blow") - mode.number("start_time", 0);
    if (!(*setup.blow > -length && *setup.blow < length))
      throw InvalidInput(fmt::format("{} must lie within the record of {:.4g} s", mode.where("blow"), length));
  }
  const auto needed = static_cast<double>(replica_samples(setup));
  if (needed > most_samples)
    throw InvalidInput(
        fmt::format("{}: the record is too long to be simulated: {:g} samples are needed, at most {:g} "
                    "are taken; measure a shorter part of it",
                    mode.where("n_samples"), needed, most_samples));
  setup.filter_order = static_cast<int>(whole_number(mode, "filter_order", mode.number("filter_order", 4), 20));
  setup.noise_factor = mode.contains("noise_factor") ? positive_number(mode, "noise_factor") : 5;
  if (mode.contains("estimates")) setup.pff = !mode.object("estimates").contains("hilbert");
  return setup;
}

MeasuredDecay read_decay(const JsonReader& mode, const std::string& source) {
  MeasuredDecay d;
  d.source = mode.text("source", source);
  d.amplitude = mode.numbers("amplitude");
  const std::size_t n = d.amplitude.size();
  const auto column = [&](const std::string& key, bool required) {
    if (!required && !mode.contains(key)) return std::vector<double>(n, std::nan(""));
    std::vector<double> values = mode.numbers(key);
    if (values.size() != n)
      throw InvalidInput(
          fmt::format("{} has {} values, {} has {}", mode.where(key), values.size(), mode.where("amplitude"), n));
    return values;
  };
  d.frequency_hz = column("frequency_hz", true);
  d.damping_ratio = column("damping_ratio", true);
  d.frequency_band = column("frequency_band", false);
  d.damping_band = column("damping_band", false);
  if (mode.contains("flag")) d.flag = mode.texts("flag");
  if (d.flag.size() != n) {
    if (mode.contains("flag"))
      throw InvalidInput(
          fmt::format("{} has {} values, {} has {}", mode.where("flag"), d.flag.size(), mode.where("amplitude"), n));
    d.flag.assign(n, "");
  }
  d.setup = read_setup(mode);
  for (std::size_t i = 0; d.setup && i < n; ++i)
    if (d.frequency_hz[i] >= 0.5 * d.setup->sampling_rate_hz)
      throw InvalidInput(fmt::format("{}: {} Hz is not below half of {}", mode.where("frequency_hz"), d.frequency_hz[i],
                                     mode.where("sampling_rate_hz")));
  if (d.setup && mode.contains("time")) {
    d.time = column("time", true);
    for (double& t : d.time) t -= mode.number("start_time", 0);
  } else {
    d.setup.reset();
  }
  return d;
}

struct ShapeTable {
  std::vector<std::string> sensors;
  std::vector<double> frequency_hz;
  std::vector<std::vector<double>> value;
};

/// For files that are something else, most often the record itself.
InvalidInput no_ringdown(const std::string& source, const std::string& what) {
  return InvalidInput(
      fmt::format("{}: {}; fit modal takes results of `microslip ringdown FILE --mode HZ --json -o mode.json`: a "
                  "measured record goes to ringdown first",
                  source, what));
}

/// The content of a file. A name that does not end in .json promises none, so that the place where it ceases to be
/// JSON would tell nothing.
io::Json read_result(const std::filesystem::path& path) {
  const std::string text = io::read_file(path);
  try {
    return io::parse_json(text, path.string());
  } catch (const InvalidInput&) {
    if (path.extension() == ".json") throw;
    throw no_ringdown(path.string(), "is not JSON");
  }
}

/// What was asked for in a record, and what was found there.
struct AskedMode {
  double asked_hz, found_hz;
};
/// By source.
using AskedModes = std::map<std::string, std::vector<AskedMode>>;

double middle_of(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  return values.empty() ? std::nan("") : median(std::move(values));
}

/// Two modes of one record, not one that was asked for twice: what was found lies apart too.
bool are_neighbours(const AskedMode& a, const AskedMode& b) {
  const double asked = std::abs(a.asked_hz - b.asked_hz), found = std::abs(a.found_hz - b.found_hz);
  return asked > 0 && !(found <= 0.5 * asked);
}

/// Looks whether this is a result of ringdown, and what was asked for in it.
void note_asked(const io::Json& json, const std::string& source, AskedModes& modes) {
  const JsonReader file(json, source);
  if (const std::string verb = file.text("verb", "ringdown"); verb != "ringdown")
    throw no_ringdown(source, fmt::format("is a result of {}", verb));
  if (!file.contains("modes")) throw no_ringdown(source, "has no modes");
  for (const JsonReader& mode : file.objects("modes"))
    if (mode.contains("mode_hz") && mode.contains("frequency_hz"))
      modes[mode.text("source", source)].push_back(
          {positive_number(mode, "mode_hz"), middle_of(mode.numbers("frequency_hz"))});
}

/// The mode that a decay belongs to: the nearest within 2 %, but none that is rather a neighbour's in the same record.
std::vector<ModeDecays>::iterator nearest_mode(std::vector<ModeDecays>& modes, double mode_hz,
                                               std::optional<double> asked, const MeasuredDecay& decay,
                                               const AskedModes& all) {
  const auto in_record = all.find(decay.source);
  const AskedMode own{asked.value_or(mode_hz), middle_of(decay.frequency_hz)};
  const auto is_neighbours = [&](const ModeDecays& m) {
    if (!asked || in_record == all.end()) return false;
    for (std::size_t j = 0; j < m.decays.size(); ++j)
      if (m.decays[j].source == decay.source && m.asked_hz[j] &&
          are_neighbours(own, {*m.asked_hz[j], middle_of(m.decays[j].frequency_hz)}))
        return true;
    return std::any_of(in_record->second.begin(), in_record->second.end(), [&](const AskedMode& other) {
      return are_neighbours(own, other) && std::abs(other.asked_hz - m.mode_hz) < std::abs(own.asked_hz - m.mode_hz);
    });
  };
  auto best = modes.end();
  for (auto m = modes.begin(); m != modes.end(); ++m) {
    const double apart = std::abs(m->mode_hz - mode_hz);
    if (apart < 0.02 * m->mode_hz && !is_neighbours(*m) &&
        (best == modes.end() || apart < std::abs(best->mode_hz - mode_hz)))
      best = m;
  }
  return best;
}

void add_file(const io::Json& json, const std::string& source, const AskedModes& all, ModalMeasurements& into) {
  const JsonReader file(json, source);
  into.sources.push_back(source);
  ShapeTable shapes;
  if (file.contains("shapes")) {
    const JsonReader table = file.object("shapes");
    shapes.sensors = table.contains("sensors") ? table.texts("sensors") : std::vector<std::string>{};
    shapes.frequency_hz = table.contains("frequency_hz") ? table.numbers("frequency_hz") : std::vector<double>{};
    shapes.value = table.rows("shapes");
    if (shapes.frequency_hz.size() != shapes.value.size()) shapes = {};
    if (into.sensors.empty()) into.sensors = shapes.sensors;
  }
  for (const JsonReader& mode : file.objects("modes")) {
    const double mode_hz = positive_number(mode, mode.contains("mode_hz") ? "mode_hz" : "low_amplitude_frequency_hz");
    const std::string coordinate = mode.text("coordinate", "modal");
    const Quantity quantity = mode.contains("quantity") ? quantity_from(mode.text("quantity")) : Quantity::unknown;
    const CoordinateUnits units = units_of(coordinate, quantity);
    const auto asked = mode.contains("mode_hz") ? std::optional(mode_hz) : std::nullopt;
    MeasuredDecay decay = read_decay(mode, source);
    auto found = nearest_mode(into.modes, mode_hz, asked, decay, all);
    if (found == into.modes.end()) {
      into.modes.push_back({mode_hz,
                            coordinate,
                            quantity,
                            mode.text("amplitude_unit", units.amplitude),
                            mode.text("dissipation_unit", units.dissipation),
                            {},
                            {},
                            {}});
      found = into.modes.end() - 1;
      std::size_t nearest = shapes.value.size();
      for (std::size_t r = 0; r < shapes.value.size(); ++r)
        if (std::abs(shapes.frequency_hz[r] - mode_hz) < 0.05 * mode_hz &&
            (nearest == shapes.value.size() ||
             std::abs(shapes.frequency_hz[r] - mode_hz) < std::abs(shapes.frequency_hz[nearest] - mode_hz)))
          nearest = r;
      if (nearest < shapes.value.size() && coordinate == "modal") found->shape = shapes.value[nearest];
    }
    if (found->coordinate != coordinate)
      throw InvalidInput(
          fmt::format("{}: coordinate '{}' beside '{}' of another record of the mode at {:g} Hz: their "
                      "amplitudes cannot be compared",
                      mode.where("coordinate"), coordinate, found->coordinate, mode_hz));
    found->decays.push_back(std::move(decay));
    found->asked_hz.push_back(asked);
  }
}

/// Shapes stand in the result only where every mode has one of the sensors' number.
void settle_shapes(ModalMeasurements& m) {
  const bool complete = !m.modes.empty() && std::all_of(m.modes.begin(), m.modes.end(), [&](const ModeDecays& mode) {
    return !mode.shape.empty() && mode.shape.size() == m.modes.front().shape.size();
  });
  if (!complete || (!m.sensors.empty() && m.sensors.size() != m.modes.front().shape.size())) {
    m.sensors.clear();
    for (ModeDecays& mode : m.modes) mode.shape.clear();
  } else if (m.sensors.empty()) {
    for (std::size_t k = 0; k < m.modes.front().shape.size(); ++k) m.sensors.push_back(fmt::format("sensor {}", k + 1));
  }
}

}  // namespace

ModalMeasurements read_modal_measurements(const std::vector<std::filesystem::path>& files) {
  io::refuse_repeated(files);
  ModalMeasurements all;
  all.files = files;
  std::vector<io::Json> results;
  for (const auto& file : files) results.push_back(read_result(file));
  AskedModes asked;
  for (std::size_t i = 0; i < files.size(); ++i) note_asked(results[i], files[i].string(), asked);
  for (std::size_t i = 0; i < files.size(); ++i) add_file(results[i], files[i].string(), asked, all);
  if (all.modes.empty()) throw InvalidInput("fit modal: the files hold no mode");
  settle_shapes(all);
  return all;
}

ModalMeasurements parse_modal_measurements(std::string_view text, const std::string& source) {
  ModalMeasurements all;
  const io::Json result = io::parse_json(text, source);
  AskedModes asked;
  note_asked(result, source, asked);
  add_file(result, source, asked, all);
  if (all.modes.empty()) throw InvalidInput(fmt::format("{}: modes is empty", source));
  settle_shapes(all);
  return all;
}

}  // namespace microslip::verbs
