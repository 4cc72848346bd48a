#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/io/records.hpp>
#include <microslip/signal/repeats.hpp>
#include <microslip/signal/ringdown.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct RingdownVerb {
  std::vector<std::filesystem::path> files;  ///< levels and repeats of one structure
  io::ReadOptions reading;
  signal::RingdownOptions measuring;
  std::optional<std::filesystem::path> shapes;  ///< JSON, or CSV with one column "121.3Hz" per mode
  std::string driving_point;                    ///< estimate the shapes from the force channel; the channel at the hit
  std::string force_channel;                    ///< where there are several, for the driving point
  Progress progress;                            ///< looked at between records
};

// Options as they are typed.
signal::RingdownMethod method_from(const std::string& name);
signal::Combination combination_from(const std::string& name);
signal::Properties properties_from(const std::string& name);
/// Two numbers per mode, or none.
std::vector<signal::ModeRequest> mode_requests(const std::vector<double>& modes, const std::vector<double>& bands);

/// Shapes from a file: JSON `{sensors, frequency_hz, shapes[mode][sensor], mass_normalised}` or CSV.
signal::Shapes read_shapes(const std::filesystem::path& path);

struct RingdownMeasurement {
  std::string source;  ///< file, and number of the record where it holds several
  Record record;       ///< in SI
  signal::RingdownResult result;
};
struct RingdownAll {
  std::vector<RingdownMeasurement> measurements;
  std::vector<signal::BackboneBands> bands;  ///< per mode asked for, where there are several measurements
  std::optional<signal::Shapes> shapes;
  std::vector<std::string> notes;
};

RingdownAll run_ringdown(const RingdownVerb& options);
Output ringdown(const RingdownVerb& options);

}  // namespace microslip::verbs
