#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <microslip/core/progress.hpp>
#include <microslip/verbs/backbone_file.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct BackboneOptions {
  std::filesystem::path file;
  int mode = 1;
  std::vector<double> amplitudes;      ///< ascending, modal [sqrt(kg) m]
  std::optional<Framework> framework;  ///< in place of what the law or a combination asks for
  std::string combination;             ///< one of Porter et al., in place of the file's joint
  std::optional<int> max_loops;
  std::optional<Dissipation> dissipation;  ///< likewise
  std::optional<int> quadrature_points;    ///< of modal dissipation
  bool sensitivities = false;              ///< derivatives by the joint's parameters
};

struct BackboneResult {
  BackboneFile file;
  Rqnma result;
};

/// Throws NotConverged where no amplitude has an answer.
BackboneResult run_backbone(const BackboneOptions& options, const Progress& progress = {});
Output backbone(const BackboneOptions& options, const Progress& progress = {});

/// What a sensor sees at each amplitude: half of peak to peak; NaN where there is no shape.
std::vector<double> sensor_amplitude(const Sensor& sensor, const Rqnma& run);

/// The report of a backbone.
report::Page backbone_page(const BackboneResult& result);

}  // namespace microslip::verbs
