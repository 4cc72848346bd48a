#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <microslip/modal/combinations.hpp>
#include <microslip/report/page.hpp>
#include <microslip/study/study.hpp>

namespace microslip::verbs {

/// What a study file asks for, with every file that it names read and every combination ready to be computed.
struct StudyCase {
  std::string title;  ///< of the report
  study::Study study;
  std::vector<Combination> combinations;             ///< of each entry
  std::vector<std::vector<double>> modal_amplitude;  ///< [entry][all measured rows, mode after mode]
  double preload = 0;
  std::vector<report::Input> inputs;  ///< files as they were when they were read, for the record
  std::vector<std::string> notes;
};

/// Reads STUDY.toml (docs/study.md). Everything that can be wrong is refused here, before any work
/// starts: unknown models, bounds upside down, backbones that leave the model's range. Messages name file, line, key.
StudyCase read_study(const std::filesystem::path& path);

}  // namespace microslip::verbs
