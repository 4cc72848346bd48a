#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/identify/modal.hpp>
#include <microslip/signal/sensors.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

/// The decays of one mode, from one or several files.
struct ModeDecays {
  double mode_hz = 0;
  std::string coordinate;
  Quantity quantity = Quantity::unknown;
  std::string amplitude_unit, dissipation_unit;
  std::vector<MeasuredDecay> decays;
  std::vector<double> shape;                    ///< at the sensors; empty where none is known
  std::vector<std::optional<double>> asked_hz;  ///< of each decay; nothing where its file does not say it
};

/// What `ringdown --json` results say.
struct ModalMeasurements {
  std::vector<std::string> sources;
  std::vector<std::filesystem::path> files;  ///< that they were read from
  std::vector<ModeDecays> modes;
  std::vector<std::string> sensors;
  std::vector<std::string> notes;
};

struct FitModalOptions {
  ModalMeasurements measurements;
  ModalFitOptions fit;
};

ModalForms modal_forms_from(const std::string& name);
ModalObjective modal_objective_from(const std::string& name);

/// Reads results of `ringdown --json`; records of one mode (within 2 % of the frequency asked for, the nearest where
/// there are several) are merged. Two modes that were asked for in one record stay two, however close.
ModalMeasurements read_modal_measurements(const std::vector<std::filesystem::path>& files);
/// The same from one text, as a page uploads it.
ModalMeasurements parse_modal_measurements(std::string_view text, const std::string& source);

/// Stops between simulated decays where `progress` asks for it, by NotConverged.
Output fit_modal(const FitModalOptions& options, const Progress& progress = {});

}  // namespace microslip::verbs
